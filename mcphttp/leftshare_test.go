package mcphttp

import (
	"errors"
	"net/http"
	"testing"

	"github.com/parley-hq/parley/mcptool"
)

func TestOnePersonsManyTakeNothingFromAnothersFew(t *testing.T) {
	for name, many := range map[string]string{"a person": "mallory", "callers without a token": ""} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, nil, &Options{MaxLeft: 3})
			few := s.startAndLeave(t, "alice") // before all others
			var all []*rawClient
			for range 5 {
				all = append(all, s.startAndLeave(t, many))
			}
			for range 3 {
				if err := <-s.ended; !errors.Is(err, mcptool.ErrGivenUp) {
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
	s := newStage(t, nil, &Options{MaxLeft: 4})
	var all []*rawClient
	for _, user := range []string{"alice", "bob", "bob", "alice", "carol"} {
		all = append(all, s.startAndLeave(t, user))
	}
	if err := <-s.ended; !errors.Is(err, mcptool.ErrGivenUp) {
		t.Errorf("the call ended with %v", err)
	}
	all[0].expectNoSession(http.MethodPost, s.http.URL, listMessage)
	for _, c := range all[1:] {
		c.expect(http.StatusOK, http.MethodPost, s.http.URL, listMessage)
	}
}
