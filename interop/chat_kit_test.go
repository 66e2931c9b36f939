package interop_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/internal/demo"
)

// chatSite is a whole server with a chat, and Alice signed in.
type chatSite struct {
	url    string
	cookie string
	store  backend.Store // the server's
}

func startChat(t *testing.T) chatSite {
	t.Helper()
	dir := t.TempDir()
	logger := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	d, err := demo.New(t.Context(), &demo.Options{Addr: "127.0.0.1:0", Dir: dir, Logger: logger})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- d.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := errors.Join(<-done, d.Close()); err != nil {
			t.Error(err)
		}
	})
	store, err := backend.Open(t.Context(), "sqlite:"+filepath.Join(dir, "parley-demo.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return chatSite{url: d.URL, cookie: sessionOf(t, d.URL), store: store}
}

// sessionOf returns the cookie of a session of Alice's.
func sessionOf(t *testing.T, base string) string {
	t.Helper()
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	answer, err := client.PostForm(base+"/login", url.Values{"user": {"alice"}})
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	for _, c := range answer.Cookies() {
		if c.Name == "parley_session" {
			return c.Name + "=" + c.Value
		}
	}
	t.Fatalf("no cookie: %s", answer.Status)
	return ""
}

// questions returns every question that the server asked in a conversation.
func (s chatSite) questions(t *testing.T, conversation string) (all []parley.Request) {
	t.Helper()
	list, err := s.store.List(t.Context(), parley.Query{Limit: parley.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if r.Session == conversation {
			all = append(all, r)
		}
	}
	return all
}

// drive runs a program of npm/ for one turn and stores its report.
func (s chatSite) drive(t *testing.T, program, conversation string, options fields, into any) {
	t.Helper()
	all := fields{"url": s.url, "cookie": s.cookie, "conversation": conversation, "headers": shows, "action": "accept"}
	maps.Copy(all, options)
	raw, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var said output
	cmd := exec.CommandContext(ctx, suiteNode(t), "npm/"+program, string(raw))
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, into)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s wrote:\n%s%s", program, out, said.String())
		}
	})
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
}
