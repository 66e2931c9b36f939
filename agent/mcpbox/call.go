package mcpbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// round is how far a call is with a server that answers with questions.
type round struct {
	Number int    `json:"number"`
	State  string `json:"state,omitempty"` // the server's requestState
	URL    bool   `json:"url,omitempty"`   // the last questions came with -32042
	// Keys are the server's keys of the questions of this round, by ours.
	Keys map[string]string `json:"keys,omitempty"`
}

const maxRounds = 20

// Call implements agent.Toolbox.
func (b *Box) Call(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
	var at round
	if len(c.State) > 0 {
		if err := json.Unmarshal(c.State, &at); err != nil {
			return agent.Result{}, err
		}
	}
	if at.Number > maxRounds {
		return agent.Result{Failed: true, Text: b.opts.Name + " asks without end; the call was given up."}, nil
	}
	if refused, ok := at.refused(c); ok {
		return agent.Result{Failed: true, Text: refused}, nil
	}
	asked := 0
	s, err := b.checkOut(ctx, c.Caller, func(ctx context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
		asked++
		return b.inLine(ctx, c, fmt.Sprintf("line%d.%d", at.Number, asked), p)
	})
	if err != nil {
		return agent.Result{}, b.broken(ctx, c, at, err)
	}
	result, err := b.send(ctx, s, c, at)
	if err == nil || isProtocol(err) {
		b.checkIn(s)
	} else {
		_ = s.discard()
	}
	if err != nil {
		return b.refusal(ctx, c, at, err)
	}
	if result.NeedsInput() {
		return agent.Result{}, b.pause(at, result)
	}
	return resultOf(result), nil
}

// visitTime is how long a person who went to a server's page may take there.
const visitTime = 5 * time.Minute

