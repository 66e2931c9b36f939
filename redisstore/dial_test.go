package redisstore_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/redisstore"
)

func TestTheURLSaysWhoConnectsToWhat(t *testing.T) {
	own := servers.OwnRedis(t, nil)
	client := raw(t, own.URL)
	if _, err := ask(t, client, "ACL", "SETUSER", "alice", "on", ">"+password, "~*", "&*", "+@all"); err != nil {
		t.Fatal(err)
	}
	host := strings.TrimPrefix(own.URL, "redis://")
	for url, want := range map[string]string{
		"redis://" + host:                                     "name= db=0 user=default",
		"redis://" + host + "/":                               "name= db=0 user=default",
		"redis://" + host + "/?db=6":                          "name= db=6 user=default",
		"valkey://" + host + "/3":                             "name= db=3 user=default",
		"redis://" + host + "/3?db=4":                         "name= db=4 user=default",
		"redis://alice:hunter2@" + host + "?client_name=x":    "name=x db=0 user=alice",
		"redis://:anything@" + host + "/2":                    "name= db=2 user=default", // who needs no password may say one
		"redis://" + host + "?protocol=3&client_cache=0":      "name= db=0 user=default",
		"redis://" + host + "?protocol=2&max_retries=3":       "name= db=0 user=default",
		"redis://" + host + "?addr=127.0.0.1:1&db=5":          "name= db=5 user=default", // the first is the server
		"redis://" + host + "?skip_verify=of+what&protocol=9": "name= db=0 user=default",
	} {
		s := open(t, url, &redisstore.Options{})
		list, err := redis.String(ask(t, client, "CLIENT", "LIST"))
		if err != nil {
			t.Fatal(err)
		}
		var seen []string
		for line := range strings.Lines(list) {
			var said []string
			for _, word := range strings.Fields(line) {
				if name, _, _ := strings.Cut(word, "="); name == "name" || name == "db" || name == "user" {
					said = append(said, word)
				}
			}
			seen = append(seen, strings.Join(said, " "))
		}
		if !slices.Contains(seen, want) {
			t.Errorf("%s: %q, want %q", url, seen, want)
		}
		useAll(t, s)
		s.Close()
	}
}

// What stands between us and Redis may know neither HELLO nor users.
func TestAServerThatDoesNotKnowHelloIsSignedInToAsOfOld(t *testing.T) {
	for url, want := range map[string]string{
		"":                            "",
		":hunter2@":                   "AUTH hunter2",
		"alice:hunter2@":              "AUTH alice hunter2",
		":hunter2@/?client_name=x":    "AUTH hunter2; CLIENT SETNAME x",
		":hunter2@/7":                 "AUTH hunter2; SELECT 7",
		"alice:hunter2@/?client_name": "AUTH alice hunter2",
	} {
		var mu sync.Mutex
		var heard []string
		server := newFake(t, func(words []string) (string, bool) {
			mu.Lock()
			defer mu.Unlock()
			if words[0] == "HELLO" {
				return "-ERR unknown command `HELLO`, with args beginning with: \r\n", true
			}
			if words[0] != "CONFIG" {
				heard = append(heard, strings.Join(words, " "))
			}
			return "", true
		})
		user, rest, _ := strings.Cut(url, "@")
		if user != "" {
			user += "@"
		}
		open(t, strings.Replace(server.url, "redis://", "redis://"+user, 1)+rest, &redisstore.Options{}).Close()
		if got := strings.Join(heard, "; "); got != want {
			t.Errorf("%q: heard %q, want %q", url, got, want)
		}
	}
}

// forward passes what comes to a listener on to Redis.
func forward(t *testing.T, l net.Listener) {
	host := strings.TrimPrefix(servers.Redis(t), "redis://")
	var all sync.WaitGroup
	t.Cleanup(func() {
		l.Close()
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
			for _, pair := range [][2]net.Conn{{near, far}, {far, near}} {
				all.Go(func() {
					_, _ = io.Copy(pair[0], pair[1])
					pair[0].Close()
				})
			}
		}
	})
}

func TestAUnixSocketIsAServer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "redis.sock")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	forward(t, l)
	useAll(t, open(t, "unix://"+path+"?db=1", &redisstore.Options{Prefix: newPrefix()}))
}

func TestTLSIsSpokenToServersThatAreWhoTheySay(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, NotAfter: time.Now().Add(time.Hour)}
	signed, err := x509.CreateCertificate(rand.Reader, about, about, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	var named string // by who connects
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		Certificates:       []tls.Certificate{{Certificate: [][]byte{signed}, PrivateKey: key}},
		GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) { named = hello.ServerName; return nil, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	forward(t, l)
	_, port, _ := net.SplitHostPort(l.Addr().String())
	url := "rediss://localhost:" + port
	if s, err := redisstore.Open(t.Context(), url, nil); err == nil || !strings.Contains(err.Error(), "x509") {
		t.Errorf("who signed for itself is trusted: %v", err)
		if err == nil {
			s.Close()
		}
	}
	for _, skip := range []string{"?skip_verify", "?skip_verify=true", "?skip_verify=1"} {
		s := open(t, url+skip, &redisstore.Options{Prefix: newPrefix()})
		useAll(t, s)
		for _, err := range race(64, func(int) error { return s.Put(t.Context(), question("bob"), 0) }) {
			if err != nil {
				t.Error(err)
			}
		}
	}
	if named != "localhost" {
		t.Errorf("the server was called %q", named)
	}
	if s, err := redisstore.Open(t.Context(), url+"?skip_verify=false", nil); err == nil {
		s.Close()
		t.Error("who signed for itself is trusted")
	}
}

func TestATimeoutOfAnAttemptToConnectIsNotTheCallers(t *testing.T) {
	s, err := redisstore.Open(t.Context(), servers.Redis(t)+"?dial_timeout=1ns", nil)
	if err == nil {
		s.Close()
	}
	if err == nil || errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("Open = %v", err)
	}
}

// A server that only listens does not speak TLS either.
func TestConnectingTakesNoLongerThanTheURLSays(t *testing.T) {
	for _, scheme := range []string{"redis://", "rediss://"} {
		start := time.Now()
		s, err := redisstore.Open(t.Context(), scheme+answering(t, "")+"?dial_timeout=200ms", nil)
		if took := time.Since(start); err == nil || took < 200*time.Millisecond || took > 3*time.Second {
			t.Errorf("%s: %v after %v", scheme, err, took)
		}
		if err == nil {
			s.Close()
		} else if strings.Contains(err.Error(), "context") {
			t.Errorf("%s: %v; the caller's context goes on", scheme, err)
		}
	}
}
