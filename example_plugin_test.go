package parley_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/parley-hq/parley"
)

// audit is a plugin: hooks that write a line for each question and each
// outcome, whoever or whatever gave it.
func audit(to io.Writer) []parley.Hook {
	return []parley.Hook{
		parley.After(parley.OpeningStore, func(_ context.Context, o *parley.Opening) error {
			_, err := fmt.Fprintf(to, "opened by %s for %s\n", o.Request.From, o.Request.To)
			return err
		}),
		parley.After(parley.AnsweringPublish, func(_ context.Context, a *parley.Answering) error {
			by := a.Outcome.By
			if by == "" {
				by = "nobody: " + a.Outcome.Reason
			}
			_, err := fmt.Fprintf(to, "%s by %s\n", a.Outcome.Action, by)
			return err
		}),
	}
}

// An audit log as a plugin.
func ExampleHook_audit() {
	ctx := context.Background()
	hub := parley.New(parley.NewMemoryStore(), &parley.Options{Hooks: audit(os.Stdout)})
	first, _ := hub.Open(ctx, parley.Request{To: "alice", From: "bank", Message: "Pay?"})
	_ = hub.Answer(ctx, parley.Principal{User: "alice"}, first.ID, parley.Answer{Action: parley.Decline})
	second, _ := hub.Open(ctx, parley.Request{To: "alice", From: "bank", Message: "Pay later?"})
	_ = hub.Cancel(ctx, second.ID, "no longer needed")
	// Output:
	// opened by bank for alice
	// decline by alice
	// opened by bank for alice
	// cancel by nobody: withdrawn: no longer needed
}

// trimmed is a plugin that takes the white space off every text of an answer.
// It applies only to questions of one service.
func trimmed(service string) parley.Hook {
	return parley.Before(parley.AnsweringBuild, func(_ context.Context, a *parley.Answering) error {
		if len(a.Answer.Content) == 0 {
			return nil // declined or cancelled
		}
		var content map[string]any
		if err := json.Unmarshal(a.Answer.Content, &content); err != nil {
			return err
		}
		for field, value := range content {
			if text, ok := value.(string); ok {
				content[field] = strings.TrimSpace(text)
			}
		}
		clean, err := json.Marshal(content)
		a.Answer.Content = clean // checked against the schema once more
		return err
	}, func(a *parley.Answering) bool { return a.Request.From == service })
}

// A sanitiser as a plugin: what it rewrites is what the program gets.
func ExampleHook_sanitise() {
	ctx := context.Background()
	hub := parley.New(parley.NewMemoryStore(), &parley.Options{Hooks: []parley.Hook{trimmed("post")}})
	question, _ := hub.Open(ctx, parley.Request{
		To: "alice", From: "post", Message: "Where to?",
		Schema: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}}}`),
	})
	_ = hub.Answer(ctx, parley.Principal{User: "alice"}, question.ID,
		parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"city":"  Lisbon\n"}`)})
	outcome, _ := hub.Wait(ctx, question.ID)
	fmt.Println(string(outcome.Content))
	// Output: {"city":"Lisbon"}
}