// send makes the call. A server that only wants time gets some, and so does a
// person who is still at the page that the server sent them to.
func (b *Box) send(ctx context.Context, s *session, c *agent.Invocation, at round) (*mcp.CallToolResult, error) {
	params := &mcp.CallToolParams{Name: c.Tool.Name, Arguments: c.Args, RequestState: at.State, InputResponses: at.responses(c)}
	deadline := time.Now().Add(visitTime)
	for pause := 250 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		result, err := s.CallTool(ctx, params)
		switch {
		case err != nil && (!at.visiting(err) || time.Now().After(deadline)):
			return nil, err
		case err == nil && (!result.NeedsInput() || len(result.InputRequests) > 0):
			return result, nil
		case err == nil:
			params.RequestState, params.InputResponses = result.RequestState, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// visiting reports whether err asks for the pages that the person went to
// already.
func (at round) visiting(err error) bool {
	wanted := visits(err)
	for _, p := range wanted {
		known := false
		for _, id := range at.Keys {
			known = known || id != "" && id == p.ElicitationID
		}
		if !known {
			return false
		}
	}
	return at.URL && len(wanted) > 0
}

// visits are the pages that an error -32042 names.
func visits(err error) []*mcp.ElicitParams {
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) || wire.Code != mcp.CodeURLElicitationRequired {
		return nil
	}
	var data struct {
		Elicitations []*mcp.ElicitParams `json:"elicitations"`
	}
	if json.Unmarshal(wire.Data, &data) != nil {
		return nil
	}
	return data.Elicitations
}

// responses are the answers that the server waits for.
func (at round) responses(c *agent.Invocation) mcp.InputResponseMap {
	if at.URL || len(at.Keys) == 0 {
		return nil
	}
	all := mcp.InputResponseMap{}
	for ours, theirs := range at.Keys {
		if q, ok := c.Answers[ours]; ok {
			all[theirs] = elicitResult(*q.Outcome)
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

// pause makes questions of what a server of 2026-07-28 asks.
func (b *Box) pause(at round, result *mcp.CallToolResult) error {
	next := round{Number: at.Number + 1, State: result.RequestState, Keys: map[string]string{}}
	questions := map[string]parley.Request{}
	for theirs, wanted := range result.InputRequests {
		params, ok := wanted.(*mcp.ElicitParams)
		if !ok {
			return &agent.PublicError{Text: b.opts.Name + " asks for something that this client does not offer."}
		}
		q, err := b.question(params)
		if err != nil {
			return err
		}
		ours := fmt.Sprintf("round%d.%s", next.Number, theirs)
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
func (b *Box) question(p *mcp.ElicitParams) (parley.Request, error) {
	q := parley.Request{From: b.opts.Name, Message: p.Message, Trigger: parley.TriggerMCP}
	if p.Mode == "url" {
		q.Mode, q.URL = parley.URL, p.URL
		return q, nil
	}
	schema, err := json.Marshal(p.RequestedSchema)
	if err != nil {
		return q, err
	}
	if string(schema) != "null" {
		q.Schema = schema
	}
	return q, nil
}

// inLine asks while an older server waits.
func (b *Box) inLine(ctx context.Context, c *agent.Invocation, key string, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	q, err := b.question(p)
	if err != nil {
		return nil, err
	}
	outcome, err := c.Ask(ctx, key, q)
	if err != nil {
		return nil, err
	}
	return elicitResult(outcome), nil
}

// elicitResult is an outcome as MCP has it: what nobody answered is a cancel.
func elicitResult(o parley.Outcome) *mcp.ElicitResult {
	r := &mcp.ElicitResult{Action: string(o.Action)}
	switch o.Action {
	case parley.Accept:
		if len(o.Content) > 0 {
			_ = json.Unmarshal(o.Content, &r.Content) // it was checked when it was given
		}
	case parley.Expire:
		r.Action = "cancel"
	}
	return r
}

// refusal is an error of the server: a page to visit first, a credential that
// it does not take, or a failure.
func (b *Box) refusal(ctx context.Context, c *agent.Invocation, at round, err error) (agent.Result, error) {
	var wire *jsonrpc.Error
	if isProtocol(err) && errors.As(err, &wire) {
		if wire.Code == mcp.CodeURLElicitationRequired {
			return agent.Result{}, b.visit(at, wire)
		}
		return agent.Result{Failed: true, Text: wire.Message}, nil
	}
	return agent.Result{}, b.broken(ctx, c, at, err)
}

// broken asks for a credential that the server stopped taking, or reports that
// it cannot be reached.
func (b *Box) broken(ctx context.Context, c *agent.Invocation, at round, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var pause *agent.Pause
	if pass := b.pass(ctx, c.Caller, nil); errors.As(pass, &pause) {
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
	return &agent.PublicError{Text: b.opts.Name + " cannot be reached just now.", Cause: err}
}

// visit makes questions of the pages that a server wants the person to visit
// before the call is made again (-32042).
func (b *Box) visit(at round, wire *jsonrpc.Error) error {
	pages := visits(wire)
	if len(pages) == 0 {
		return &agent.PublicError{Text: b.opts.Name + " wants the user to visit a page, and does not say which.", Cause: wire}
	}
	next := round{Number: at.Number + 1, URL: true, Keys: map[string]string{}}
	questions := map[string]parley.Request{}
	for i, p := range pages {
		q, err := b.question(p)
		if err != nil {
			return err
		}
		ours := fmt.Sprintf("visit%d.%d", next.Number, i)
		next.Keys[ours], questions[ours] = p.ElicitationID, q
	}
	return pauseWith(next, questions)
}

// codeRejected is what the SDK calls an error of the transport, in the form of
// one of the protocol.
const codeRejected = -32005

func isProtocol(err error) bool {
	var wire *jsonrpc.Error
	return errors.As(err, &wire) && wire.Code != codeRejected
}

// resultOf is a result for a model: its texts, and a word for what it cannot
// see.
func resultOf(r *mcp.CallToolResult) agent.Result {
	var texts []string
	for _, content := range r.Content {
		switch c := content.(type) {
		case *mcp.TextContent:
			texts = append(texts, c.Text)
		case *mcp.ResourceLink:
			texts = append(texts, c.URI)
		case *mcp.EmbeddedResource:
			if c.Resource != nil && c.Resource.Text != "" {
				texts = append(texts, c.Resource.Text)
			}
		case *mcp.ImageContent:
			texts = append(texts, "("+c.MIMEType+" image)")
		case *mcp.AudioContent:
			texts = append(texts, "("+c.MIMEType+" sound)")
		}
	}
	result := agent.Result{Text: strings.Join(texts, "\n"), Failed: r.IsError}
	if r.StructuredContent != nil {
		if data, err := json.Marshal(r.StructuredContent); err == nil {
			result.Structured = data
			if result.Text == "" {
				result.Text = string(data)
			}
		}
	}
	return result
}
