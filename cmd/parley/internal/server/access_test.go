package server_test

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
)

// logBook is a log that goroutines share.
type logBook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logBook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// line returns the first line that has all of this.
func (l *logBook) line(parts ...string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
next:
	for line := range strings.Lines(l.text.String()) {
		for _, part := range parts {
			if !strings.Contains(line, part) {
				continue next
			}
		}
		return line
	}
	return ""
}

// recording is a server for development whose log is kept.
type recording struct {
	*server.Server
	at   string
	log  *logBook
	stop func()
}

// recorded starts one, which runs until the test ends or stops it.
func recorded(t *testing.T, more string) recording {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Parse([]byte("listen: "+listener.Addr().String()+"\nstore: \"memory:\"\ndev: true\nmodels: {demo: {kind: demo}}\nagents: {assistant: {model: demo}}\n"+more), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	log := &logBook{}
	s, err := server.New(t.Context(), cfg, &server.Options{Logger: slog.New(slog.NewTextHandler(log, nil)), Listener: listener})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	stop := sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return recording{Server: s, at: "http://" + listener.Addr().String(), log: log, stop: stop}
}

func TestTheAccessLogHasALineForEachRequestAndNoSecrets(t *testing.T) {
	r := recorded(t, "log: {access: true}\n")
	at, log, stop := r.at, r.log, r.stop
	for _, path := range []string{"/healthz?code=hidden-code", "/no/such/" + strings.Repeat("long", 100) + "?state=hidden-state"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer hidden-token")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
	socket, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at+"/run/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="} {
		socket.Header.Set(name, value)
	}
	for _, c := range signedIn(t, at, "alice") {
		socket.AddCookie(c)
	}
	answer, err := http.DefaultClient.Do(socket)
	if err != nil || answer.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("a socket behind the access log: %v, %v", answer, err)
	}
	answer.Body.Close()
	stop()
	http.DefaultClient.CloseIdleConnections()
	for _, want := range [][]string{
		{`msg="request served" method=GET path=/healthz status=200 bytes=3 took=`, "address=127.0.0.1"},
		{"path=/no/such/", "…", "status=404"},
		{"path=/run/ws status=101"},
	} {
		if log.line(want...) == "" {
			t.Errorf("no line with %q in %s", want, &log.text)
		}
	}
	if line := log.line("hidden"); line != "" {
		t.Errorf("a secret is in the log: %s", line)
	}
}

func TestRequestsAreNotLoggedUnlessTheConfigurationSaysSo(t *testing.T) {
	r := recorded(t, "")
	answer, err := http.Get(r.at + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	r.stop()
	if line := r.log.line("request served"); line != "" {
		t.Error(line)
	}
}
