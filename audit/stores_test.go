package audit_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/audit"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/storetest"
)

// stores are those that several processes can share.
var stores = map[string]func(t testing.TB) string{
	"sqlite":   func(t testing.TB) string { return "sqlite:" + filepath.Join(t.TempDir(), "parley.db") },
	"postgres": func(t testing.TB) string { return servers.Postgres(t) },
	"redis":    func(t testing.TB) string { return servers.Redis(t) },
}

func connect(t testing.TB, url, space string) audit.Store {
	t.Helper()
	s, err := backend.Open(t.Context(), url, &backend.Options{Space: space, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func space() string { return "audit" + strings.ToLower(string(parley.NewID()))[:12] }

// Two nodes, many at once: each decision has one entry, in one chain.
func TestTwoNodesExtendOneChain(t *testing.T) {
	const each, hands = 60, 6
	for name, at := range stores {
		t.Run(name, func(t *testing.T) {
			url, space := at(t), space()
			nodes := []*site{open(t, connect(t, url, space), options()), open(t, connect(t, url, space), options())}
			ctx, stop := context.WithCancel(t.Context())
			var all, running sync.WaitGroup
			for _, n := range nodes {
				running.Go(func() { _ = n.log.Run(ctx) })
				for hand := range hands {
					all.Go(func() {
						for i := range each / hands {
							q, err := n.ask(ctx, fmt.Sprint("call", hand, i))
							if err == nil {
								err = n.hub.Answer(ctx, alice, q.ID, yes)
							}
							if err != nil {
								t.Errorf("%v", err)
							}
						}
					})
				}
			}
			all.Wait()
			stop()
			running.Wait()
			found := lookOnce(t, nodes[0])
			seen := map[string]bool{}
			for _, e := range found {
				seen[e.Question] = true
			}
			if len(found) != 2*each || len(seen) != 2*each {
				t.Errorf("%d entries about %d questions; there were %d", len(found), len(seen), 2*each)
			}
		})
	}
}

// A store that fails at random, with and without having done what it was told.
func TestAFailingStoreLosesNothing(t *testing.T) {
	inner := parley.NewMemoryStore()
	faulty := storetest.Faulty(inner, storetest.Everything(0.1, 7))
	s := open(t, faulty.(audit.Store), options())
	want := map[string]bool{}
	for i := range 40 {
		q, err := s.ask(t.Context(), fmt.Sprint("call", i))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.hub.Answer(t.Context(), alice, q.ID, yes); err != nil {
			t.Fatal(err)
		}
		_ = s.log.Flush(t.Context()) // what fails now is found later
		want[string(q.ID)] = true
	}
	found := lookOnce(t, open(t, inner, options()))
	for _, e := range found {
		delete(want, e.Question)
	}
	if len(want) > 0 || len(found) != 40 {
		t.Errorf("%d entries, and none about %d questions", len(found), len(want))
	}
}

// BenchmarkDecisions says how many decisions a second one tenant's chain takes.
func BenchmarkDecisions(b *testing.B) {
	for name, at := range stores {
		b.Run(name, func(b *testing.B) {
			s := open(b, connect(b, at(b), space()), options())
			b.ResetTimer()
			began := time.Now()
			var all sync.WaitGroup
			for hand := range 8 {
				all.Go(func() {
					for i := hand; i < b.N; i += 8 {
						if err := s.log.Record(b.Context(), parley.Deed{What: "sign_in", By: "alice"}); err != nil {
							b.Error(err)
						}
					}
				})
			}
			all.Wait()
			if err := s.log.Flush(b.Context()); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)/time.Since(began).Seconds(), "decisions/s")
		})
	}
}
