package a2a_test

import (
	"errors"
	"testing"

	wire "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/agent"
)

func TestATaskThatGoesRoundIsRefused(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: script(echo)})
		c := s.client("alice", way)
		long := make([]string, elicitation.MaxChain)
		for i := range long {
			long[i] = "x"
		}
		for _, tc := range []struct {
			chain []string
			want  error
		}{
			{[]string{"x", s.rt.ChainName("helper"), "y"}, wire.ErrUnsupportedOperation},
			{long, wire.ErrUnsupportedOperation},
			{[]string{""}, wire.ErrInvalidParams},
			{long[1:], nil},
			{[]string{s.rt.ChainName("another")}, nil},
		} {
			m := says("Hello")
			elicitation.SetChain(m, tc.chain)
			if _, err := c.trySend(m); !errors.Is(err, tc.want) {
				t.Errorf("%q: %v", tc.chain, err)
			}
		}
	})
}
