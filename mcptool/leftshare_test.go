package mcptool

import (
	"errors"
	"net/http"
	"testing"

	"github.com/parley-hq/parley"
)

func TestOnePersonsManyTakeNothingFromAnothersFew(t *testing.T) {
	for name, many := range map[string]string{"a person": "mallory", "callers without a token": ""} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, idA, nil, &HandlerOptions{MaxLeft: 3})
			few := s.startAndLeave(t, "alice") // before all others
			var all []*rawClient
			for range 5 {
				all = append(all, s.startAndLeave(t, many))
			}
			for range 3 {
				if err := <-s.ended; !errors.Is(err, ErrGivenUp) {
					t.Errorf("a call ended with %v", err)
				}
			}
			for _, c := range all[:3] { // their own, and of those the first
				c.expectNoSession(http.MethodPost, s.http.URL, listMessage)
			}
			for _, c := range append(all[3:], few) {
				c.expect(http.StatusOK, http.MethodPost, s.http.URL, listMessage)
			}
			if len(s.ended) != 0 {
				t.Errorf("%d other calls ended", len(s.ended))
			}
		})
	}
}

// Many who have as many each take from whoever left first.
func TestOfThoseWhoHaveAsManyTheFirstIsGivenUp(t *testing.T) {
	s := newStage(t, idA, nil, &HandlerOptions{MaxLeft: 4})
	var all []*rawClient
	for _, user := range []string{"alice", "bob", "bob", "alice", "carol"} {
		all = append(all, s.startAndLeave(t, user))
	}
	if err := <-s.ended; !errors.Is(err, ErrGivenUp) {
		t.Errorf("the call ended with %v", err)
	}
	all[0].expectNoSession(http.MethodPost, s.http.URL, listMessage)
	for _, c := range all[1:] {
		c.expect(http.StatusOK, http.MethodPost, s.http.URL, listMessage)
	}
}

func TestPeopleAndProgramsCountForThemselvesAndOthersByTheirTenant(t *testing.T) {
	shares := map[string]string{}
	for name, who := range map[string]parley.Principal{
		"a person":                       {User: "ci"},
		"of that name in another tenant": {Tenant: "acme", User: "ci"},
		"a program":                      {Kind: parley.KindProgram, Key: "ci"},
		"of that key in another tenant":  {Tenant: "acme", Kind: parley.KindProgram, Key: "ci"},
		"nobody":                         {Kind: parley.KindCall},
		"nobody in another tenant":       {Tenant: "acme", Kind: parley.KindCall},
	} {
		key, _ := shareOf(who)
		if other, taken := shares[key]; taken {
			t.Errorf("%s counts with %s", name, other)
		}
		shares[key] = name
	}
	for name, same := range map[string][2]parley.Principal{
		"sessions of nobody":        {parley.SessionPrincipal("", "a"), parley.SessionPrincipal("default", "b")},
		"a session and a call":      {parley.SessionPrincipal("acme", "a"), parley.CallPrincipal("acme", "b")},
		"a program and its session": {{Kind: parley.KindProgram, Key: "ci"}, {User: "mcp-session:a", Kind: parley.KindSession, Key: "ci"}},
	} {
		one, known := shareOf(same[0])
		if other, also := shareOf(same[1]); one != other || known != also {
			t.Errorf("%s count apart", name)
		}
	}
}
