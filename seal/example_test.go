package seal_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/seal"
)

func Example() {
	keys, err := seal.New([]byte("a secret of 32 random bytes here"))
	if err != nil {
		fmt.Println(err)
		return
	}
	hers := parley.Binding{Tenant: "acme", Purpose: "note", Owner: "ada", Key: "1"}
	sealed, err := keys.Seal([]byte("buy milk"), hers)
	if err != nil {
		fmt.Println(err)
		return
	}
	plain, err := keys.Open(sealed, hers)
	fmt.Printf("%s %v\n", plain, err)

	eves := hers
	eves.Owner = "eve"
	_, err = keys.Open(sealed, eves)
	fmt.Println(errors.Is(err, seal.ErrTampered))
	// Output:
	// buy milk <nil>
	// true
}

func ExampleKeyring_Token() {
	keys, err := seal.New([]byte("a secret of 32 random bytes here"))
	if err != nil {
		fmt.Println(err)
		return
	}
	token, err := keys.Token("connect", []byte("session-42"), time.Now().Add(5*time.Minute))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len("https://parley.example/auth/connect?token=" + token))

	session, err := keys.OpenToken("connect", token)
	fmt.Printf("%s %v\n", session, err)
	// Output:
	// 228
	// session-42 <nil>
}

// A rotation: the new secret stands in front, and every record is re-wrapped.
func ExampleKeyring_Rewrap() {
	ctx := context.Background()
	before, _ := seal.New([]byte("the old secret, 32 random bytes."))
	keys, _ := seal.New([]byte("the new secret, 32 random bytes."), []byte("the old secret, 32 random bytes."))

	stored := parley.NewMemoryStore()
	at := parley.Address{Tenant: "acme", Kind: "connection", Key: "tracker/ada"}
	_, _ = seal.Records(stored, before, nil).Save(ctx, parley.Record{Address: at, Owner: "ada", Data: []byte("{}")})

	after := ""
	for {
		page, err := stored.Scan(ctx, parley.Address{Tenant: at.Tenant, Kind: at.Kind}, after, 100)
		if err != nil || len(page) == 0 {
			fmt.Println("end", err)
			return
		}
		for _, r := range page {
			after = r.Key
			data, changed, err := keys.Rewrap(r.Data, seal.RecordBinding(r.Address, r.Owner))
			if err == nil && changed {
				r.Data = data
				_, err = stored.Save(ctx, r) // ErrConflict: saved meanwhile, with the new secret
			}
			fmt.Println(r.Key, changed, err)
		}
	}
	// Output:
	// tracker/ada true <nil>
	// end <nil>
}
