package redisstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/redisstore"
)

// What is no reply, or breaks off, is an error of those who wait; the next call connects anew.
func TestAReplyThatCannotBeReadEndsTheConnection(t *testing.T) {
	for name, test := range map[string]struct {
		answer string
		stays  bool // the server does not hang up
	}{
		"of another protocol":           {"HTTP/1.1 400 Bad Request\r\n\r\n", true},
		"of zeros":                      {"\x00\x00\x00\x00\r\n", true},
		"with an empty line":            {"\r\n", true},
		"with a line that is bare":      {"+OK\n", true},
		"with no length":                {"$\r\n", true},
		"with a wrong length":           {"$3\r\nabcdef\r\n", true},
		"with a negative length":        {"$-5\r\n", true},
		"longer than memory":            {"$9223372036854775807\r\n", true},
		"of more parts than that":       {"*9223372036854775807\r\n", true},
		"of a hundred gigabytes":        {"$100000000000\r\nabc", true},
		"of more than a value has":      {"$536870913\r\nabc", true},
		"of a length that wraps round":  {"$18446744073709551617\r\na\r\n", true},
		"of ten billion parts":          {"*10000000000\r\n", true},
		"of lists in lists in lists":    {strings.Repeat("*1\r\n", 3_000_000), true},
		"of a line without an end":      {"+" + strings.Repeat("x", 1<<20), true},
		"with a number that is none":    {":12a\r\n", true},
		"that is none":                  {"", false},
		"that breaks off":               {"$100\r\nabc", false},
		"that breaks off in its length": {"$10", false},
		"that breaks off in a list":     {"*3\r\n$1\r\na\r\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			var well atomic.Bool
			server := newFake(t, func(words []string) (string, bool) {
				switch {
				case words[0] != "GET":
					return "", true
				case well.Load():
					return "$-1\r\n", true
				}
				return test.answer, test.stays
			})
			s := open(t, server.url, &redisstore.Options{})
			errs := race(5, func(int) error { _, err := s.Get(t.Context(), "x"); return err })
			t.Log(errs[0])
			for _, err := range errs {
				if err == nil || errors.Is(err, parley.ErrNotFound) || !strings.Contains(err.Error(), "cannot be reached or does not answer") {
					t.Errorf("Get = %v", err)
				}
			}
			well.Store(true)
			if _, err := s.Get(t.Context(), "x"); !errors.Is(err, parley.ErrNotFound) {
				t.Errorf("Get from a server that is well again = %v", err)
			}
		})
	}
}

func TestAReplyThatNeverComesEndsTheConnection(t *testing.T) {
	server := newFake(t, func(words []string) (string, bool) {
		if words[0] == "GET" {
			return mute, true
		}
		return "", true
	})
	s := open(t, server.url+"?write_timeout=200ms", &redisstore.Options{})
	start := time.Now()
	for _, err := range race(5, func(int) error { _, err := s.Get(t.Context(), "x"); return err }) {
		if err == nil || errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "no answer within 200ms") {
			t.Errorf("Get = %v", err)
		}
	}
	if took := time.Since(start); took < 200*time.Millisecond || took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}

// One reply too many would shift all that follow.
func TestAReplyThatNobodyAskedForEndsTheConnection(t *testing.T) {
	server := newFake(t, func(words []string) (string, bool) {
		if words[0] == "GET" {
			return "$-1\r\n$5\r\nalien\r\n", true
		}
		return "", true
	})
	s := open(t, server.url, &redisstore.Options{})
	for i := range int64(3) {
		if _, err := s.Get(t.Context(), "x"); !errors.Is(err, parley.ErrNotFound) || server.accepted.Load() != i+1 {
			t.Fatalf("Get = %v, over connection %d", err, server.accepted.Load())
		}
		for deadline := time.Now().Add(patience); server.standing.Load() > 0; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("the connection stays")
			}
		}
	}
}

func TestAScriptThatTheServerForgotIsSentAgain(t *testing.T) {
	own := servers.OwnRedis(t, nil)
	client := raw(t, own.URL)
	s := open(t, own.URL, &redisstore.Options{})
	for range 3 {
		r := put(t, s, question("alice"))
		if _, err := ask(t, client, "SCRIPT", "FLUSH"); err != nil {
			t.Fatal(err)
		}
		if err := s.Settle(t.Context(), r.ID, accepted("x")); err != nil {
			t.Fatal(err)
		}
		if _, err := ask(t, client, "SCRIPT", "FLUSH"); err != nil {
			t.Fatal(err)
		}
	}
}

