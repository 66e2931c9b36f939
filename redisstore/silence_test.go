package redisstore_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/redisstore"
)

func TestASilentServerHoldsNobodyLongerThanTheirContext(t *testing.T) {
	for name, callers := range map[string]int{
		"few callers":                           20,
		"more callers than a connection queues": 5000,
	} {
		t.Run(name, func(t *testing.T) {
			server := newProxy(t)
			s := open(t, server.url, &redisstore.Options{})
			r := put(t, s, question("alice"))
			server.silent.Store(true)
			start := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour) // ends early, by cancellation
			time.AfterFunc(200*time.Millisecond, cancel)
			for _, err := range race(callers, func(int) error { _, err := s.Get(ctx, r.ID); return err }) {
				if !errors.Is(err, context.Canceled) {
					t.Fatalf("Get = %v", err)
				}
			}
			if took := time.Since(start); took > 4*time.Second { // the connection's own time-out is longer
				t.Errorf("callers were held for %v", took)
			}
		})
	}
}

func TestASilentConnectionIsGivenUp(t *testing.T) {
	server := newProxy(t)
	s := open(t, server.url+"?write_timeout=300ms&dial_timeout=300ms", &redisstore.Options{})
	r := put(t, s, question("alice"))
	h := watch(t, s)
	server.silent.Store(true)
	start := time.Now()
	if _, err := s.Get(t.Context(), r.ID); err == nil {
		t.Error("Get from a silent server succeeded")
	}
	t.Logf("Get gave up after %v", time.Since(start))
	if _, err := s.Get(t.Context(), r.ID); err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Get when connecting is in vain = %v; the caller's context goes on", err)
	}
	select {
	case err := <-h.done:
		t.Logf("Watch gave up after %v: %v", time.Since(start), err)
	case <-time.After(patience):
		t.Fatal("Watch goes on")
	}
	server.silent.Store(false)
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if _, err := s.Get(t.Context(), r.ID); err == nil {
			break
		} else if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

func TestOneWhoGivesUpWhileConnectingDoesNotFailOthers(t *testing.T) {
	server := newProxy(t)
	s := open(t, server.url, &redisstore.Options{})
	r := put(t, s, question("alice"))
	server.silent.Store(true)
	server.cut()
	time.Sleep(50 * time.Millisecond) // for the store to notice
	const each = 10
	errs := race(2*each, func(i int) error {
		if i < each { // among them who connects anew, in vain
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			_, err := s.Get(ctx, r.ID)
			return err
		}
		time.AfterFunc(200*time.Millisecond, server.cut)
		time.Sleep(20 * time.Millisecond)
		_, err := s.Get(t.Context(), r.ID)
		return err
	})
	for _, err := range errs[each:] {
		if err == nil || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("one who stayed got %v", err)
		}
	}
}

func TestAWatchOfASilentServerEndsWithItsContext(t *testing.T) {
	server := newProxy(t)
	s := open(t, server.url, &redisstore.Options{})
	for name, silent := range map[string]func(context.CancelFunc, parley.ID){
		"while it connects": nil,
		"while it stands": func(cancel context.CancelFunc, _ parley.ID) {
			server.silent.Store(true)
			time.AfterFunc(50*time.Millisecond, cancel)
		},
	} {
		t.Run(name, func(t *testing.T) {
			server.silent.Store(silent == nil)
			ctx, cancel := context.WithCancel(t.Context())
			if silent == nil {
				time.AfterFunc(50*time.Millisecond, cancel)
			}
			start := time.Now()
			err := s.Watch(ctx, func(id parley.ID) { silent(cancel, id) })
			if took := time.Since(start); !errors.Is(err, context.Canceled) || took > 900*time.Millisecond {
				t.Errorf("Watch = %v after %v", err, took)
			}
			server.silent.Store(false)
		})
	}
}

