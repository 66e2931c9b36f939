package permit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
)

func Example() {
	ctx := context.Background()
	store := parley.NewMemoryStore()
	hub := parley.New(store, &parley.Options{Hooks: []parley.Hook{permit.Guard()}})
	keys, err := seal.New([]byte("32 random bytes of configuration"))
	if err != nil {
		log.Fatal(err)
	}
	permits, err := permit.New(hub, store, keys, nil)
	if err != nil {
		log.Fatal(err)
	}
	call := permit.Call{
		User: "alice", Session: "chat-1", Server: "tracker", Tool: "close_issue",
		Args: json.RawMessage(`{"number": 7, "comment": "fixed"}`), ID: "run-1/call-1",
	}

	d, err := permits.Check(ctx, permit.Unsafe, call)
	fmt.Println(d.Status, err)

	q, err := permits.Question(call)
	if err != nil {
		log.Fatal(err)
	}
	if q, err = hub.Open(ctx, q); err != nil {
		log.Fatal(err)
	}
	fmt.Println(q.Text())

	// Alice answers on one of her surfaces.
	err = hub.Answer(ctx, parley.Principal{User: "alice"}, q.ID, parley.Answer{
		Action: parley.Accept, Content: json.RawMessage(`{"decision":"allow_once"}`), Via: "chat",
	})
	if err != nil {
		log.Fatal(err)
	}

	d, err = permits.Record(ctx, call, q.ID)
	fmt.Println(d.Status, err)
	fmt.Println(permits.Consume(ctx, permit.Unsafe, call))
	fmt.Println(errors.Is(permits.Consume(ctx, permit.Unsafe, call), permit.ErrConsumed))
	// Output:
	// required <nil>
	// [tracker] Allow this call?
	//
	// Service: tracker
	// Tool: close_issue
	// Arguments:
	// {
	//   "comment": "fixed",
	//   "number": 7
	// }
	// granted <nil>
	// <nil>
	// true
}
