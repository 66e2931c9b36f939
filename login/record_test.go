package login_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/login"
)

func TestLoginsThatAreMadeRefusedAndEndedAreRecorded(t *testing.T) {
	var told []string
	l := login.New(parley.NewMemoryStore(), &login.Options{Record: func(_ context.Context, d parley.Deed) error {
		told = append(told, fmt.Sprintf("%s %s %s/%s", d.What, d.Reason, d.Tenant, d.By))
		return nil
	}})
	token, _ := allowed(t, l, alice, login.Wish{})
	if err := l.End(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	if err := l.Decide(t.Context(), begin(t, l, login.Wish{}).UserCode, alice, false); err != nil {
		t.Fatal(err)
	}
	again := begin(t, l, login.Wish{})
	if err := l.Decide(t.Context(), again.UserCode, alice, true); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, _, _ = l.Exchange(t.Context(), again.DeviceCode, "")
	}
	want := []string{
		"login.made  north/alice", "login.ended by_program north/alice", "login.refused  north/alice", "login.made  north/alice", "login.ended code_reused north/alice",
	}
	if !slices.Equal(told, want) {
		t.Errorf("%q", told)
	}
}

func TestALoginThatCannotBeRecordedIsNotMade(t *testing.T) {
	away := errors.New("the store is away")
	l := login.New(parley.NewMemoryStore(), &login.Options{Record: func(context.Context, parley.Deed) error { return away }})
	b := begin(t, l, login.Wish{})
	if err := l.Decide(t.Context(), b.UserCode, alice, true); err != nil {
		t.Fatal(err)
	}
	token, _, err := l.Exchange(t.Context(), b.DeviceCode, "")
	wantErr(t, "exchange", err, away)
	if token != "" {
		t.Error("there is a token")
	}
	if all, err := l.List(t.Context(), "north", "alice"); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}
