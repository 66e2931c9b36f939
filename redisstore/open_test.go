package redisstore_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/redisstore"
)

const password = "hunter2"

func TestOpenExplainsWhatIsWrongWithoutThePassword(t *testing.T) {
	own := servers.OwnRedis(t, nil)
	if _, err := ask(t, raw(t, own.URL), "ACL", "SETUSER", "alice", "on", ">other", "~*", "&*", "+@all"); err != nil {
		t.Fatal(err)
	}
	host := strings.TrimPrefix(own.URL, "redis://")
	for name, test := range map[string]struct{ url, want string }{
		"nobody listens":        {"redis://alice:hunter2@127.0.0.1:1", "cannot be reached"},
		"wrong password":        {"redis://alice:hunter2@" + host, "refuses"},
		"no URL":                {"hunter2@" + host, "percent-encoded"},
		"no such scheme":        {"hunter2:hunter2@" + host, "percent-encoded"},
		"a slash in it":         {"redis://:hunter2/x@" + host, "percent-encoded"},
		"a number sign in it":   {"redis://hunter2:12#x@" + host, "%23 for #"},
		"a question mark in it": {"redis://:x@hunter2/0?x@" + host, "%3F for ?"},
		"a control byte":        {"redis://:hunter2\x7f@" + host, "percent-encoded"},
		"no database number":    {"redis://alice:x@" + host + "/hunter2", "percent-encoded"},
		"it repeats the arguments": {"redis://alice:hunter2@" + answering(t, "-ERR unknown command 'FOO', "+
			"with args beginning with: '3' 'AUTH' 'alice' 'hunter2'\r\n"), "withheld"},
		"it repeats a part of them": {"redis://alice:hunter2" + strings.Repeat("-and-more", 40) + "@" + answering(t, "-ERR unknown command 'FOO', "+
			"with args beginning with: '3' 'AUTH' 'alice' 'hunter2"+strings.Repeat("-and-more", 10)+"\r\n"), "withheld"},
		"it is that of another place": {"redis://127.0.0.1:1?master_set=x&addr=alice:hunter2@127.0.0.1:1", "write addr=host:6379"},
		"it is not Redis":             {"redis://alice:hunter2@" + answering(t, "HTTP/1.1 400 Bad Request\r\n\r\n"), "cannot be reached"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := redisstore.Open(t.Context(), test.url, nil)
			if err == nil {
				s.Close()
				t.Fatal("opened")
			}
			t.Log(err)
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("want %q in it", test.want)
			}
			if strings.Contains(err.Error(), password) {
				t.Error("the password is in it")
			}
		})
	}
}

// A password that is the host's name, as on many a desk, hides nothing of what is wrong.
func TestAPasswordThatIsTheNameOfTheHostHidesNoError(t *testing.T) {
	s, err := redisstore.Open(t.Context(), "redis://:redis@redis.invalid", nil)
	if err == nil {
		s.Close()
	}
	if err == nil || strings.Contains(err.Error(), "withheld") || !strings.Contains(err.Error(), "lookup redis.invalid") {
		t.Errorf("Open = %v", err)
	}
	host := answering(t, "-ERR unknown command 'FOO', with args beginning with: '3' 'AUTH' 'default' '127.0.0.1'\r\n")
	s, err = redisstore.Open(t.Context(), "redis://:127.0.0.1@"+host, nil)
	if err == nil {
		s.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "withheld") {
		t.Errorf("Open = %v", err)
	}
}

func TestWhatTheLibraryWouldPassOverInAURLIsRefused(t *testing.T) {
	for url, want := range map[string]string{
		"redis://127.0.0.1:6379/0?foo=bar":           `"foo": there is no such parameter of a URL; there are addr, `,
		"redis://127.0.0.1:6379/0?DB=1":              `"DB": there is no such`,
		"redis://:hunter2@127.0.0.1/0?space=a":       `"space": there is no such`,
		"redis://:hunter2@127.0.0.1/0?db=1;hunter2":  "cannot be read",
		"redis://:hunter2@127.0.0.1/0#space=hunter2": "behind a #",
		"redis:hunter2": "names no server",
		"rediss://:hunter2@127.0.0.1?password=hunter2": `"password": there is no such`,
	} {
		_, opened := redisstore.Open(t.Context(), url, nil)
		for how, err := range map[string]error{"check": redisstore.CheckURL(url), "open": opened} {
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), password) {
				t.Errorf("%s %s: %v", how, url, err)
			}
		}
	}
	const all = "rediss://a:b@127.0.0.1:1/0?addr=127.0.0.2:1&client_cache=0&client_name=x&db=1&dial_timeout=1s&master_set=m&max_retries=0&protocol=2&skip_verify=true&write_timeout=1s"
	if err := redisstore.CheckURL(all); err != nil {
		t.Error(err)
	}
}

