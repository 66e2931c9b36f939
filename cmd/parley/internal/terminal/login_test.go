package terminal

import (
	"bytes"
	"context"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley/internal/visitor"
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

// visit is somebody's browser, in which they are signed in.
func visit(t *testing.T, base, user string) *visitor.Visitor {
	t.Helper()
	v := visitor.New()
	t.Cleanup(v.Leave)
	if err := v.Send(t.Context(), base+"/login", url.Values{"user": {user}}); err != nil {
		t.Fatal(err)
	}
	return v
}

// logins is what the person's list of logins says.
func logins(t *testing.T, base, user string) string {
	t.Helper()
	v := visit(t, base, user)
	if err := v.Open(t.Context(), "/api/logins"); err != nil {
		t.Fatal(err)
	}
	return v.Text()
}

// logInAs logs the machine in, with somebody who decides.
func logInAs(t *testing.T, server, user, decision string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	browser := visit(t, server, user)
	button := map[string]string{"allow": "The codes are the same", "deny": "Refuse"}[decision]
	err := logIn(t.Context(), append([]string{"--server", server, "--no-keychain", "--name", "a laptop"}, args...), &out, func(page string) bool {
		err := browser.Open(t.Context(), page)
		if err == nil {
			err = browser.Press(t.Context(), button, nil)
		}
		if err != nil {
			t.Error(err)
		}
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
	id := regexp.MustCompile(`"id":"([A-Z2-7]+)"`).FindStringSubmatch(logins(t, server, "alice"))
	if id == nil {
		t.Fatal("the login is not listed")
	}
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodDelete, server+"/api/logins/"+id[1], nil)
	r.Header.Set("Origin", server)
	answer, err := browser.Browser.Do(r)
	if err != nil || answer.StatusCode != http.StatusNoContent {
		t.Fatalf("%v, %v", answer, err)
	}
	answer.Body.Close()
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
	if got := logins(t, server, "alice"); strings.Count(got, `"program":"a laptop"`) != 1 {
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

// Only a server that shows another way to sign in, or none, is no development server.
func TestAFailedSignInByNameIsSaidAsTheServerAnsweredIt(t *testing.T) {
	home(t)
	const other = `does not let "alice" sign in by name; only development servers do, others take parley login or --token`
	answers := func(status int, kind, body string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	for name, c := range map[string]struct{ server, want string }{
		"not for development": {nodesOf(t, 1, `secrets: ["0123456789abcdef0123456789abcdef"]`, `auth: {jwt: {issuer: "https://app.example", audience: parley, hmac_key: "0123456789abcdef0123456789abcdef"}}`)[0].url, other},
		"another program":     {answers(404, "text/plain", "404 page not found"), other},
		"in trouble, a page":  {answers(503, "text/html", "<h1>That did not work</h1>"), `did not let "alice" sign in: it answered 503 Service Unavailable`},
		"in trouble, JSON":    {answers(503, "application/json", `{"error":"The server is being restarted.\u001b[2J"}`), `did not let "alice" sign in: it answered 503 Service Unavailable: The server is being restarted.\x1b[2J`},
		"too often":           {answers(429, "application/problem+json", `{"detail":"These are too many requests."}`), `did not let "alice" sign in: it answered 429 Too Many Requests: These are too many requests.`},
	} {
		if got, want := refusedAt(t, "--server", c.server, "--user", "alice"), c.server+" "+c.want; got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := refusedAt(t, "--server", "http://127.0.0.1:1", "--user", "alice"); !strings.HasPrefix(got, "cannot reach http://127.0.0.1:1") {
		t.Errorf("nobody there: %q", got)
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

func TestHelpShowsNoToken(t *testing.T) {
	home(t)
	t.Setenv(tokenVariable, "a-secret-token")
	var out bytes.Buffer
	flags := flag.NewFlagSet("parley", flag.ContinueOnError)
	flags.SetOutput(&out)
	(&account{}).flags(flags)
	flags.PrintDefaults()
	if strings.Contains(out.String(), "a-secret-token") || !strings.Contains(out.String(), tokenVariable) {
		t.Error(out.String())
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
