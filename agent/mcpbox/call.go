package mcpbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/outbound"
)

// round is how far a call is with a server that answers with questions.
type round struct {
	Number int    `json:"number"`
	State  string `json:"state,omitempty"` // the server's requestState
	URL    bool   `json:"url,omitempty"`   // the last questions came with -32042
	// Keys are the server's keys of the questions of this round, by ours.
	Keys map[string]string `json:"keys,omitempty"`
}

// maxRounds is how often a server may ask during one call.
const maxRounds = 20

// findOut is what a model is told of a call that may have been made.
const findOut = " Find out before you call it again."

// endless is the error of a call that asks more often than it may.
func (b *Box) endless() error {
	return &agent.PublicError{Text: fmt.Sprintf("%s asked more than %d times in one call, which was given up: whether it was carried out is not known.%s", b.opts.Name, maxRounds, findOut)}
}

// Call implements agent.Toolbox.
func (b *Box) Call(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
	var at round
	if len(c.State) > 0 {
		if err := json.Unmarshal(c.State, &at); err != nil {
			return agent.Result{}, err
		}
	}
	if refused, ok := at.refused(c); ok {
		return agent.Result{Failed: true, Text: refused}, nil
	}
	open, stop := b.alive(ctx)
	defer stop()
	m, asks, err := b.send(open, c, at)
	switch {
	case err != nil:
		return agent.Result{}, b.broken(ctx, c, at, err)
	case asks != nil:
		return agent.Result{}, b.pause(at, asks)
	case m.Error != nil:
		return agent.Result{Failed: true, Text: m.Error.Message}, nil
	}
	return b.resultOf(m.Result), nil
}

// visitTime is how long a person who went to a server's page may take there, and
// a server that only wants time may take.
const visitTime = 5 * time.Minute

