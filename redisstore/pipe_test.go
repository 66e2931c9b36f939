package redisstore_test

import (
	"context"
	"errors"
	"fmt"
	"io"
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

// counted is a socket that counts its writes.
type counted struct {
	net.Conn
	writes atomic.Int64
}

func (c *counted) Write(p []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(p)
}

// onSocket opens a store on a socket to a server.
func onSocket(t *testing.T) (*redisstore.Store, *counted) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(servers.Redis(t), "redis://"))
	if err != nil {
		t.Fatal(err)
	}
	c := &counted{Conn: conn}
	s := redisstore.OnSocket(c)
	t.Cleanup(func() { s.Close() })
	return s, c
}

func TestTheCommandsOfManyCallersShareWrites(t *testing.T) {
	s, socket := onSocket(t)
	const callers, each = 64, 50
	for _, err := range race(callers, func(int) error {
		for range each {
			if _, err := s.Get(t.Context(), "nothing"); !errors.Is(err, parley.ErrNotFound) {
				return err
			}
		}
		return nil
	}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d calls in %d writes", callers*each, socket.writes.Load())
	if writes := socket.writes.Load(); writes > callers*each*2/3 {
		t.Errorf("%d calls took %d writes", callers*each, writes)
	}
	before := socket.writes.Load()
	for range each {
		if _, err := s.Get(t.Context(), "nothing"); !errors.Is(err, parley.ErrNotFound) {
			t.Fatal(err)
		}
	}
	if writes := socket.writes.Load() - before; writes < each || writes > each+9 { // a ping comes in between at times
		t.Errorf("%d calls one after another took %d writes", each, writes)
	}
}

// notes are records that have their own key as data.
func notes(t *testing.T, s *redisstore.Store, n int) []parley.Address {
	t.Helper()
	all := make([]parley.Address, n)
	for i := range all {
		all[i] = parley.Address{Tenant: "acme", Kind: "note", Key: fmt.Sprintf("%d-%s", i, strings.Repeat("x", i*37%9000))}
		if _, err := s.Save(t.Context(), parley.Record{Address: all[i], Data: []byte(all[i].Key)}); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func own(s *redisstore.Store, ctx context.Context, at parley.Address) error {
	r, err := s.Load(ctx, at)
	if err == nil && string(r.Data) != at.Key {
		err = fmt.Errorf("the record of %.20q has the data of %.20q", at.Key, r.Data)
	}
	return err
}

func TestEveryCallerGetsTheirOwnReplyThoughOthersLeave(t *testing.T) {
	s, _, _ := pair(t, redisstore.Options{})
	const callers, each = 64, 60
	all := notes(t, s, callers)
	var left atomic.Int64
	for _, err := range race(callers, func(i int) error {
		for round := range each {
			ctx, cancel := t.Context(), context.CancelFunc(func() {})
			if leaves := (i+round)%3 == 0; leaves {
				ctx, cancel = context.WithTimeout(ctx, time.Duration(i*round%400)*time.Microsecond)
			}
			err := own(s, ctx, all[(i+round)%callers])
			cancel()
			if errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil {
				left.Add(1)
			} else if err != nil {
				return err
			}
		}
		return nil
	}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d of %d left", left.Load(), callers*each)
	if left.Load() == 0 {
		t.Error("nobody has left")
	}
}

// A list of a store with many tenants has many indexes to ask.
func TestTheRepliesToSeveralCommandsStayTogether(t *testing.T) {
	s, _, _ := pair(t, redisstore.Options{})
	const tenants = 600
	fill(t, s, tenants, func(i int, r *parley.Request) { r.Tenant = fmt.Sprint("tenant-", i) })
	all := notes(t, s, 16)
	for _, err := range race(16, func(i int) error {
		for range 5 {
			if i%2 == 0 {
				if list, err := s.List(t.Context(), parley.Query{Limit: parley.MaxLimit}); err != nil || len(list) != tenants {
					return fmt.Errorf("%d listed, %w", len(list), err)
				}
			} else if err := own(s, t.Context(), all[i]); err != nil {
				return err
			}
		}
		return nil
	}) {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// More callers than a connection takes wait for a place, and none is lost.
func TestCallersWaitForAPlaceInTheQueue(t *testing.T) {
	const callers = 3 * redisstore.MostCalls
	silent := make(chan struct{})
	server := newFake(t, func(words []string) (string, bool) {
		if words[0] != "GET" {
			return "", true
		}
		<-silent
		name := words[1][strings.LastIndex(words[1], ":")+1:]
		return fmt.Sprintf("-ERR you asked for %s\r\n", name), true
	})
	s := open(t, server.url+"?write_timeout=1m", &redisstore.Options{})
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() {
			name := fmt.Sprint("id-", i)
			if _, err := s.Get(t.Context(), parley.ID(name)); err == nil || !strings.HasSuffix(err.Error(), "for "+name) {
				t.Errorf("Get %s = %v", name, err)
			}
		})
	}
	time.Sleep(50 * time.Millisecond) // for all to be there, as far as they can
	close(silent)
	all.Wait()
}

// Who waits for a place has not sent anything, and goes on when the connection ends.
func TestWhoWaitsForAPlaceGoesOnOverTheNextConnection(t *testing.T) {
	const callers = 3 * redisstore.MostCalls
	silent := make(chan struct{})
	var server *fake
	server = newFake(t, func(words []string) (string, bool) {
		switch {
		case words[0] != "GET":
			return "", true
		case server.accepted.Load() > 1:
			return "$-1\r\n", true
		}
		<-silent
		return mute, false
	})
	s := open(t, server.url+"?write_timeout=1m", &redisstore.Options{})
	broken := 0
	time.AfterFunc(300*time.Millisecond, func() { close(silent) }) // all are there then, as far as they can
	for _, err := range race(callers, func(int) error { _, err := s.Get(t.Context(), "x"); return err }) {
		if !errors.Is(err, parley.ErrNotFound) {
			broken++
		}
	}
	if broken > redisstore.MostCalls {
		t.Errorf("%d calls failed, of which %d were sent at most", broken, redisstore.MostCalls)
	}
}

// A server that does not even read holds nobody, whatever they have to say, and none of it
// is collected without an end.
func TestAFullSocketHoldsNobodyLongerThanTheirContext(t *testing.T) {
	near, far := net.Pipe() // which has no room at all
	t.Cleanup(func() { far.Close() })
	s := redisstore.OnSocket(near)
	t.Cleanup(func() { s.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(200*time.Millisecond, cancel)
	large := make([]byte, 1<<19)
	start := time.Now()
	for _, err := range race(80, func(i int) error {
		_, err := s.Save(ctx, parley.Record{Address: parley.Address{Tenant: "acme", Kind: "note", Key: fmt.Sprint(i)}, Data: large[:i%2*len(large)]})
		return err
	}) {
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("Save = %v", err)
		}
	}
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("callers were held for %v", took)
	}
	_ = far.SetReadDeadline(time.Now().Add(time.Second)) // now it reads what was sent
	if sent, err := io.Copy(io.Discard, far); sent > 8<<20 {
		t.Errorf("%d bytes were collected (%v)", sent, err)
	} else {
		t.Logf("%d bytes were collected", sent)
	}
}

// slow is a socket that takes a few bytes at a time, and then makes others wait.
type slow struct{ net.Conn }

func (s slow) Write(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var m int
		m, err = s.Conn.Write(p[n:min(n+1000, len(p))])
		n += m
		time.Sleep(time.Millisecond)
	}
	return n, err
}

func TestWhatASlowSocketLeavesIsSentLater(t *testing.T) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(servers.Redis(t), "redis://"))
	if err != nil {
		t.Fatal(err)
	}
	s := redisstore.OnSocket(slow{conn})
	t.Cleanup(func() { s.Close() })
	data := []byte(strings.Repeat("0123456789", 2000))
	for _, err := range race(8, func(i int) error {
		at := parley.Address{Tenant: string(parley.NewID()), Kind: "note", Key: fmt.Sprint(i)}
		if _, err := s.Save(t.Context(), parley.Record{Address: at, Data: data}); err != nil {
			return err
		}
		if r, err := s.Load(t.Context(), at); err != nil || string(r.Data) != string(data) {
			return fmt.Errorf("%d bytes came back, %w", len(r.Data), err)
		}
		return s.Delete(t.Context(), at, 0)
	}) {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestCloseEndsTheCallsInProgress(t *testing.T) {
	server := newProxy(t)
	s := open(t, server.url, &redisstore.Options{})
	server.silent.Store(true)
	const callers = 2 * redisstore.MostCalls // some wait for a place
	time.AfterFunc(100*time.Millisecond, func() { s.Close() })
	for _, err := range race(callers, func(int) error { _, err := s.Get(t.Context(), "nothing"); return err }) {
		if err == nil || !strings.Contains(err.Error(), "the store is closed") {
			t.Fatalf("Get = %v", err)
		}
	}
}

func TestCloseEndsAnAttemptToConnect(t *testing.T) {
	server := newProxy(t)
	s := open(t, server.url+"?dial_timeout=1m", &redisstore.Options{})
	server.silent.Store(true)
	server.cut()
	time.AfterFunc(100*time.Millisecond, func() { s.Close() })
	start := time.Now()
	for {
		_, err := s.Get(t.Context(), "nothing")
		if err != nil && strings.Contains(err.Error(), "the store is closed") {
			break
		}
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}