func TestOpenRefusesWhatCannotWork(t *testing.T) {
	for _, opts := range []redisstore.Options{{Prefix: "a}b"}, {Prefix: "{a"}, {Retention: -time.Second}} {
		if s, err := redisstore.Open(t.Context(), servers.Redis(t), &opts); err == nil {
			s.Close()
			t.Errorf("opened with %+v", opts)
		}
	}
}

func TestOpenEndsWithItsContext(t *testing.T) {
	url := "redis://" + answering(t, "") + "?dial_timeout=2s"
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	s, err := redisstore.Open(ctx, url, nil)
	if err == nil {
		s.Close()
	}
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > time.Second {
		t.Errorf("Open = %v after %v", err, time.Since(start))
	}
}

func TestOpenSaysOnceWhenTheServerCanLoseQuestions(t *testing.T) {
	own := servers.OwnRedis(t, nil)
	client := raw(t, own.URL)
	opened := func(url string) string {
		var log bytes.Buffer
		open(t, url, &redisstore.Options{Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
		return log.String()
	}
	if log := opened(own.URL); log != "" {
		t.Errorf("a durable server is warned of: %s", log)
	}
	for _, setting := range [][3]string{
		{"appendonly", "no", "appendonly yes"},
		{"maxmemory-policy", "allkeys-lru", "noeviction"},
	} {
		if _, err := ask(t, client, "CONFIG", "SET", setting[0], setting[1]); err != nil {
			t.Fatal(err)
		}
		log := opened(own.URL)
		if !strings.Contains(log, "level=WARN") || !strings.Contains(log, setting[2]) || strings.Count(log, "\n") != 1 {
			t.Errorf("with %s %s it says: %q", setting[0], setting[1], log)
		}
	}
	if _, err := ask(t, client, "ACL", "SETUSER", "app", "on", ">"+password, "~{parley}:*", "&{parley}:*", "+@all", "-@admin", "-@dangerous"); err != nil {
		t.Fatal(err)
	}
	limited := strings.Replace(own.URL, "redis://", "redis://app:"+password+"@", 1)
	if log := opened(limited); !strings.Contains(log, "level=DEBUG") || strings.Count(log, "\n") != 1 {
		t.Errorf("without the right to read the configuration it says: %q", log)
	}
	useAll(t, open(t, limited, &redisstore.Options{}))
}

// useAll calls everything once.
func useAll(t *testing.T, s *redisstore.Store) {
	t.Helper()
	h := watch(t, s)
	r := put(t, s, question("alice"))
	if err := s.Settle(t.Context(), r.ID, accepted("x")); err != nil {
		t.Fatal(err)
	}
	h.await(t, r.ID)
	for _, q := range []parley.Query{{}, {Tenant: "acme"}, {Tenant: "acme", To: "alice"}, {Tenant: "acme", Session: "session-1"}} {
		if list, err := s.List(t.Context(), q); err != nil || len(list) != 1 || list[0].Pending() {
			t.Errorf("List(%+v) = %+v, %v", q, list, err)
		}
	}
	if list, err := s.List(t.Context(), parley.Query{Pending: true, ExpiresBefore: now().Add(time.Hour)}); err != nil || len(list) != 0 {
		t.Errorf("List of what is due = %+v, %v", list, err)
	}
	at := parley.Address{Tenant: "acme", Kind: "grant", Key: "k"}
	if _, err := s.Save(t.Context(), parley.Record{Address: at, Expires: now().Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	if list, err := s.Scan(t.Context(), at, "", 0); err != nil || len(list) != 1 {
		t.Errorf("Scan = %+v, %v", list, err)
	}
	if err := s.Delete(t.Context(), at, 0); err != nil {
		t.Error(err)
	}
	if err := s.Sweep(t.Context(), now().Add(365*24*time.Hour)); err != nil {
		t.Error(err)
	}
	if list, err := s.List(t.Context(), parley.Query{}); err != nil || len(list) != 0 {
		t.Errorf("List after the sweep = %+v, %v", list, err)
	}
}

// answering is the address of a server that says the same to everything.
func answering(t *testing.T, answer string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	t.Cleanup(func() {
		l.Close()
		all.Wait()
	})
	all.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			stop := context.AfterFunc(t.Context(), func() { conn.Close() })
			all.Go(func() {
				defer stop()
				defer conn.Close()
				for in := bufio.NewScanner(conn); in.Scan(); {
					if strings.HasPrefix(in.Text(), "*") {
						fmt.Fprint(conn, answer)
					}
				}
			})
		}
	})
	return l.Addr().String()
}
