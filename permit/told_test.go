package permit_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

func TestEachApprovalAndDenialIsLogged(t *testing.T) {
	var out bytes.Buffer
	var s *site
	s = newSiteOn(t, parley.NewMemoryStore(), &permit.Options{Logger: slog.New(slog.NewTextHandler(&out, nil))}, &parley.Options{Hooks: []parley.Hook{
		parley.After(parley.AnsweringPublish, func(ctx context.Context, a *parley.Answering) error { return s.Settled(ctx, a) }),
	}})
	line := func(want ...string) {
		t.Helper()
		said := out.String()
		out.Reset()
		for _, one := range append(want, "user=alice", "service=bank", "tool=transfer") {
			if !strings.Contains(said, one) || strings.Count(said, "\n") != 1 {
				t.Errorf("said %q, which lacks %s", said, one)
			}
		}
		if strings.Contains(said, "100") && !strings.Contains(said, "waited") || strings.Contains(said, "bob") {
			t.Errorf("the log has the call's arguments: %s", said)
		}
	}
	s.answer(t, s.ask(t, transfer()), says(permit.AllowOnce))
	line(`msg="approval given"`, "decision=allow_once", "via=chat", "for=alice", "waited=")
	s.answer(t, s.ask(t, transfer()), says(permit.Refuse))
	line(`msg="approval denied"`, "decision=deny")
	s.answer(t, s.ask(t, transfer()), says(permit.AskBack))
	line(`msg="approval denied"`, "decision=asked_back")
	s.answer(t, s.ask(t, transfer()), parley.Answer{Action: parley.Decline, Via: "chat"})
	line(`msg="approval denied"`, "decision=deny")

	// What nobody said is no decision of anybody.
	if err := s.hub.Cancel(t.Context(), s.ask(t, transfer()).ID, "over"); err != nil || out.Len() > 0 {
		t.Errorf("%v; %s", err, &out)
	}
	s.decided(t, transfer(), permit.AlwaysAllow)
	line(`msg="approval given"`, "decision=always_allow")
	for _, p := range s.listed(t, "alice") {
		if p.Effect != permit.Allow {
			continue
		}
		for range 2 { // the second ends nothing
			if err := s.Revoke(t.Context(), "", "alice", p.ID); err != nil {
				t.Fatal(err)
			}
		}
		line(`msg="permission revoked"`, "effect=allow")
	}
}

// What approvers decided together is told once, however often it is looked at.
func TestWhatApproversDecidedTogetherIsLoggedOnce(t *testing.T) {
	for effect, answer := range map[string]permit.Choice{"allow": permit.AllowOnce, "deny": permit.Refuse} {
		var out bytes.Buffer
		opts := quorum(2, "bob", "carol")
		opts.Logger = slog.New(slog.NewTextHandler(&out, nil))
		s := newSite(t, opts)
		_, open := s.gather(t, transfer(), permit.Required)
		s.answer(t, open["bob"], says(answer))
		s.answer(t, open["carol"], says(answer))
		for range 2 {
			if _, _, err := s.Gather(t.Context(), permit.Never, transfer()); err != nil {
				t.Fatal(err)
			}
		}
		said := out.String()
		if strings.Count(said, `msg="approvers decided"`) != 1 || !strings.Contains(said, "for=alice service=bank tool=transfer effect="+effect) || !strings.Contains(said, "needed=2 approvers=2") {
			t.Errorf("%s: %s", effect, said)
		}
	}
}