// Only what the server has not run is sent a second time.
func TestNoOtherRefusalOfAScriptIsAnsweredByAnother(t *testing.T) {
	for _, refusal := range []string{"ERR something", "LOADING Redis is loading", "READONLY You can't write", "NOPERM no permissions", "MOVED 1 127.0.0.1:1", "BUSY Redis is busy", "OOM command not allowed"} {
		var sent atomic.Int64
		server := newFake(t, func(words []string) (string, bool) {
			if strings.HasPrefix(words[0], "EVAL") {
				sent.Add(1)
				return "-" + refusal + "\r\n", true
			}
			return "", true
		})
		s := open(t, server.url, &redisstore.Options{})
		err := s.Settle(t.Context(), "x", accepted("x"))
		if err == nil || !strings.Contains(err.Error(), "refuses: "+refusal) || sent.Load() != 1 {
			t.Errorf("%s: Settle = %v, sent %d times", refusal, err, sent.Load())
		}
		if server.accepted.Load() != 1 {
			t.Errorf("%s: connected %d times", refusal, server.accepted.Load())
		}
	}
}

// A name that leads to a primary leads to another one after a failover, and the former one
// keeps its connections.
func TestAServerThatBecameAReplicaIsLeft(t *testing.T) {
	for _, refusal := range []string{
		"READONLY You can't write against a read only replica. script: x, on @user_script:1.",
		"ERR Error running script (call to f_x): @user_script:16: @user_script: 16: -READONLY You can't write against a read only replica.", // Redis 6
	} {
		var server *fake
		server = newFake(t, func(words []string) (string, bool) {
			switch {
			case words[0] == "SUBSCRIBE":
				return fmt.Sprintf("*3\r\n$9\r\nsubscribe\r\n$%d\r\n%s\r\n:1\r\n", len(words[1]), words[1]), true
			case words[0] == "EVALSHA" && server.accepted.Load() == 2: // the watch is one
				return "-" + refusal + "\r\n", true
			case words[0] == "EVALSHA":
				return ":1\r\n", true
			}
			return "", true
		})
		s := open(t, server.url, &redisstore.Options{})
		h := watch(t, s)
		if err := s.Put(t.Context(), question("alice"), 0); err == nil || !strings.Contains(err.Error(), "refuses: "+refusal) {
			t.Errorf("Put = %v, want %s", err, refusal)
		}
		if err := h.end(t); err == nil || !strings.Contains(err.Error(), "another server is the primary now") {
			t.Errorf("Watch = %v", err)
		}
		if err := s.Put(t.Context(), question("alice"), 0); err != nil {
			t.Errorf("the next Put = %v", err)
		}
	}
}

// An answer is a sign of life, whatever it says, and a connection that nobody uses is asked
// for one.
func TestAnIdleConnectionStays(t *testing.T) {
	t.Parallel()
	own := servers.OwnRedis(t, nil)
	client := raw(t, own.URL)
	connections := func() string {
		info, err := redis.String(ask(t, client, "INFO", "stats"))
		if err != nil {
			t.Fatal(err)
		}
		_, count, _ := strings.Cut(info, "total_connections_received:")
		count, _, _ = strings.Cut(count, "\r")
		return count
	}
	const timeout = "?write_timeout=500ms"
	everybody := open(t, own.URL+timeout, &redisstore.Options{})
	mute := open(t, as(t, own.URL, slices.Concat(allRights, wantedRights)...)+timeout, &redisstore.Options{}) // who may not ping
	watches := []*hints{watch(t, everybody), watch(t, mute)}
	before := connections()
	time.Sleep(2500 * time.Millisecond)
	if after := connections(); after != before {
		t.Errorf("%s connections, before %s", after, before)
	}
	useOne(t, everybody)
	useOne(t, mute)
	for _, h := range watches {
		select {
		case err := <-h.done:
			t.Errorf("Watch returned %v", err)
		default:
		}
	}
}

func TestAnIdleConnectionToASilentServerIsGivenUp(t *testing.T) {
	t.Parallel()
	server := newProxy(t)
	s := open(t, server.url+"?write_timeout=200ms", &redisstore.Options{})
	server.silent.Store(true)
	for deadline := time.Now().Add(patience); server.standing.Load() > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the connection stays")
		}
	}
	server.silent.Store(false)
	if _, err := s.Get(t.Context(), "x"); !errors.Is(err, parley.ErrNotFound) {
		t.Errorf("Get = %v", err)
	}
}

// A reply that takes its time while it comes is not a silent server.
func TestALongReplyIsNotGivenUpWhileItComes(t *testing.T) {
	t.Parallel()
	server := newFake(t, func(words []string) (string, bool) {
		if words[0] == "GET" {
			return "-" + strings.Repeat(pause+"x", 15) + " is what it says\r\n", true
		}
		return "", true
	})
	s := open(t, server.url+"?write_timeout=1s", &redisstore.Options{})
	if _, err := s.Get(t.Context(), "x"); err == nil || !strings.Contains(err.Error(), strings.Repeat("x", 15)+" is what it says") {
		t.Errorf("Get = %v", err)
	}
}
