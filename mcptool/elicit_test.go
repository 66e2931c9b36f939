package mcptool_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

type confirm struct {
	Confirmed bool   `json:"confirmed" jsonschema:"Confirm deletion"`
	Reason    string `json:"reason,omitempty"`
}

type deleted struct {
	Status    string `json:"status"`
	Confirmed bool   `json:"confirmed"`
	Reason    string `json:"reason,omitempty"`
}

type account struct {
	UserID string `json:"userId"`
}

// addDelete adds a tool that asks before it deletes.
func addDelete(s *site, opts *mcptool.ElicitOptions) *atomic.Int64 {
	runs := new(atomic.Int64)
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "delete-account"}, func(ctx context.Context, call *mcptool.Call, in account) (deleted, error) {
		runs.Add(1)
		answer, err := mcptool.Elicit[confirm](ctx, call, "Delete account "+in.UserID+"?", opts)
		if err != nil {
			return deleted{}, err
		}
		return deleted{string(answer.Action), answer.Content.Confirmed, answer.Content.Reason}, nil
	})
	return runs
}

func inEveryEra(t *testing.T, test func(t *testing.T, era string)) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) { test(t, era) })
	}
}

func TestAToolAsksAndGetsTheAnswer(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{})
		addDelete(s, nil)
		var shown *mcp.ElicitParams
		c := s.connect(t, clientOptions{era: era, person: func(_ context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			shown = p
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirmed": true, "reason": "old"}}, nil
		}})
		got := structured[deleted](t, call(t, c, "delete-account", account{"7"}))
		if want := (deleted{"accept", true, "old"}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if shown.Message != "Delete account 7?" || shown.ElicitationID != "" {
			t.Errorf("shown %+v", shown)
		}
		for _, action := range []string{"decline", "cancel"} {
			c := s.connect(t, clientOptions{era: era, person: say(action)})
			if got := structured[deleted](t, call(t, c, "delete-account", account{"8"})); got.Status != action || got.Confirmed {
				t.Errorf("%s: got %+v", action, got)
			}
		}
		noJournalLeft(t, s)
	})
}

// noJournalLeft checks that finished calls leave nothing behind.
func noJournalLeft(t *testing.T, s *site) {
	t.Helper()
	for _, tenant := range []string{"default", ""} {
		left, err := s.store.Scan(t.Context(), parley.Address{Tenant: tenant, Kind: "mcp.call"}, "", 0)
		if err != nil || len(left) != 0 {
			t.Errorf("%d journals left, %v", len(left), err)
		}
	}
}

type name struct {
	Name string `json:"name"`
}

type colour struct {
	Colour string `json:"colour" form:"enum=red|green|blue"`
}

func TestAnyNumberOfRoundsAndModes(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{})
		var charges atomic.Int64
		mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "wizard"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
			var said []string
			if call.Supports(parley.URL) {
				link, err := mcptool.ElicitURL(ctx, call, "Connect", "https://example.com/connect?id={elicitation_id}", &mcptool.URLOptions{Consent: true})
				if err != nil {
					return "", err
				}
				said = append(said, string(link.Action))
			}
			who, err := mcptool.Elicit[name](ctx, call, "Your name?", nil)
			if err != nil {
				return "", err
			}
			if err := call.Once(ctx, "charge", func(context.Context) error { charges.Add(1); return nil }); err != nil {
				return "", err
			}
			for _, again := range []string{"first", "second", "third"} {
				which, err := mcptool.Elicit[colour](ctx, call, who.Content.Name+"'s "+again+" colour?", nil)
				if err != nil {
					return "", err
				}
				said = append(said, which.Content.Colour)
			}
			return strings.Join(said, " "), nil
		})
		colours := []string{"red", "green", "blue"}
		c := s.connect(t, clientOptions{era: era, person: func(_ context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			switch {
			case p.Mode == "url":
				legacy := era != modern
				if !strings.HasPrefix(p.URL, "https://example.com/connect?id=") || (p.ElicitationID != "") != legacy {
					t.Errorf("asked %+v", p)
				}
				return &mcp.ElicitResult{Action: "accept"}, nil
			case p.Message == "Your name?":
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
			}
			next := colours[0]
			colours = colours[1:]
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"colour": next}}, nil
		}})
		if got := structured[string](t, call(t, c, "wizard", nil)); got != "accept red green blue" {
			t.Errorf("got %q", got)
		}
		if charges.Load() != 1 {
			t.Errorf("charged %d times", charges.Load())
		}
		noJournalLeft(t, s)
	})
}

func TestSeveralQuestionsInOneRound(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{})
		runs := 0
		mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "both"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
			runs++
			var who mcptool.Answer[name]
			var which mcptool.Answer[colour]
			err := mcptool.Together(ctx, call,
				func(ctx context.Context, call *mcptool.Call) (err error) {
					who, err = mcptool.Elicit[name](ctx, call, "Your name?", nil)
					return err
				},
				func(ctx context.Context, call *mcptool.Call) (err error) {
					which, err = mcptool.Elicit[colour](ctx, call, "Your colour?", nil)
					return err
				})
			return who.Content.Name + " " + which.Content.Colour, err
		})
		// Each question is answered only once the other has been shown.
		shown := make(chan struct{}, 2)
		both := make(chan struct{})
		go func() {
			<-shown
			<-shown
			close(both)
		}()
		c := s.connect(t, clientOptions{era: era, person: func(_ context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			shown <- struct{}{}
			<-both
			if p.Message == "Your name?" {
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
			}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"colour": "red"}}, nil
		}})
		if got := structured[string](t, call(t, c, "both", nil)); got != "Ada red" {
			t.Errorf("got %q", got)
		}
		if era == modern && runs != 2 {
			t.Errorf("the handler ran %d times; want one round", runs)
		}
	})
}

