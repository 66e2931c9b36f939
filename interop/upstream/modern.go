package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// modern returns its questions, and goes on when the call comes back with the
// answers. A requestState is good for one retry: a client that sends the same
// round twice is told so.
type modern struct {
	book *book
	url  string
}

// answerKey is the name of every question: there is one in a round.
const answerKey = "answer"

func newModern(b *book, url string) *mcp.Server {
	m := &modern{book: b, url: url}
	server := mcp.NewServer(&mcp.Implementation{Name: "upstream-modern", Version: "1.0.0"}, &mcp.ServerOptions{
		SupportedProtocolVersions: []string{"2026-07-28"},
	})
	add := func(name, description string, run func(round, *mcp.ElicitResult) (*mcp.ElicitParams, round, string, error)) {
		mcp.AddTool(server, &mcp.Tool{Name: name, Description: description},
			func(_ context.Context, req *mcp.CallToolRequest, in call) (*mcp.CallToolResult, any, error) {
				r, answer, err := m.enter(req, in.Token)
				if err != nil {
					return nil, nil, err
				}
				question, next, said, err := run(r, answer)
				if err != nil {
					return nil, nil, err
				}
				if question == nil {
					return text(said), nil, nil
				}
				return m.ask(req, question, next)
			})
	}
	add("plain", "Asks nothing.", m.plain)
	add("form", "Asks for a name.", m.form)
	add("consent", "Asks for a yes, with a form that has defaults.", m.consent)
	add("url", "Sends the person to a page.", m.visit)
	add("rounds", "Asks for a name, then for a color.", m.rounds)
	add("patient", "Asks for a name, but does not wait for ever.", m.patient)
	addSlow(server, b)
	return server
}

// enter finds out where a call is. A first call has no requestState.
func (m *modern) enter(req *mcp.CallToolRequest, token string) (round, *mcp.ElicitResult, error) {
	m.book.began(token)
	if req.Params.RequestState == "" {
		if len(req.Params.InputResponses) > 0 {
			return round{}, nil, errors.New("answers without a requestState")
		}
		return round{tool: req.Params.Name, token: token}, nil, nil
	}
	r, ok := m.book.redeem(req.Params.RequestState)
	if !ok || r.tool != req.Params.Name || r.token != token {
		return round{}, nil, errors.New("this requestState is not for this call, or was used")
	}
	answer, ok := req.Params.InputResponses[answerKey].(*mcp.ElicitResult)
	if !ok || len(req.Params.InputResponses) != 1 {
		return round{}, nil, fmt.Errorf("want one answer, have %v", req.Params.InputResponses)
	}
	return r, answer, nil
}

// ask returns a question, if the client of this request can ask it.
func (m *modern) ask(req *mcp.CallToolRequest, question *mcp.ElicitParams, next round) (*mcp.CallToolResult, any, error) {
	if mode := lacks(req.ClientCapabilities(), question); mode != "" {
		return nil, nil, &jsonrpc.Error{
			Code: -32021, Message: "this tool asks, and the client cannot",
			Data: json.RawMessage(`{"requiredCapabilities":{"elicitation":{"` + mode + `":{}}}}`),
		}
	}
	return &mcp.CallToolResult{
		InputRequests: mcp.InputRequestMap{answerKey: question},
		RequestState:  m.book.mint(next),
	}, nil, nil
}

// lacks returns the mode of a question that a client cannot ask. One that
// declares no mode can ask forms.
func lacks(can *mcp.ClientCapabilities, question *mcp.ElicitParams) string {
	var e mcp.ElicitationCapabilities
	declared := can != nil && can.Elicitation != nil
	if declared {
		e = *can.Elicitation
	}
	switch {
	case question.Mode == "url" && e.URL == nil:
		return "url"
	case question.Mode != "url" && (!declared || e.Form == nil && e.URL != nil):
		return "form"
	}
	return ""
}

func (m *modern) plain(r round, _ *mcp.ElicitResult) (*mcp.ElicitParams, round, string, error) {
	m.book.ended(r.token, "accept")
	return nil, r, "plain " + r.token, nil
}

func (m *modern) form(r round, answer *mcp.ElicitResult) (*mcp.ElicitParams, round, string, error) {
	if answer == nil {
		return askName(r.token), r, "", nil
	}
	m.book.ended(r.token, answer.Action)
	return nil, r, summary("form", answer), nil
}

func (m *modern) consent(r round, answer *mcp.ElicitResult) (*mcp.ElicitParams, round, string, error) {
	if answer == nil {
		return askConsent(r.token), r, "", nil
	}
	m.book.ended(r.token, answer.Action)
	return nil, r, summary("consent", answer), nil
}

func (m *modern) visit(r round, answer *mcp.ElicitResult) (*mcp.ElicitParams, round, string, error) {
	if answer == nil {
		return askVisit(m.url, r.token), r, "", nil
	}
	m.book.ended(r.token, answer.Action)
	return nil, r, summary("url", answer), nil
}

func (m *modern) rounds(r round, answer *mcp.ElicitResult) (*mcp.ElicitParams, round, string, error) {
	switch {
	case answer == nil:
		return askName(r.token), r, "", nil
	case r.stage == 0 && answer.Action == "accept":
		r.stage, r.name = 1, fmt.Sprint(answer.Content["name"])
		return askColor(r.token, r.name), r, "", nil
	}
	m.book.ended(r.token, answer.Action)
	if r.stage == 0 {
		return nil, r, summary("rounds", answer), nil
	}
	name := &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": r.name}}
	return nil, r, summary("rounds", name, answer), nil
}

func (m *modern) patient(r round, answer *mcp.ElicitResult) (*mcp.ElicitParams, round, string, error) {
	switch {
	case answer == nil:
		return askName(r.token), r, "", nil
	case m.book.late(r.token):
		return nil, r, "", errors.New(tooLate + r.token)
	}
	m.book.ended(r.token, answer.Action)
	return nil, r, summary("patient", answer), nil
}
