package remote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"

	"github.com/parley-hq/parley/a2a/v03"
	"github.com/parley-hq/parley/internal/sse"
)

// old speaks JSON-RPC of 0.3, as far as tasks need it: a2a-go's client for that links
// gRPC. What else there is in a transport is never called.
type old struct {
	a2aclient.Transport
	url    string
	client *http.Client
	most   int64
}

// oldTransport is the transport as a2a-go's client takes it.
func oldTransport(client *http.Client, most int64) a2aclient.FactoryOption {
	return a2aclient.WithCompatTransport(v03.Version, a2a.TransportProtocolJSONRPC, a2aclient.TransportFactoryFn(
		func(_ context.Context, _ *a2a.AgentCard, face *a2a.AgentInterface) (a2aclient.Transport, error) {
			return &old{url: face.URL, client: client, most: most}, nil
		}))
}

// send sends a request. The body is the caller's to close.
func (o *old) send(ctx context.Context, method string, params any, accept string, with a2aclient.ServiceParams) (io.ReadCloser, error) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": "1", "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, o.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", accept)
	r.Header.Set("A2A-Version", string(v03.Version))
	for _, uri := range with.Get(a2a.SvcParamExtensions) {
		r.Header.Add("X-A2A-Extensions", uri)
	}
	resp, err := o.client.Do(r)
	if err != nil {
		return nil, err
	}
	return resp.Body, nil // the door lets nothing in but 200
}

// answered reads a response of JSON-RPC.
func answered(raw []byte) (json.RawMessage, error) {
	var r struct {
		Result json.RawMessage
		Error  *struct {
			Code    int
			Message string
		}
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, fmt.Errorf("%w: %w", v03.ErrMalformed, err)
	}
	if r.Error != nil {
		return nil, &a2a.Error{Err: cmp.Or(codes[r.Error.Code], a2a.ErrServerError), Message: r.Error.Message}
	}
	return r.Result, nil
}

// codes are the errors of 0.3.
var codes = map[int]error{
	-32700: a2a.ErrParseError, -32600: a2a.ErrInvalidRequest, -32601: a2a.ErrMethodNotFound, -32602: a2a.ErrInvalidParams, -32603: a2a.ErrInternalError,
	-32001: a2a.ErrTaskNotFound, -32002: a2a.ErrTaskNotCancelable, -32003: a2a.ErrPushNotificationNotSupported, -32004: a2a.ErrUnsupportedOperation,
	-32005: a2a.ErrUnsupportedContentType, -32006: a2a.ErrInvalidAgentResponse, -32007: a2a.ErrExtendedCardNotConfigured,
}

// call makes a call that has one answer.
func (o *old) call(ctx context.Context, method string, params any, with a2aclient.ServiceParams) (a2a.Event, error) {
	body, err := o.send(ctx, method, params, "application/json", with)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	raw, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	result, err := answered(raw)
	if err != nil {
		return nil, err
	}
	return v03.ReadEvent(result)
}

// task makes a call that is answered by a task.
func (o *old) task(ctx context.Context, method string, params any, with a2aclient.ServiceParams) (*a2a.Task, error) {
	e, err := o.call(ctx, method, params, with)
	if err != nil {
		return nil, err
	}
	task, ok := e.(*a2a.Task)
	if !ok {
		return nil, fmt.Errorf("%w: %T in the place of a task", v03.ErrMalformed, e)
	}
	return task, nil
}

// stream makes a call that is answered by events.
func (o *old) stream(ctx context.Context, method string, params any, with a2aclient.ServiceParams) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		body, err := o.send(ctx, method, params, "text/event-stream", with)
		if err != nil {
			yield(nil, err)
			return
		}
		defer body.Close()
		events := sse.NewEvents(body, o.most)
		defer events.Free()
		for {
			raw, err := events.Next()
			last := errors.Is(err, io.EOF)
			if last && len(raw) == 0 {
				return
			}
			if last { // it lacks only its end
				err = nil
			}
			var result json.RawMessage
			if err == nil {
				result, err = answered(raw)
			}
			var event a2a.Event
			if err == nil {
				event, err = v03.ReadEvent(result)
			}
			if !yield(event, err) || err != nil || last {
				return
			}
		}
	}
}

func (o *old) SendMessage(ctx context.Context, with a2aclient.ServiceParams, r *a2a.SendMessageRequest) (a2a.SendMessageResult, error) {
	e, err := o.call(ctx, v03.Send, v03.SendParams(r), with)
	if err != nil {
		return nil, err
	}
	result, ok := e.(a2a.SendMessageResult)
	if !ok {
		return nil, fmt.Errorf("%w: %T in the place of a task or a message", v03.ErrMalformed, e)
	}
	return result, nil
}

func (o *old) SendStreamingMessage(ctx context.Context, with a2aclient.ServiceParams, r *a2a.SendMessageRequest) iter.Seq2[a2a.Event, error] {
	return o.stream(ctx, v03.Stream, v03.SendParams(r), with)
}

func (o *old) SubscribeToTask(ctx context.Context, with a2aclient.ServiceParams, r *a2a.SubscribeToTaskRequest) iter.Seq2[a2a.Event, error] {
	return o.stream(ctx, v03.Resubscribe, map[string]any{"id": r.ID}, with)
}

func (o *old) GetTask(ctx context.Context, with a2aclient.ServiceParams, r *a2a.GetTaskRequest) (*a2a.Task, error) {
	return o.task(ctx, v03.Get, map[string]any{"id": r.ID, "historyLength": r.HistoryLength}, with)
}

func (o *old) CancelTask(ctx context.Context, with a2aclient.ServiceParams, r *a2a.CancelTaskRequest) (*a2a.Task, error) {
	return o.task(ctx, v03.Cancel, map[string]any{"id": r.ID}, with)
}

func (o *old) ListTasks(context.Context, a2aclient.ServiceParams, *a2a.ListTasksRequest) (*a2a.ListTasksResponse, error) {
	return nil, a2a.ErrUnsupportedOperation // JSON-RPC of 0.3 lists nothing
}

// oldCard reads a card of 0.3.
func oldCard(body []byte) (*a2a.AgentCard, error) {
	type place struct {
		URL       string
		Transport a2a.TransportProtocol
	}
	var c struct {
		Name, Description, Version, URL string
		ProtocolVersion                 a2a.ProtocolVersion
		PreferredTransport              a2a.TransportProtocol
		AdditionalInterfaces            []place
		Capabilities                    a2a.AgentCapabilities
		Security                        []map[a2a.SecuritySchemeName][]string
	}
	if err := json.Unmarshal(body, &c); err != nil {
		return nil, err
	}
	card := &a2a.AgentCard{Name: c.Name, Description: c.Description, Version: c.Version, Capabilities: c.Capabilities}
	for _, p := range append([]place{{c.URL, cmp.Or(c.PreferredTransport, a2a.TransportProtocolJSONRPC)}}, c.AdditionalInterfaces...) {
		card.SupportedInterfaces = append(card.SupportedInterfaces, &a2a.AgentInterface{URL: p.URL, ProtocolBinding: p.Transport, ProtocolVersion: cmp.Or(c.ProtocolVersion, v03.Version)})
	}
	for _, alternative := range c.Security {
		needs := a2a.SecurityRequirements{}
		for name := range alternative {
			needs[name] = nil
		}
		card.SecurityRequirements = append(card.SecurityRequirements, needs)
	}
	return card, nil
}
