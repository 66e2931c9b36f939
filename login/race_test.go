package login_test

import (
	"context"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/login"
)

// meanwhile does something before a record of one kind is made.
type meanwhile struct {
	parley.Records
	kind string
	do   func()
}

func (m *meanwhile) Save(ctx context.Context, r parley.Record) (int64, error) {
	if do := m.do; r.Kind == m.kind && do != nil {
		m.do = nil
		do()
	}
	return m.Records.Save(ctx, r)
}

// Two hands have the code, and neither waits for the other.
func TestACodeThatComesTwiceAtOnceLeavesNoLogin(t *testing.T) {
	for kind, when := range map[string]string{"login_wish": "while the first uses it up", "login": "before the first has its login"} {
		t.Run(when, func(t *testing.T) {
			store := &meanwhile{Records: parley.NewMemoryStore(), kind: kind}
			l := login.New(store, nil)
			b := begin(t, l, login.Wish{})
			if err := l.Decide(t.Context(), b.UserCode, alice, true); err != nil {
				t.Fatal(err)
			}
			var tokens []string
			exchange := func() {
				if token, _, err := l.Exchange(t.Context(), b.DeviceCode, ""); err == nil {
					tokens = append(tokens, token)
				} else {
					wantErr(t, "one of the two", err, login.ErrUsed)
				}
			}
			store.do = exchange
			exchange()
			if len(tokens) > 1 {
				t.Errorf("%d have a token", len(tokens))
			}
			for _, one := range tokens {
				_, err := l.Verify(t.Context(), one)
				wantErr(t, "the token", err, login.ErrRefused)
			}
			if all, err := l.List(t.Context(), "north", "alice"); err != nil || len(all) != 0 {
				t.Errorf("%+v, %v", all, err)
			}
		})
	}
}
