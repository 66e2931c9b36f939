package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// legacy asks on the open call.
type legacy struct {
	book *book
	url  string
}

func newLegacy(b *book, url string) *mcp.Server {
	l := &legacy{book: b, url: url}
	server := mcp.NewServer(&mcp.Implementation{Name: "upstream-legacy", Version: "1.0.0"}, &mcp.ServerOptions{
		SupportedProtocolVersions: []string{"2025-11-25", "2025-06-18"},
	})
	add := func(name, description string, run func(context.Context, *mcp.CallToolRequest, string) (string, error)) {
		mcp.AddTool(server, &mcp.Tool{Name: name, Description: description},
			func(ctx context.Context, req *mcp.CallToolRequest, in call) (*mcp.CallToolResult, any, error) {
				b.began(in.Token)
				said, err := run(ctx, req, in.Token)
				if err != nil {
					return nil, nil, err
				}
				return text(said), nil, nil
			})
	}
	add("plain", "Asks nothing.", l.plain)
	add("form", "Asks for a name.", l.form)
	add("consent", "Asks for a yes, with a form that has defaults.", l.consent)
	add("url", "Sends the person to a page.", l.visit)
	add("required", "Fails with -32042 until the person has been at a page.", l.required)
	add("rounds", "Asks for a name, then for a color.", l.rounds)
	add("patient", "Asks for a name, but does not wait for ever.", l.patient)
	addSlow(server, b)
	return server
}

func (l *legacy) plain(_ context.Context, _ *mcp.CallToolRequest, token string) (string, error) {
	l.book.ended(token, "accept")
	return "plain " + token, nil
}

func (l *legacy) form(ctx context.Context, req *mcp.CallToolRequest, token string) (string, error) {
	answer, err := req.Session.Elicit(ctx, askName(token))
	if err != nil {
		return "", err
	}
	l.book.ended(token, answer.Action)
	return summary("form", answer), nil
}

func (l *legacy) consent(ctx context.Context, req *mcp.CallToolRequest, token string) (string, error) {
	answer, err := req.Session.Elicit(ctx, askConsent(token))
	if err != nil {
		return "", err
	}
	l.book.ended(token, answer.Action)
	return summary("consent", answer), nil
}

func (l *legacy) visit(ctx context.Context, req *mcp.CallToolRequest, token string) (string, error) {
	answer, err := req.Session.Elicit(ctx, l.page(token))
	if err != nil {
		return "", err
	}
	l.book.ended(token, answer.Action)
	return summary("url", answer), nil
}

// page asks the person to visit a page of this server.
func (l *legacy) page(token string) *mcp.ElicitParams {
	p := askVisit(l.url, token)
	p.ElicitationID = "visit-" + token
	return p
}

func (l *legacy) required(_ context.Context, _ *mcp.CallToolRequest, token string) (string, error) {
	if !l.book.visited(token) {
		return "", mcp.URLElicitationRequiredError([]*mcp.ElicitParams{l.page(token)})
	}
	l.book.ended(token, "accept")
	return "required " + token, nil
}

func (l *legacy) rounds(ctx context.Context, req *mcp.CallToolRequest, token string) (string, error) {
	name, err := req.Session.Elicit(ctx, askName(token))
	if err != nil {
		return "", err
	}
	if name.Action != "accept" {
		l.book.ended(token, name.Action)
		return summary("rounds", name), nil
	}
	color, err := req.Session.Elicit(ctx, askColor(token, fmt.Sprint(name.Content["name"])))
	if err != nil {
		return "", err
	}
	l.book.ended(token, color.Action)
	return summary("rounds", name, color), nil
}

func (l *legacy) patient(ctx context.Context, req *mcp.CallToolRequest, token string) (string, error) {
	limited, cancel := l.book.limited(ctx, token)
	defer cancel()
	answer, err := req.Session.Elicit(limited, askName(token))
	switch {
	case l.book.late(token):
		return "", errors.New(tooLate + token)
	case err != nil:
		return "", err
	}
	l.book.ended(token, answer.Action)
	return summary("patient", answer), nil
}
