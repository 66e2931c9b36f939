package fakemodel_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	claude "github.com/parley-hq/parley/agent/anthropic"
	"github.com/parley-hq/parley/agent/openai"
	"github.com/parley-hq/parley/internal/testkit/fakemodel"
	"github.com/parley-hq/parley/seal"
)

var alice = parley.Principal{User: "alice", Method: "test"}

// sums is a toolbox that adds.
type sums struct{}

func (sums) Name() string { return "sums" }

func (sums) Tools(context.Context, agent.Caller) ([]agent.Tool, error) {
	return []agent.Tool{{Name: "add", Schema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"integer"}}}`)}}, nil
}

func (sums) Prepare(context.Context, *agent.Invocation) error { return nil }

func (sums) Call(_ context.Context, c *agent.Invocation) (agent.Result, error) {
	return agent.Result{Text: "sum of " + string(c.Args)}, nil
}

// adds calls the tool twice at once, then says what came of it.
func adds(r fakemodel.Request) fakemodel.Reply {
	last := r.Last()
	if last.Role == "user" {
		return fakemodel.Reply{Thinking: "Two sums.", Text: "I add. ", Calls: []fakemodel.Call{{Tool: r.Tools[0], Args: `{"a":1}`}, {Tool: r.Tools[0], Args: `{"a":2}`}}}
	}
	var all []string
	for _, result := range last.Results {
		all = append(all, result.Text)
	}
	return fakemodel.Reply{Text: strings.Join(all, " and ")}
}

// models are one of each kind behind a fake.
func models(t *testing.T, client *http.Client) map[string]agent.Model {
	t.Helper()
	a, err := openai.New(&openai.Options{BaseURL: "http://models.test/v1", APIKey: "secret-key", Model: "m", Client: client})
	if err != nil {
		t.Fatal(err)
	}
	b, err := claude.New(&claude.Options{BaseURL: "http://models.test", APIKey: "secret-key", Model: "m", Client: client})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]agent.Model{"openai": a, "anthropic": b}
}

// converse lets an agent with the model answer, twice in one conversation, and
// returns its last words and what ended the second turn.
func converse(t *testing.T, model agent.Model, log *strings.Builder) (text string, end agent.Event) {
	t.Helper()
	keys, err := seal.New([]byte("a secret of thirty-two bytes or more"))
	if err != nil {
		t.Fatal(err)
	}
	logger := slog.New(slog.NewTextHandler(log, nil))
	store := parley.NewMemoryStore()
	hub := parley.New(store, &parley.Options{Logger: logger})
	rt, err := agent.New(hub, store, keys, &agent.Options{Logger: logger, Agents: []*agent.Agent{
		{Name: "helper", Model: model, Toolboxes: []agent.Toolbox{sums{}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() { _ = hub.Run(ctx) })
	all.Go(func() { _ = rt.Run(ctx) })
	defer all.Wait()
	defer cancel()
	for range 2 {
		ref, err := rt.Start(ctx, alice, agent.Message{Agent: "helper", Conversation: "c", Text: "Add."})
		if err != nil {
			t.Fatal(err)
		}
		text = ""
		f := rt.Follow(alice, ref)
		for end = (agent.Event{}); end.Type != agent.Finished; {
			if end, err = f.Next(ctx); err != nil {
				t.Fatal(err)
			}
			if end.Type == agent.TextDelta {
				text += end.Text
			}
		}
		f.Close()
	}
	return text, end
}

func TestAgentsUseToolsThroughBothFormats(t *testing.T) {
	for _, kind := range []string{"openai", "anthropic"} {
		synctest.Test(t, func(t *testing.T) {
			fake := fakemodel.New(adds, nil)
			client, stop := fakemodel.Pipe(fake)
			defer stop()
			var log strings.Builder
			text, end := converse(t, models(t, client)[kind], &log)
			if want := `I add. sum of {"a":1} and sum of {"a":2}`; text != want || end.Reason != agent.Done {
				t.Errorf("%s: got %q, %+v\n%s", kind, text, end, log.String())
			}
			// The fake has checked what was thought in the steps before.
			if got := string(fake.Requests()[3].Body); strings.Count(got, "Two sums.") != 2 {
				t.Errorf("%s: the last request is %s", kind, got)
			}
		})
	}
}

func TestPeopleReadASentenceAndTheLogHasTheReason(t *testing.T) {
	for _, kind := range []string{"openai", "anthropic"} {
		synctest.Test(t, func(t *testing.T) {
			client, stop := fakemodel.Pipe(fakemodel.New(func(fakemodel.Request) fakemodel.Reply {
				return fakemodel.Reply{Status: http.StatusTooManyRequests, Kind: "rate_limit_error", Message: "3 per minute for secret-key"}
			}, nil))
			defer stop()
			var log strings.Builder
			_, end := converse(t, models(t, client)[kind], &log)
			if end.Reason != agent.Broken || end.Text != "The model is busy. Try again in a moment." {
				t.Errorf("%s: the person was told %+v", kind, end)
			}
			if got := log.String(); !strings.Contains(got, "3 per minute for [key]") || strings.Contains(got, "secret-key") {
				t.Errorf("%s: the log has %s", kind, got)
			}
		})
	}
}