// send makes the call. A server that only wants time gets some, and so does a
// person who is still at the page that the server sent them to.
func (b *Box) send(ctx context.Context, c *agent.Invocation, at round) (mcpclient.Message, *mcpclient.Round, error) {
	params, err := paramsOf(c, at.State, at.responses(c))
	if err != nil {
		return mcpclient.Message{}, nil, err
	}
	deadline := time.Now().Add(visitTime)
	for pause := 250 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		m, err := b.exchange(ctx, c, at.Number, params)
		if err != nil {
			return m, nil, err
		}
		asks, err := mcpclient.ReadRound(m)
		late := time.Now().After(deadline)
		switch {
		case err != nil || asks == nil:
			return m, nil, err
		case asks.Visit && (late || !at.visiting(asks)), !asks.Visit && len(asks.Questions) > 0:
			return m, asks, nil
		case late:
			return m, nil, &agent.PublicError{Text: b.opts.Name + " was not ready in time, and the call was given up: whether it was carried out is not known." + findOut}
		case !asks.Visit:
			if params, err = paramsOf(c, asks.State, nil); err != nil {
				return m, nil, err
			}
		}
		select {
		case <-ctx.Done():
			return m, nil, context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}

// paramsOf are the parameters of tools/call.
func paramsOf(c *agent.Invocation, state string, responses map[string]json.RawMessage) (json.RawMessage, error) {
	var wire bytes.Buffer
	e := json.NewEncoder(&wire)
	e.SetEscapeHTML(false) // the arguments go as they were shown
	err := e.Encode(struct {
		Name      string                     `json:"name"`
		Arguments json.RawMessage            `json:"arguments,omitempty"`
		State     string                     `json:"requestState,omitempty"`
		Responses map[string]json.RawMessage `json:"inputResponses,omitempty"`
	}{c.Tool.Name, c.Args, state, responses})
	return wire.Bytes(), err
}

// visiting reports whether a server asks for the pages that the person went to
// already.
func (at round) visiting(asks *mcpclient.Round) bool {
	for _, q := range asks.Questions {
		known := false
		for _, id := range at.Keys {
			known = known || id != "" && id == q.ID
		}
		if !known {
			return false
		}
	}
	return at.URL
}

// responses are the answers that the server waits for.
func (at round) responses(c *agent.Invocation) map[string]json.RawMessage {
	if at.URL || len(at.Keys) == 0 {
		return nil
	}
	all := map[string]json.RawMessage{}
	for ours, theirs := range at.Keys {
		if q, ok := c.Answers[ours]; ok {
			all[theirs] = mcpclient.Answer(string(q.Outcome.Action), q.Outcome.Content)
		}
	}
	return all
}

// refused says why a call does not go on after -32042: the person did not go.
func (at round) refused(c *agent.Invocation) (string, bool) {
	if !at.URL {
		return "", false
	}
	for ours := range at.Keys {
		if q, ok := c.Answers[ours]; ok && q.Outcome.Action != parley.Accept {
			return fmt.Sprintf("The call needs the user to visit a page first, and they did not (%s).", q.Outcome.Action), true
		}
	}
	return "", false
}

// pause makes questions of what a server asks: one of 2026-07-28 gets the answers
// when the call is made again, and with -32042 the call is made again once the
// person has been at its pages.
func (b *Box) pause(at round, asks *mcpclient.Round) error {
	next := round{Number: at.Number + 1, State: asks.State, URL: asks.Visit, Keys: map[string]string{}}
	if next.Number > maxRounds {
		return b.endless() // before anybody answers for nothing
	}
	questions := map[string]parley.Request{}
	for _, wire := range asks.Questions {
		q, err := b.question(wire)
		if err != nil {
			return err
		}
		ours, theirs := fmt.Sprintf("round%d.%s", next.Number, wire.Key), wire.Key
		if asks.Visit {
			ours, theirs = fmt.Sprintf("visit%d.%s", next.Number, wire.Key), wire.ID
		}
		next.Keys[ours], questions[ours] = theirs, q
	}
	return pauseWith(next, questions)
}

func pauseWith(at round, questions map[string]parley.Request) error {
	state, err := json.Marshal(at)
	if err != nil {
		return err
	}
	return &agent.Pause{Questions: questions, State: state}
}

// question is a server's question, in its own name.
func (b *Box) question(q mcpclient.Question) (parley.Request, error) {
	own := b.opts.PublicURL
	if q.Mode == "url" && mcpclient.SameSite(q.URL, own) && !mcpclient.SameSite(b.opts.URL, own) {
		return parley.Request{}, &agent.PublicError{Text: b.opts.Name + " sends the user to pages that are not its own; the call was given up."}
	}
	return parley.Request{From: b.opts.Name, Mode: parley.Mode(q.Mode), Message: q.Message, Schema: q.Schema, URL: q.URL, Trigger: parley.TriggerMCP}, nil
}

// broken asks for a credential that the server stopped taking, or says how the
// call failed.
func (b *Box) broken(ctx context.Context, c *agent.Invocation, at round, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var pause *agent.Pause
	if errors.Is(err, mcpclient.ErrUnderway) || !errors.As(b.pass(ctx, c.Caller, nil), &pause) {
		return b.explained(err)
	}
	// The server saw the request and refused it at the door: it is made again
	// with a new credential, once.
	next := round{Number: at.Number + 1, State: at.State, Keys: at.Keys, URL: at.URL}
	questions := map[string]parley.Request{}
	for key, q := range pause.Questions {
		again := key + "-again"
		if _, before := c.Answers[again]; before {
			return &agent.PublicError{Text: b.opts.Name + " does not accept the user's credential.", Cause: err}
		}
		questions[again] = q
	}
	return pauseWith(next, questions)
}

// explained is the error of a call for a model and its person: what happened, and
// whether the call may have been made.
func (b *Box) explained(err error) error {
	var public *agent.PublicError
	var asks *mcpclient.AskError
	switch {
	case errors.As(err, &public):
		return err
	case errors.As(err, &asks):
		return &agent.PublicError{Text: asks.Sentence(b.opts.Name), Cause: err}
	case errors.Is(err, outbound.ErrForbidden): // what a redirect sends on was not done where it came from
		return &agent.PublicError{Text: b.opts.Name + " is at an address, or redirects to one, that may not be called from here; the call was not made. Tell the administrator to enter its final address.", Cause: err}
	case !errors.Is(err, mcpclient.ErrUnderway):
		return &agent.PublicError{Text: b.opts.Name + b.untaken(err), Cause: err}
	}
	var status *mcpclient.StatusError
	text := " went away during the call: whether it was carried out is not known."
	switch {
	case errors.Is(err, mcpclient.ErrTooLarge):
		text = " sent more than this agent takes: whether the call was carried out is not known."
	case errors.Is(err, errLate):
		text = fmt.Sprintf(" has not answered for %v, and the call was given up: whether it was carried out is not known.", b.opts.CallTime)
	case errors.As(err, &status):
		text = fmt.Sprintf(" answers with HTTP status %d: whether the call was carried out is not known.", status.Code)
	case errors.Is(err, mcpclient.ErrProtocol):
		text = " answered with what cannot be read: whether the call was carried out is not known."
	}
	return &agent.PublicError{Text: b.opts.Name + text + findOut, Cause: err}
}

// untaken is what became of a call that the server did not take.
func (b *Box) untaken(err error) string {
	var status *mcpclient.StatusError
	switch {
	case errors.As(err, &status) && status.Code/100 == 3:
		return fmt.Sprintf(" sends calls on to another address (HTTP status %d), which is not followed; the call was not carried out. Tell the administrator to enter its final address.", status.Code)
	case errors.As(err, &status):
		return fmt.Sprintf(" answers with HTTP status %d; the call was not carried out.", status.Code)
	case errors.Is(err, mcpclient.ErrTooLarge), errors.Is(err, mcpclient.ErrProtocol):
		return b.unusable(err) + "; the call was not sent."
	case errors.Is(err, errLate):
		return fmt.Sprintf(" could not be reached for %v; the call was not sent.", b.opts.CallTime)
	}
	return " cannot be reached just now; the call was not sent."
}

// unusable is what a server said that is of no use.
func (b *Box) unusable(err error) string {
	if errors.Is(err, mcpclient.ErrTooLarge) {
		return " sent more than this agent takes"
	}
	return " answered with what cannot be read"
}