func TestASettleWhoseReplyWasLostIsNotRepeated(t *testing.T) {
	server := newProxy(t)
	a := open(t, server.url, &redisstore.Options{})
	r := put(t, a, question("alice"))
	if err := a.Settle(t.Context(), put(t, a, question("bob")).ID, accepted("x")); err != nil { // the script is known now
		t.Fatal(err)
	}
	server.sent.Store(0)
	server.silent.Store(true)
	done := make(chan error, 1)
	settle := func() { done <- a.Settle(t.Context(), r.ID, accepted("mine")) }
	go settle()
	for server.sent.Load() == 0 {
		select {
		case err := <-done:
			if server.sent.Load() > 0 {
				done <- err // it was sent meanwhile
				continue
			}
			if err == nil {
				t.Fatal("settled without a word to the server")
			}
			t.Logf("the connection broke before it was sent: %v", err)
			server.silent.Store(false)
			if _, err := a.Get(t.Context(), r.ID); err == nil {
				server.silent.Store(true)
			}
			go settle()
		case <-time.After(time.Millisecond):
		}
	}
	time.Sleep(50 * time.Millisecond) // for the server to do it
	server.silent.Store(false)
	server.cut()
	if err := <-done; err == nil || errors.Is(err, parley.ErrSettled) {
		t.Errorf("Settle = %v, want a lost connection", err)
	}
	if n := server.sent.Load(); n != 1 {
		t.Errorf("the script was sent %d times", n)
	}
	got, err := a.Get(t.Context(), r.ID)
	for deadline := time.Now().Add(patience); err != nil || got.Pending(); got, err = a.Get(t.Context(), r.ID) {
		if time.Now().After(deadline) {
			t.Fatalf("outcome %+v, %v", got.Outcome, err)
		}
	}
	if got.Outcome.Claim != "mine" {
		t.Errorf("outcome %+v", got.Outcome)
	}
}

func TestCallersWhoConnectShareOneAttempt(t *testing.T) {
	server := newProxy(t)
	s := open(t, server.url, &redisstore.Options{})
	r := put(t, s, question("alice"))
	for range 5 {
		before := server.accepted.Load()
		server.cut()
		for server.standing.Load() > 0 {
			time.Sleep(time.Millisecond)
		}
		for _, err := range race(100, func(int) error { _, err := s.Get(t.Context(), r.ID); return err }) {
			if err != nil && !strings.Contains(err.Error(), "the connection broke") { // who was faster than the news
				t.Error(err)
			}
		}
		if _, err := s.Get(t.Context(), r.ID); err != nil {
			t.Error(err)
		}
		if n := server.accepted.Load() - before; n != 1 {
			t.Errorf("100 callers connected %d times", n)
		}
	}
}

// Nor is a command that takes its time while it goes a silent server.
func TestALongCommandIsNotGivenUpWhileItGoes(t *testing.T) {
	t.Parallel()
	server := newProxy(t)
	s := open(t, server.url+"?write_timeout=1s", &redisstore.Options{})
	server.slow.Store(true)
	at := parley.Address{Tenant: "acme", Kind: "note", Key: "long"}
	data := bytes.Repeat([]byte("0123456789abcdef"), 3<<19) // more than the sockets between us have room for
	start := time.Now()
	if _, err := s.Save(t.Context(), parley.Record{Address: at, Data: data}); err != nil {
		t.Fatalf("Save = %v after %v", err, time.Since(start))
	}
	took := time.Since(start)
	server.slow.Store(false)
	if r, err := s.Load(t.Context(), at); err != nil || !bytes.Equal(r.Data, data) || took < 1500*time.Millisecond {
		t.Errorf("%d bytes came back, saved in %v; %v", len(r.Data), took, err)
	}
}

// proxy stands between a store and its server, and can keep the answers.
type proxy struct {
	url    string
	silent atomic.Bool  // answers are dropped
	slow   atomic.Bool  // commands go by at some 16 MB a second
	sent   atomic.Int64 // scripts that went by

	accepted, standing atomic.Int64 // connections

	mu    sync.Mutex
	conns []net.Conn
}

func newProxy(t *testing.T) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{url: "redis://" + l.Addr().String()}
	host := strings.TrimPrefix(servers.OwnRedis(t, nil).URL, "redis://")
	var all sync.WaitGroup
	t.Cleanup(func() {
		l.Close()
		p.cut()
		all.Wait()
	})
	all.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", host)
			if err != nil {
				near.Close()
				continue
			}
			p.mu.Lock()
			p.conns = append(p.conns, near, far)
			p.mu.Unlock()
			p.accepted.Add(1)
			p.standing.Add(1)
			all.Go(func() {
				defer p.standing.Add(-1)
				p.copy(far, near, false)
			})
			all.Go(func() { p.copy(near, far, true) })
		}
	})
	return p
}

func (p *proxy) copy(to, from net.Conn, answers bool) {
	defer to.Close()
	defer from.Close()
	for buf := make([]byte, 64<<10); ; {
		n, err := from.Read(buf)
		if !answers && p.slow.Load() {
			time.Sleep(time.Duration(n) * time.Second / (16 << 20))
		}
		if !answers {
			p.sent.Add(int64(strings.Count(string(buf[:n]), "EVALSHA")))
		}
		if n > 0 && (!answers || !p.silent.Load()) {
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// cut breaks all connections.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range p.conns {
		conn.Close()
	}
	p.conns = nil
}
