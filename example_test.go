package parley_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

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

func TestTheExampleOfTheREADMEIsTheOneThatRuns(t *testing.T) {
	code, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(code), "func Example() {\n\tctx := context.Background()\n")
	body, _, _ = strings.Cut(body, "\t// Output:")
	body = strings.TrimPrefix(strings.ReplaceAll("\n"+body, "\n\t", "\n"), "\n")
	if !strings.Contains(string(readme), body) {
		t.Errorf("README.md does not hold the example:\n%s", body)
	}
}
