package permit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
)

// Large payments need two of three people; small ones need nobody.
func ExamplePermits_Gather() {
	ctx := context.Background()
	store := parley.NewMemoryStore()
	hub := parley.New(store, &parley.Options{Hooks: []parley.Hook{permit.Guard()}})
	keys, err := seal.New([]byte("32 random bytes of configuration"))
	if err != nil {
		log.Fatal(err)
	}
	approvers, err := permit.ParseApprovers("2 of [bob, carol, dave]")
	if err != nil {
		log.Fatal(err)
	}
	permits, err := permit.New(hub, store, keys, &permit.Options{Conditions: []permit.Condition{
		{Name: "small payments", Server: "bank", Tool: "pay", When: "args.amount <= 10", Approve: permit.Never},
		{Name: "payments", Server: "bank", Tool: "pay", Approvers: approvers},
	}})
	if err != nil {
		log.Fatal(err)
	}
	call := permit.Call{
		User: "alice", Session: "chat-1", Server: "bank", Tool: "pay", Args: json.RawMessage(`{"amount": 500}`), ID: "run-1/call-1",
	}

	d, open, err := permits.Gather(ctx, permit.Unsafe, call)
	fmt.Println(d.Status, d.Approvers, len(open), err)

	// Two of them answer on their own surfaces.
	for i, who := range []string{"bob", "carol"} { // the questions are in the order of their names
		err := hub.Answer(ctx, parley.Principal{User: who}, open[i], parley.Answer{
			Action: parley.Accept, Content: json.RawMessage(`{"decision":"allow_once"}`), Via: "page",
		})
		if err != nil {
			log.Fatal(err)
		}
	}

	d, open, err = permits.Gather(ctx, permit.Unsafe, call)
	fmt.Println(d.Status, d.Have, len(open), err)
	fmt.Println(permits.Consume(ctx, permit.Unsafe, call))

	call.ID, call.Args = "run-1/call-2", json.RawMessage(`{"amount": 5}`)
	fmt.Println(permits.Consume(ctx, permit.Unsafe, call))
	// Output:
	// required 2 of [bob, carol, dave] 3 <nil>
	// granted 2 0 <nil>
	// <nil>
	// <nil>
}
