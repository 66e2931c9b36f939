package terminal

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// home gives the test a configuration directory of its own, and no token.
func home(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("HOME", dir)
	t.Setenv("AppData", dir)
	t.Setenv(tokenVariable, "")
	t.Setenv(serverVariable, "")
	return dir
}

// person is a browser of somebody who is signed in.
type person struct {
	t      *testing.T
	base   string
	client *http.Client
}

func visit(t *testing.T, base, user string) *person {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &person{t, base, &http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}}}
	p.post("/login", url.Values{"user": {user}})
	return p
}

func (p *person) read(answer *http.Response, err error) string {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(body)
}

func (p *person) get(page string) string {
	p.t.Helper()
	return p.read(p.client.Get(page))
}

func (p *person) post(path string, form url.Values) string {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, p.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", p.base)
	return p.read(p.client.Do(r))
}

var hidden = regexp.MustCompile(`name="(as|user_code)" value="([^"]*)"`)

// decide presses a button of the page that a login leads to.
func (p *person) decide(page, decision string) string {
	p.t.Helper()
	form := url.Values{"decision": {decision}}
	for _, m := range hidden.FindAllStringSubmatch(p.get(page), -1) {
		form.Set(m[1], m[2])
	}
	return p.post("/device", form)
}

// logInAs logs the machine in, with somebody who decides.
func logInAs(t *testing.T, server, user, decision string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	browser := visit(t, server, user)
	err := logIn(t.Context(), append([]string{"--server", server, "--no-keychain", "--name", "a laptop"}, args...), &out, func(page string) bool {
		browser.decide(page, decision)
		return true
	})
	return out.String(), err
}

func TestWhoLogsInNeedsNoToken(t *testing.T) {
	dir, server := home(t), startDemo(t)
	said, err := logInAs(t, server, "alice", "allow")
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, said, "Open  "+server+"/device?user_code=", "Code  ", "Logged in at "+server+" as alice until ", "parley logout ends it")
	file := filepath.Join(dir, "parley", "logins.json")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	inOrder(t, piped(t, []string{"--server", server}, "hello"), "> hello", "I am a small demonstration model")

	var out bytes.Buffer
	if err := logOut(t.Context(), []string{"--server", server}, &out); err != nil || !strings.Contains(out.String(), "Logged out at "+server) {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if got := refusedAt(t, "--server", server); !strings.Contains(got, "run parley login --server "+server) {
		t.Error(got)
	}
	if data, err := os.ReadFile(file); err != nil || strings.Contains(string(data), "parley_login_") {
		t.Errorf("%s, %v", data, err)
	}
}

func TestALoginThatWasEndedElsewhereIsSaidWithWhatHelps(t *testing.T) {
	home(t)
	server := startDemo(t)
	if _, err := logInAs(t, server, "alice", "allow"); err != nil {
		t.Fatal(err)
	}
	browser := visit(t, server, "alice")
	id := regexp.MustCompile(`"id":"([A-Z2-7]+)"`).FindStringSubmatch(browser.get(server + "/api/logins"))
	if id == nil {
		t.Fatal("the login is not listed")
	}
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodDelete, server+"/api/logins/"+id[1], nil)
	r.Header.Set("Origin", server)
	browser.read(browser.client.Do(r))
	if got, want := refusedAt(t, "--server", server), "your login at "+server+" does not hold any more: run parley login --server "+server; got != want {
		t.Errorf("%q", got)
	}
}

func TestALoginThatIsRefusedKeepsNothing(t *testing.T) {
	dir, server := home(t), startDemo(t)
	_, err := logInAs(t, server, "alice", "deny")
	if err == nil || !strings.Contains(err.Error(), "the login was refused") {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "parley")); !os.IsNotExist(err) {
		t.Error(err)
	}
}

func TestLoggingInAgainEndsTheEarlierLogin(t *testing.T) {
	home(t)
	server := startDemo(t)
	for range 2 {
		if _, err := logInAs(t, server, "alice", "allow"); err != nil {
			t.Fatal(err)
		}
	}
	if got := visit(t, server, "alice").get(server + "/api/logins"); strings.Count(got, `"program":"a laptop"`) != 1 {
		t.Error(got)
	}
}

func TestAFileThatOthersCanReadIsNotUsed(t *testing.T) {
	dir, server := home(t), startDemo(t)
	if _, err := logInAs(t, server, "alice", "allow"); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "parley", "logins.json"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := refusedAt(t, "--server", server); !strings.Contains(got, "others can read") {
		t.Error(got)
	}
}

func TestAServerWithoutLoginsIsSaid(t *testing.T) {
	home(t)
	err := logIn(t.Context(), []string{"--server", "http://127.0.0.1:1"}, io.Discard, nil)
	if err == nil || !strings.Contains(err.Error(), "cannot reach http://127.0.0.1:1") {
		t.Error(err)
	}
	err = logIn(t.Context(), []string{"--server", "http://parley.example"}, io.Discard, nil)
	if err == nil || !strings.Contains(err.Error(), "over https only") {
		t.Error(err)
	}
}

func TestALoginIsStopped(t *testing.T) {
	home(t)
	server := startDemo(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := logIn(ctx, []string{"--server", server}, io.Discard, func(string) bool { cancel(); return false })
	if err == nil || !strings.Contains(err.Error(), "stopped") {
		t.Error(err)
	}
}

// patient is how long a test waits for what must come.
const patient = time.Minute

// watched is a screen that tests look at while it is written.
type watched struct {
	mu   sync.Mutex
	text strings.Builder
	more chan struct{}
}

func newWatched() *watched { return &watched{more: make(chan struct{}, 1)} }

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case w.more <- struct{}{}:
	default:
	}
	return w.text.Write(p)
}

// await waits until the screen has a text.
func (w *watched) await(t *testing.T, text string) string {
	t.Helper()
	for {
		w.mu.Lock()
		now := w.text.String()
		w.mu.Unlock()
		if strings.Contains(now, text) {
			return now
		}
		select {
		case <-w.more:
		case <-time.After(patient):
			t.Fatalf("no %q on\n%s", text, now)
		}
	}
}
