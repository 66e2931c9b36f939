package chat_test

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/interop/kit"
)

// chatSite is a whole server with a chat, and Alice signed in.
type chatSite struct {
	url    string
	cookie string
	store  backend.Store // the server's
}

// startChat plays the demonstration as people start it, until the test ends.
func startChat(t *testing.T) chatSite {
	t.Helper()
	dir := t.TempDir()
	n := &kit.Node{Cmd: exec.Command(kit.BuildParley(t), "demo", "--addr", kit.FreeAddresses(t, 1)[0]), Ended: make(chan struct{})}
	n.Url = "http://" + n.Cmd.Args[3]
	n.Cmd.Env = append(os.Environ(), "TMPDIR="+dir) // where it keeps its database
	n.Run(t)
	files, err := filepath.Glob(filepath.Join(dir, "parley-demo-*", "parley-demo.db"))
	if err != nil || len(files) != 1 {
		t.Fatalf("its databases: %q, %v", files, err)
	}
	store, err := backend.Open(t.Context(), "sqlite:"+files[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return chatSite{url: n.Url, cookie: sessionOf(t, n.Url), store: store}
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
func (s chatSite) drive(t *testing.T, program, conversation string, options kit.Fields, into any) {
	t.Helper()
	all := kit.Fields{"url": s.url, "cookie": s.cookie, "conversation": conversation, "headers": shows, "action": "accept"}
	maps.Copy(all, options)
	raw, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), kit.Patience)
	defer cancel()
	var said kit.Output
	cmd := exec.CommandContext(ctx, kit.SuiteNode(t), "npm/"+program, string(raw))
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
