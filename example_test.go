package parley_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/parley-hq/parley"
)

// A program asks, a person answers, the program goes on.
func Example() {
	ctx := context.Background()
	hub := parley.New(parley.NewMemoryStore(), nil)
	question, _ := hub.Open(ctx, parley.Request{
		To: "alice", From: "accounts", Message: "Delete account 7?",
		Schema: json.RawMessage(`{"type":"object","properties":{"confirmed":{"type":"boolean"}}}`),
	})
	fmt.Println(question.Text())
	alice := parley.Principal{User: "alice"} // from a verified token or cookie
	_ = hub.Answer(ctx, alice, question.ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"confirmed":true}`)})
	outcome, _ := hub.Wait(ctx, question.ID) // now, later, or in another process
	fmt.Println(outcome.Action, string(outcome.Content))
	// Output:
	// [accounts] Delete account 7?
	// accept {"confirmed":true}
}
