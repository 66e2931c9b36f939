package mcpcall

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/vault"
)

// broken explains a call that did not come back. A *vault.RequiredError stays if
// the server has not taken the call: it does not take the credential any more.
func (c *Call) broken(ctx context.Context, err error) error {
	var required *vault.RequiredError
	var told *Failure
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return context.Cause(ctx)
	case errors.As(err, &told):
		return err
	case unavailable(err):
		return c.calls.NotSent(ctx, err, c.Target.Server.Label())
	case ctx.Err() != nil:
		err = underway(err) // its time is over, and the server may have it
	case errors.Is(err, mcpclient.ErrUnderway):
	case errors.As(err, &required):
		return err
	}
	c.calls.opts.Logger.WarnContext(ctx, "call without an answer", "server", c.Target.Server.Name, "tool", c.Target.Name, "err", err)
	return &Failure{Text: c.Target.Fate(err), Away: away(err), Cause: err}
}

// underway marks an error that came after the server had the call.
func underway(err error) error {
	var told *Failure
	if err == nil || errors.As(err, &told) || errors.Is(err, mcpclient.ErrUnderway) {
		return err
	}
	return fmt.Errorf("%w, %w", mcpclient.ErrUnderway, err)
}

// away reports whether nothing was sent because the server, or who has its
// credential, could not be reached: it may be there in a moment.
func away(err error) bool {
	var status *mcpclient.StatusError
	var provider *vault.ProviderError
	switch {
	case errors.Is(err, mcpclient.ErrUnderway), errors.As(err, &status):
		return false
	case errors.As(err, &provider):
		return provider.Temporary
	}
	return errors.Is(err, mcpclient.ErrUnreachable) || errors.Is(err, mcpclient.ErrSessionGone) ||
		errors.Is(err, mcpclient.ErrTooManyPrograms) || errors.Is(err, context.DeadlineExceeded)
}

// Fate is what became of a call that has no answer, for whoever made it: it was
// not sent, it was refused, or that is not known.
func (t Target) Fate(err error) string {
	var status *mcpclient.StatusError
	var told *Failure
	switch {
	case errors.As(err, &told):
		return told.Text
	case errors.Is(err, mcpclient.ErrUnderway):
		return t.unknown(err)
	case errors.Is(err, outbound.ErrForbidden): // what a redirect sends on was not done where it came from
		return t.Server.Label() + " is at an address, or redirects to one, that may not be called from here; the call was not made. Tell the administrator to enter its final address."
	case errors.As(err, &status) && status.Code/100 == 3:
		return fmt.Sprintf("%s sends calls on to another address (HTTP status %d), which is not followed: its URL here has to be the final one. The call was not carried out.", t.Server.Label(), status.Code)
	case errors.As(err, &status):
		return fmt.Sprintf("%s refused the call: HTTP status %d.", t.Server.Label(), status.Code)
	}
	return Unsent(err, t.Server.Label())
}

// unknown is for a call that the server may have carried out.
func (t Target) unknown(err error) string {
	var status *mcpclient.StatusError
	what, subject := " went away during the call", "it"
	switch {
	case errors.Is(err, mcpclient.ErrTooLarge):
		what, subject = " sent more than is taken here", "the call"
	case errors.As(err, &status):
		what, subject = fmt.Sprintf(" answered with HTTP status %d", status.Code), "the call"
	case errors.Is(err, mcpclient.ErrProtocol):
		what, subject = " answered with what cannot be read", "the call"
	case errors.Is(err, context.DeadlineExceeded):
		what, subject = " did not answer in time", "the call"
	}
	if t.Tool.Repeatable() {
		return t.Server.Label() + what + ". It may be called again."
	}
	return t.Server.Label() + what + ": whether " + subject + " was carried out is not known. Find out before you call it again."
}

// endless is for a call whose server asked too often, and may have done things
// between its questions.
func (t Target) endless() string {
	text := fmt.Sprintf("%s asked more than %d times in one call, which was given up", t.Server.Label(), maxRounds)
	if t.Tool.Repeatable() {
		return text + ". It may be called again."
	}
	return text + ": whether it was carried out is not known. Find out before you call it again."
}

// NotSent is why a call never was on its way. Of a fault of ours nobody is told more than
// its id, under which the log has the reason.
func (g *Calls) NotSent(ctx context.Context, err error, name string) *Failure {
	var told *Failure
	if !unavailable(err) || errors.As(err, &told) {
		return &Failure{Text: Unsent(err, name), Away: away(err), Cause: err}
	}
	id := mcptool.NewErrorID()
	g.opts.Logger.ErrorContext(ctx, "call not sent", "server", name, "errorId", id, "err", err)
	text := fmt.Sprintf("%s was not called because of a fault of %s, and the call was not sent: make the same call again later (%s).", name, g.here(), id)
	return &Failure{Text: text, Away: true, Cause: err, ErrorID: id}
}

// unavailable reports whether nothing was sent because a credential could not be looked
// up: that is the fault of the store or a secret, and not the server's.
func unavailable(err error) bool {
	return errors.Is(err, vault.ErrUnavailable) && !errors.Is(err, mcpclient.ErrUnderway)
}

// Unsent is NotSent in words, for who has no credential of ours to look up.
func Unsent(err error, name string) string {
	reason := Reason(err, name)
	if strings.HasPrefix(reason, name) {
		return strings.TrimSuffix(reason, ".") + "; the call was not sent."
	}
	return reason
}

// Reason is why a server cannot be spoken to, for people who do not run
// this gateway.
func Reason(err error, name string) string {
	var status *mcpclient.StatusError
	var provider *vault.ProviderError
	var told *Failure
	switch {
	case errors.As(err, &told):
		return told.Text
	case errors.Is(err, vault.ErrUnavailable):
		return name + " could not be called just now." // it was not asked
	case errors.Is(err, mcpclient.ErrTooLarge):
		return name + " sent more than is taken here."
	case errors.As(err, &provider):
		return provider.Error() // the server was not asked
	case errors.As(err, &status):
		return fmt.Sprintf("%s answers with HTTP status %d.", name, status.Code)
	case errors.Is(err, mcpclient.ErrProtocol):
		return name + " answers with what cannot be read."
	case errors.Is(err, mcpclient.ErrUnreachable), errors.Is(err, mcpclient.ErrSessionGone), errors.Is(err, context.DeadlineExceeded):
		return name + " cannot be reached just now."
	case errors.Is(err, mcpclient.ErrTooManyPrograms):
		return name + " cannot be used just now: too many programs run, and all are in use."
	case errors.Is(err, vault.ErrNoPerson), errors.Is(err, vault.ErrRequired):
		return err.Error()
	}
	return name + " could not be called just now."
}
