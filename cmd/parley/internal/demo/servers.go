package demo

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/demoprovider"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

// ticket is one of a person's tickets.
type ticket struct {
	Number int
	Title  string
	Open   bool
}

// tracker keeps tickets for whoever has a token of theirs.
type tracker struct {
	mu      sync.Mutex
	tickets map[string][]ticket
}

type nothing struct{}

type number struct {
	Number int `json:"number" jsonschema:"the ticket's number"`
}

func (t *tracker) of(user string) []ticket {
	if t.tickets == nil {
		t.tickets = map[string][]ticket{}
	}
	if t.tickets[user] == nil {
		t.tickets[user] = []ticket{{7, "The coffee machine is out of order", true}, {9, "Order pens", true}}
	}
	return t.tickets[user]
}

func (t *tracker) list(_ context.Context, r *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var lines []string
	for _, one := range t.of(user(r)) {
		state := "closed"
		if one.Open {
			state = "open"
		}
		lines = append(lines, fmt.Sprintf("Ticket %d (%s): %s", one.Number, state, one.Title))
	}
	return text(strings.Join(lines, "\n")), nil, nil
}

func (t *tracker) close(_ context.Context, r *mcp.CallToolRequest, in number) (*mcp.CallToolResult, any, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := t.of(user(r))
	i := slices.IndexFunc(all, func(one ticket) bool { return one.Number == in.Number })
	if i < 0 {
		return nil, nil, fmt.Errorf("there is no ticket %d", in.Number)
	}
	all[i].Open = false
	return text(fmt.Sprintf("Ticket %d is closed.", in.Number)), nil, nil
}

func user(r *mcp.CallToolRequest) string {
	if r.Extra != nil && r.Extra.TokenInfo != nil {
		return r.Extra.TokenInfo.UserID
	}
	return ""
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

// trackerHandler is an MCP server that needs the person's own token; it counts
// the requests that come without one.
func trackerHandler(provider *demoprovider.Provider, naked *atomic.Int64) http.Handler {
	t := &tracker{}
	s := mcp.NewServer(&mcp.Implementation{Name: "tracker", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{
		Name: "list_tickets", Title: "List tickets", Description: "Lists the user's tickets.", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, t.list)
	mcp.AddTool(s, &mcp.Tool{Name: "close_ticket", Title: "Close a ticket", Description: "Closes one ticket by its number."}, t.close)
	verify := func(ctx context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		info, err := provider.Introspect(ctx, token)
		if err != nil || !info.Active {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: info.User, Expiration: info.Expires}, nil
	}
	guarded := auth.RequireBearerToken(verify, nil)(bothEras(s))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "" {
			naked.Add(1)
		}
		guarded.ServeHTTP(w, r)
	})
}

// bothEras serves clients of every protocol revision on one URL.
func bothEras(s *mcp.Server) http.Handler {
	get := func(*http.Request) *mcp.Server { return s }
	stateful := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{SessionTimeout: 10 * time.Minute})
	stateless := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("MCP-Protocol-Version") >= mcpclient.ModernVersion {
			stateless.ServeHTTP(w, r)
			return
		}
		stateful.ServeHTTP(w, r)
	})
}

type order struct {
	Item     string `json:"item" jsonschema:"what to order"`
	Quantity int    `json:"quantity"`
}

// shopHandler is an MCP server whose tool a person has to approve.
func shopHandler() http.Handler {
	s := mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "order", Title: "Place an order", Description: "Orders office supplies: pens, paper, coffee. Costs money."},
		func(_ context.Context, _ *mcp.CallToolRequest, in order) (*mcp.CallToolResult, any, error) {
			return text(fmt.Sprintf("Ordered (%d): %s.", in.Quantity, in.Item)), nil, nil
		})
	return bothEras(s)
}

// trip is a form with a field of every kind.
type trip struct {
	To       string   `json:"to" form:"title=Where to,minLength=2,maxLength=60"`
	Day      string   `json:"day" form:"title=Day,format=date"`
	Email    string   `json:"email" form:"title=Send the ticket to,format=email"`
	Travel   int      `json:"travellers" form:"title=Travellers,minimum=1,maximum=9,default=1"`
	Class    string   `json:"class" form:"title=Class,enum=second|first,titles=Second class|First class,default=second"`
	Extras   []string `json:"extras,omitempty" form:"title=Extras,enum=bike|dog|lunch,titles=A bicycle|A dog|Lunch"`
	Flexible bool     `json:"flexible,omitempty" form:"title=Flexible ticket"`
}

// travelHandler is an MCP server that asks with forms.
func travelHandler(hub *parley.Hub, secret string) (http.Handler, error) {
	asker, err := mcptool.New(hub, &mcptool.Options{Service: "travel", Secrets: []string{secret}, TTL: 10 * time.Minute})
	if err != nil {
		return nil, err
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "travel", Version: "1"}, nil)
	mcptool.AddTool(asker, s, &mcp.Tool{Name: "book_trip", Title: "Book a trip", Description: "Books a train trip; asks for the details."},
		func(ctx context.Context, call *mcptool.Call, _ nothing) (map[string]any, error) {
			answer, err := mcptool.Elicit[trip](ctx, call, "Where would you like to go?", nil)
			if err != nil {
				return nil, err
			}
			if answer.Action != parley.Accept {
				return map[string]any{"booked": false, "why": "the traveller said " + string(answer.Action)}, nil
			}
			return map[string]any{"booked": true, "to": answer.Content.To, "day": answer.Content.Day, "travellers": answer.Content.Travel}, nil
		})
	return mcphttp.New(asker, s, nil), nil
}

type shelf struct {
	Shelf string `json:"shelf" form:"title=Which shelf,enum=history|science|cooking"`
}

// libraryHandler is the researcher's server; it asks too.
func libraryHandler(hub *parley.Hub, secret string) (http.Handler, error) {
	asker, err := mcptool.New(hub, &mcptool.Options{Service: "library", Secrets: []string{secret}, TTL: 10 * time.Minute})
	if err != nil {
		return nil, err
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "library", Version: "1"}, nil)
	type topic struct {
		Topic string `json:"topic"`
	}
	mcptool.AddTool(asker, s, &mcp.Tool{Name: "look_up", Title: "Look something up", Description: "Looks up a topic: research, ask, books about anything."},
		func(ctx context.Context, call *mcptool.Call, in topic) (map[string]any, error) {
			answer, err := mcptool.Elicit[shelf](ctx, call, "On which shelf shall I look?", nil)
			if err != nil {
				return nil, err
			}
			if answer.Action != parley.Accept {
				return map[string]any{"found": false}, nil
			}
			return map[string]any{"found": true, "shelf": answer.Content.Shelf, "book": "A short book about it"}, nil
		})
	return mcphttp.New(asker, s, nil), nil
}
