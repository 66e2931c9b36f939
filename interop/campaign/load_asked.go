package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
)

// question is one that a program asks.
type question struct{ asks map[string]any }

// ask chooses what is asked: a form, a confirmation, an action, or a page.
func (e *errand) ask(choose *rand.Rand) {
	e.asks = map[string]any{"to": e.person, "message": "For " + e.key + ".", "idempotency_key": e.key}
	switch choose.IntN(5) {
	case 0:
		e.kind.name, e.asks["requested_schema"] = "a program asks by a form", json.RawMessage(`{"type":"object","properties":{"size":{"type":"string"}},"required":["size"]}`)
	case 1:
		e.kind.name = "a program asks for a word"
	case 2:
		e.kind.name, e.asks["action"] = "a program asks to allow", map[string]any{"title": "Do " + e.key, "details": map[string]any{"key": e.key}}
	case 3:
		e.kind.name, e.asks["url"] = "a program sends somebody to a page", "https://example.com/"+e.key
	case 4:
		e.kind.name = "a program asks several"
		delete(e.asks, "to")
		e.asks["group"], e.asks["need"] = "oncall", 1
	}
}

// shown is a question as the API has it.
type shown struct {
	ID      string
	State   string
	Mode    string
	Trigger string
	Message string
	Schema  json.RawMessage `json:"requested_schema"`
	Outcome *ending
}

// ending is how a question ended.
type ending struct {
	Action   string
	Decision string
	By       string
	At       string
	Content  json.RawMessage
}

func (o ending) String() string {
	return fmt.Sprintf("%s %s %s by %s at %s", o.Action, o.Decision, o.Content, o.By, o.At)
}

// question asks, and waits for the answer. Whoever looks again must see the same.
func (l *load) question(ctx context.Context, e *errand) told {
	end, id := told{verdict: gotNothing}, ""
	var first *ending
	for ; ctx.Err() == nil; sleep(ctx, pause) {
		var q shown
		method, path, body := http.MethodGet, "/api/elicitations/"+id+"?wait=5", any(nil)
		if id == "" {
			method, path, body = http.MethodPost, "/api/elicitations", e.asks
			end.attempts++
		}
		_, err := l.request(ctx, method, path, programKey, body, &q)
		if err != nil {
			end.words = err.Error()
			l.ledger.tell(e.key, "%s %s: %v", method, path, err)
			continue
		}
		if id != "" && q.ID != id {
			end.invited = fmt.Sprintf("it was question %s, and is %s", id, q.ID)
		}
		id = q.ID
		if q.State == "pending" || q.Outcome == nil {
			continue
		}
		if first == nil {
			first = q.Outcome
			l.ledger.tell(e.key, "question %s: %s", id, first)
			continue // and look again
		}
		end.verdict, end.words = gotResult, first.String()
		if q.Outcome.String() != first.String() {
			end.invited = "and then: " + q.Outcome.String()
		}
		return end
	}
	return end
}
