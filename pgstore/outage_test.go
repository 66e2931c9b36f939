package pgstore_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/pgstore"
)

func TestAStoreRecoversWhenTheServerComesBack(t *testing.T) {
	db := servers.OwnPostgres(t, nil)
	for name, outage := range map[string]func() error{
		"restart": func() error { return db.Restart(t.Context()) },
		"kill":    func() error { return errors.Join(db.Kill(), db.Restart(t.Context())) },
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, db.URL, &pgstore.Options{Schema: "t_" + name})
			settled, pending := mustPut(t, s), mustPut(t, s)
			if err := s.Settle(t.Context(), settled.ID, accepted()); err != nil {
				t.Fatal(err)
			}
			done := watching(t.Context(), s)
			if err := outage(); err != nil {
				t.Fatal(err)
			}
			if err := <-done; err == nil {
				t.Error("Watch returned nil when its connection broke")
			}
			failed := 0
			for deadline := time.Now().Add(20 * time.Second); ; failed++ {
				r, err := s.Get(t.Context(), settled.ID)
				if err == nil {
					if r.Pending() {
						t.Error("the outcome is lost")
					}
					break
				}
				if time.Now().After(deadline) || errors.Is(err, parley.ErrNotFound) {
					t.Fatal(err)
				}
			}
			t.Logf("%d calls failed after the outage", failed)
			if err := s.Settle(t.Context(), pending.ID, accepted()); err != nil {
				t.Error(err)
			}
		})
	}
}

// Whoever was told that it settled a request finds its own outcome there,
// whatever the server did meanwhile.
func TestAnOutageInTheMiddleLosesNoOutcome(t *testing.T) {
	db := servers.OwnPostgres(t, nil)
	s := open(t, db.URL, nil)
	var ids []parley.ID
	for range 2000 {
		ids = append(ids, mustPut(t, s).ID)
	}
	claims := make([]string, len(ids)) // of the calls that succeeded
	var next, failed atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(ids)); i = next.Add(1) - 1 {
				o := accepted()
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				if err := s.Settle(ctx, ids[i], o); err == nil {
					claims[i] = o.Claim
				} else {
					failed.Add(1)
				}
				cancel()
			}
		})
	}
	for next.Load() < int64(len(ids)/4) {
		time.Sleep(time.Millisecond)
	}
	if err := errors.Join(db.Kill(), db.Restart(t.Context())); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	for i, id := range ids {
		r := eventuallyGet(t, s, id)
		if claims[i] != "" && (r.Pending() || r.Outcome.Claim != claims[i]) {
			t.Fatalf("request %d is %+v, but %s was told that it settled it", i, r.Outcome, claims[i])
		}
	}
	t.Logf("%d of %d calls failed", failed.Load(), len(ids))
}

func eventuallyGet(t *testing.T, s *pgstore.Store, id parley.ID) parley.Request {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		r, err := s.Get(t.Context(), id)
		if err == nil {
			return r
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

func TestNothingHangsBeyondItsContextWhenTheServerIsSilent(t *testing.T) {
	s, p := openThroughProxy(t)
	r := mustPut(t, s)
	p.freeze()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, getErr := s.Get(ctx, r.ID)
	_, scanErr := s.Scan(ctx, parley.Address{}, "", 0)
	for name, err := range map[string]error{
		"Get": getErr, "Scan": scanErr, "Settle": s.Settle(ctx, r.ID, accepted()), "Sweep": s.Sweep(ctx, time.Now()),
	} {
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s = %v, want that the time is over", name, err)
		}
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("it took %v", took)
	}
	p.close()
}

func TestAWatchNoticesThatItsConnectionIsDead(t *testing.T) {
	s, p := openThroughProxy(t)
	s.SetHeartbeat(100*time.Millisecond, time.Second)
	done := watching(t.Context(), s)
	select {
	case err := <-done:
		t.Fatalf("Watch gave up a connection that is alive: %v", err)
	case <-time.After(350 * time.Millisecond):
	}
	p.freeze()
	select {
	case err := <-done:
		t.Log(err)
	case <-time.After(10 * time.Second):
		t.Error("Watch did not notice")
	}
	p.close()
}

func TestAWatchHearsAcrossItsHeartbeats(t *testing.T) {
	s := open(t, servers.Postgres(t), &pgstore.Options{Schema: freshSchema(t)})
	s.SetHeartbeat(2*time.Millisecond, time.Minute)
	ctx, cancel := context.WithCancel(t.Context())
	heard, done := make(chan parley.ID, 1000), make(chan error, 1)
	go func() { done <- s.Watch(ctx, func(id parley.ID) { heard <- id }) }()
	<-heard
	for i := range 200 {
		r := mustPut(t, s)
		time.Sleep(time.Duration(i%5) * time.Millisecond)
		if err := s.Settle(t.Context(), r.ID, accepted()); err != nil {
			t.Fatal(err)
		}
		select {
		case id := <-heard:
			if id != r.ID {
				t.Fatalf("hint %q, want %q", id, r.ID)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("hint %d was lost", i)
		}
	}
	cancel()
	wantError(t, <-done, context.Canceled)
}

func openThroughProxy(t *testing.T) (*pgstore.Store, *proxy) {
	t.Helper()
	url := servers.Postgres(t)
	config := connect(t, url).Config()
	p := newProxy(t, hostPort(config))
	through := fmt.Sprintf("postgres://%s:%s@%s/%s?sslmode=disable", config.User, config.Password, p.addr(), config.Database)
	return open(t, through, &pgstore.Options{Schema: freshSchema(t)}), p
}

func hostPort(config *pgx.ConnConfig) string {
	return net.JoinHostPort(config.Host, fmt.Sprint(config.Port))
}

// proxy forwards connections until it is frozen: then it keeps them open and
// says nothing, as a network does that was cut.
type proxy struct {
	listener net.Listener
	target   string
	frozen   atomic.Bool

	mu    sync.Mutex
	conns []net.Conn
}

func newProxy(t *testing.T, target string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, target: target}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			p.track(client)
			if p.frozen.Load() {
				continue
			}
			server, err := net.Dial("tcp", target)
			if err != nil {
				client.Close()
				continue
			}
			p.track(server)
			wg.Go(func() { p.forward(client, server) })
			wg.Go(func() { p.forward(server, client) })
		}
	})
	t.Cleanup(func() { p.close(); wg.Wait() })
	return p
}

func (p *proxy) addr() string { return p.listener.Addr().String() }
func (p *proxy) freeze()      { p.frozen.Store(true) }

func (p *proxy) track(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns = append(p.conns, c)
}

func (p *proxy) forward(to, from net.Conn) {
	buf := make([]byte, 4096)
	for {
		n, err := from.Read(buf)
		if p.frozen.Load() {
			_, _ = io.Copy(io.Discard, from)
			return
		}
		if _, werr := to.Write(buf[:n]); err != nil || werr != nil {
			to.Close()
			return
		}
	}
}

func (p *proxy) close() {
	p.listener.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		c.Close()
	}
}
