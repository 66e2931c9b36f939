package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2aext"

	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/tracing"
)

// dial returns a client of the agent for somebody.
func (r *Remote) dial(ctx context.Context, who agent.Caller) (*a2aclient.Client, *known, error) {
	k, err := r.readCard(ctx)
	if err != nil {
		return nil, nil, err
	}
	client := &http.Client{
		Transport:     &door{way: r.way(who), most: r.opts.MaxMessage, rpc: k.face.ProtocolBinding == a2a.TransportProtocolJSONRPC},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	card := *k.card
	card.SupportedInterfaces = []*a2a.AgentInterface{k.face}
	c, err := a2aclient.NewFromCard(ctx, &card,
		a2aclient.WithDefaultsDisabled(), a2aclient.WithJSONRPCTransport(client), a2aclient.WithRESTTransport(client),
		oldTransport(client, r.opts.MaxMessage),
		a2aclient.WithCallInterceptors(a2aext.NewActivator(elicitation.URI)),
	)
	if err != nil {
		return nil, nil, r.failed(err, "cannot be spoken to as its card says; the task was not sent.")
	}
	return c, k, nil
}

// reach is dial for a call. For one that was begun it is tried for as long as the agent
// may be away, and what became of that is not known otherwise.
func (r *Remote) reach(ctx context.Context, who agent.Caller, s state) (client *a2aclient.Client, known *known, err error) {
	if !s.begun() {
		return r.dial(ctx, who)
	}
	plan := patience.Plan{For: r.opts.Away, Final: func(err error) bool { return !passing(err) }}
	err = plan.Do(ctx, func() (err error) {
		client, known, err = r.dial(ctx, who)
		return err
	})
	var public *agent.PublicError
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, nil, context.Cause(ctx)
	case errors.As(err, &public):
		reason, _ := ofCard(public)
		return nil, nil, &agent.PublicError{Text: reason + ": what became of this task is not known. Find out before you begin it again.", Cause: err}
	}
	return client, known, err
}

// passing reports whether an agent may be there again in a moment.
func passing(err error) bool {
	var status *mcpclient.StatusError
	return errors.Is(err, mcpclient.ErrUnreachable) || errors.As(err, &status) && (status.Code >= 500 || status.Code == http.StatusTooManyRequests)
}

// door is the way to a remote agent: it bounds what comes back, and knows of each
// request whether it may have arrived. Its errors are those of package mcpclient.
type door struct {
	way  http.RoundTripper
	most int64
	rpc  bool // JSON-RPC: what is not said with status 200 is not said in the protocol
}

// RoundTrip implements http.RoundTripper.
func (d *door) RoundTrip(r *http.Request) (*http.Response, error) {
	var sent mcpclient.Sent
	out := r.WithContext(sent.Watch(r.Context()))
	if c := tracing.From(r.Context()); c.Valid() { // of the task's trace, and nothing that it carries
		out.Header = r.Header.Clone()
		c.SetHeader(out.Header)
	}
	resp, err := d.way.RoundTrip(out)
	if err != nil {
		if r.Context().Err() == nil {
			err = fmt.Errorf("%w: %w", mcpclient.ErrUnreachable, err)
		}
		return nil, sent.Mark(err)
	}
	if refusal := d.refusal(resp.StatusCode); refusal != nil {
		resp.Body.Close()
		return nil, refusal
	}
	resp.Body = http.MaxBytesReader(nil, resp.Body, d.most)
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); d.rpc && kind == "application/json" && r.Header.Get("Accept") == "text/event-stream" {
		if err := asEvent(resp); err != nil {
			return nil, err
		}
	}
	return resp, nil
}

// asEvent makes an event of a response that came in the place of a stream: it says why
// there is none, and readers of streams would not see it.
func asEvent(resp *http.Response) error {
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("%w: %w", mcpclient.ErrUnderway, err)
	}
	var line bytes.Buffer
	line.WriteString("data: ")
	if err := json.Compact(&line, body); err != nil {
		return fmt.Errorf("%w: %w: %w", mcpclient.ErrUnderway, mcpclient.ErrProtocol, err)
	}
	line.WriteString("\n\n")
	resp.Body = io.NopCloser(&line)
	return nil
}

// refusal is what a status says that is not of the protocol; nil: it may be. What
// stands before an agent may have lost its answer where it is 5xx.
func (d *door) refusal(code int) error {
	refused := &mcpclient.StatusError{Code: code}
	switch {
	case code == http.StatusOK:
		return nil
	case code >= 502 || d.rpc && code >= 500:
		return fmt.Errorf("%w: %w", mcpclient.ErrUnderway, refused)
	case d.rpc, code < 400, code == http.StatusUnauthorized, code == http.StatusForbidden, code == http.StatusTooManyRequests:
		return refused
	}
	return nil
}

// refusals are the errors of the protocol by which an agent says that it did not do
// what it was asked.
var refusals = []error{
	a2a.ErrParseError, a2a.ErrInvalidRequest, a2a.ErrMethodNotFound, a2a.ErrInvalidParams, a2a.ErrTaskNotFound, a2a.ErrTaskNotCancelable,
	a2a.ErrUnsupportedOperation, a2a.ErrUnsupportedContentType, a2a.ErrExtensionSupportRequired, a2a.ErrVersionNotSupported,
	a2a.ErrUnauthenticated, a2a.ErrUnauthorized, a2a.ErrInternalError, a2a.ErrServerError, a2a.ErrInvalidAgentResponse,
	a2a.ErrPushNotificationNotSupported, a2a.ErrExtendedCardNotConfigured,
}

// refused reports whether the agent answered a request with an error of the protocol.
func refused(err error) bool {
	for _, one := range refusals {
		if errors.Is(err, one) {
			return true
		}
	}
	return false
}

// classified is an error of the client's in terms of package mcpclient: what is none
// of the protocol's, and not known otherwise, came when the agent had the request.
func classified(err error) error {
	var large *http.MaxBytesError
	var status *mcpclient.StatusError
	switch {
	case err == nil, refused(err), errors.Is(err, mcpclient.ErrUnderway), errors.Is(err, mcpclient.ErrUnreachable), errors.As(err, &status),
		errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &large), errors.Is(err, mcpclient.ErrTooLarge):
		return fmt.Errorf("%w: %w", mcpclient.ErrUnderway, mcpclient.ErrTooLarge)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: %w", mcpclient.ErrUnderway, err)
	}
	return fmt.Errorf("%w: %w: %w", mcpclient.ErrUnderway, mcpclient.ErrProtocol, err)
}

// arrivedMaybe reports whether a request may have reached the agent.
func arrivedMaybe(err error) bool { return errors.Is(err, mcpclient.ErrUnderway) }