func TestAHandlerThatSwallowsTheSuspensionIsSuspendedAllTheSame(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "rude"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
		answer, err := mcptool.Elicit[confirm](ctx, call, "Sure?", nil)
		if err != nil {
			return "went on without an answer", nil
		}
		return "confirmed " + string(answer.Action), nil
	})
	c := s.connect(t, clientOptions{era: modern, person: accept(map[string]any{"confirmed": true})})
	if got := structured[string](t, call(t, c, "rude", nil)); got != "confirmed accept" {
		t.Errorf("got %q", got)
	}
}

func TestNobodyAnswersInTime(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{Hold: 10 * time.Millisecond})
		addDelete(s, &mcptool.ElicitOptions{TTL: 30 * time.Millisecond})
		c := s.connect(t, clientOptions{era: era, person: func(ctx context.Context, _ *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			select {
			case <-ctx.Done():
			case <-time.After(60 * time.Millisecond):
			}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirmed": true}}, nil
		}})
		r := call(t, c, "delete-account", account{"7"})
		if !r.IsError || r.Meta["code"] != mcptool.TimeoutCode || r.Meta["elicitId"] == "" || r.Meta["ttl"] != 30.0 {
			t.Errorf("result %+v", r)
		}
	})
}

func TestContentThatDoesNotFitNeverReachesTheTool(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{})
		mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "age"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (int, error) {
			answer, err := mcptool.ElicitRaw(ctx, call, "Your age?", []byte(`{"type":"object","properties":{"age":{"type":"integer","minimum":18}},"required":["age"]}`), nil)
			if err != nil {
				return 0, err
			}
			t.Errorf("the tool got %s", answer.Content)
			return 0, nil
		})
		asked := 0
		c := s.connect(t, clientOptions{era: era, manual: era == modern, person: accept(map[string]any{"age": 7})})
		if era != modern {
			// The Go client checks answers itself; what the server does with a bad
			// one is tested with clients that do not.
			return
		}
		params := &mcp.CallToolParams{Name: "age"}
		for range 3 {
			r, err := c.CallTool(t.Context(), params)
			if err != nil {
				t.Fatal(err)
			}
			asked++
			q := r.InputRequests["q1"].(*mcp.ElicitParams)
			if asked > 1 && !strings.Contains(q.Message, "at least 18") {
				t.Errorf("asked again with %q", q.Message)
			}
			params = &mcp.CallToolParams{Name: "age", RequestState: r.RequestState, InputResponses: mcp.InputResponseMap{
				"q1": &mcp.ElicitResult{Action: "accept", Content: map[string]any{"age": 7}},
			}}
		}
	})
}

func TestRequestStateIsForItsCallOnly(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	runs := addDelete(s, nil)
	options := clientOptions{era: modern, manual: true, user: "alice", person: accept(nil)}
	alice := s.connect(t, options)
	options.user = "bob"
	bob := s.connect(t, options)
	options.user = ""
	nobody := s.connect(t, options)
	first := call(t, alice, "delete-account", account{"7"})
	if !first.NeedsInput() || first.RequestState == "" {
		t.Fatalf("result %+v", first)
	}
	yes := mcp.InputResponseMap{"q1": &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirmed": true}}}
	ran := runs.Load()
	for name, bad := range map[string]struct {
		client *mcp.ClientSession
		args   account
		state  string
	}{
		"forged":          {alice, account{"7"}, first.RequestState + "A"},
		"made up":         {alice, account{"7"}, "state"},
		"other person":    {bob, account{"7"}, first.RequestState},
		"nobody":          {nobody, account{"7"}, first.RequestState},
		"other arguments": {alice, account{"8"}, first.RequestState},
	} {
		_, err := bad.client.CallTool(t.Context(), &mcp.CallToolParams{Name: "delete-account", Arguments: bad.args, RequestState: bad.state, InputResponses: yes})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("%s: %v", name, err)
		}
	}
	if runs.Load() != ran {
		t.Error("a refused retry ran the tool")
	}
	retry := &mcp.CallToolParams{Name: "delete-account", Arguments: account{"7"}, RequestState: first.RequestState, InputResponses: yes}
	result, err := alice.CallTool(t.Context(), retry)
	if err != nil {
		t.Fatal(err)
	}
	if got := structured[deleted](t, result); !got.Confirmed {
		t.Errorf("got %+v", got)
	}
	if _, err := alice.CallTool(t.Context(), retry); err == nil {
		t.Error("a replayed state was taken")
	}
}

func TestAClientThatCannotAskIsDeniedByDefault(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{})
		addDelete(s, nil)
		c := s.connect(t, clientOptions{era: era})
		r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "delete-account", Arguments: account{"7"}})
		if era == modern {
			var wire *jsonrpc.Error
			if !errors.As(err, &wire) || wire.Code != mcptool.CodeMissingCapability || !strings.Contains(string(wire.Data), `"requiredCapabilities":{"elicitation":{"form":{}}}`) {
				t.Errorf("error %v", err)
			}
			return
		}
		if err != nil || !r.IsError || r.Meta["code"] != mcptool.NotSupportedCode {
			t.Errorf("result %+v, %v", r, err)
		}
	})
}

func TestAllowGoesOnAsIfAccepted(t *testing.T) {
	s := newSite(t, mcptool.Options{Fallback: mcptool.Allow})
	addDelete(s, nil)
	c := s.connect(t, clientOptions{era: "2025-11-25"})
	if got := structured[deleted](t, call(t, c, "delete-account", account{"7"})); got.Status != "accept" || !got.Confirmed {
		t.Errorf("got %+v", got)
	}
}
