package main

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/seal"
)

// A secret is changed as the documentation says, and nothing is lost when the old one is
// gone: who is signed in stays so, what was asked is answered. Who takes the old one out
// too early is told so everywhere.
func TestASecretIsChangedAndNothingIsLost(t *testing.T) {
	const first, second = "the first secret, of thirty-two bytes", "the next secret, of thirty-two bytes!"
	dir := t.TempDir()
	file := filepath.Join(dir, "parley.yaml")
	with := func(secrets ...string) *server.Server {
		text := "dev: true\nstore: sqlite:" + filepath.Join(dir, "parley.db") + "\nmodels: {demo: {kind: demo}}\nagents: {assistant: {model: demo}}\nsecrets: [\"" + strings.Join(secrets, `", "`) + "\"]\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cfg, err := config.LoadDev(file, false, os.LookupEnv)
		if err != nil {
			t.Fatal(err)
		}
		s, err := server.New(t.Context(), cfg, &server.Options{Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	asks := func(s *server.Server, method, path, body string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Host = "127.0.0.1:8420"
		for i := 0; i+1 < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		return w
	}
	told := func(args ...string) string {
		t.Helper()
		var out bytes.Buffer
		if err := secrets(t.Context(), append(args, "-c", file), &out); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), first) || strings.Contains(out.String(), second) {
			t.Error("a secret is printed")
		}
		return out.String()
	}
	closed := func(s *server.Server) {
		t.Helper()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}

	s := with(first)
	in := asks(s, http.MethodPost, "/login", url.Values{"user": {"alice"}}.Encode(), "Content-Type", "application/x-www-form-urlencoded").Result().Cookies()
	if len(in) == 0 {
		t.Fatal("nobody is signed in")
	}
	cookie := in[0].Name + "=" + in[0].Value
	q, err := s.Hub.Open(t.Context(), parley.Request{To: "alice", Mode: parley.Form, Message: "Is all of it still there?"})
	if err != nil {
		t.Fatal(err)
	}
	closed(s)
	old, err := seal.New([]byte(first))
	if err != nil {
		t.Fatal(err)
	}

	s = with(first, second)
	if said := told(); !strings.Contains(said, "nothing is sealed with it yet") || strings.Contains(said, "can go") {
		t.Errorf("with the next one behind: %s", said)
	}
	closed(s)

	closed(with(second, first))
	early := with(second)
	wrong := func(what, said string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(said, "sealed with another secret") || !strings.Contains(said, "key "+old.ID()) || !strings.Contains(said, "Put it behind the first one") {
			t.Errorf("%s: %s, %v", what, said, err)
		}
	}
	for _, path := range []string{"/readyz", "/api/elicitations?state=pending", "/inbox", "/api/audit/export", "/mcp"} {
		w := asks(early, http.MethodGet, path, "", "Cookie", cookie)
		if w.Code != http.StatusServiceUnavailable {
			t.Errorf("%s: %d", path, w.Code)
		}
		wrong(path, w.Body.String(), http.ErrAbortHandler)
	}
	var out bytes.Buffer
	err = secrets(t.Context(), []string{"-c", file}, &out)
	wrong("secrets", fmt.Sprint(err), err)
	out.Reset()
	err = check(t.Context(), []string{"-c", file, "--online"}, &out)
	wrong("check", out.String(), err)
	if !strings.Contains(out.String(), "\nFAILED  store: ") {
		t.Errorf("check: %s", &out)
	}
	closed(early)

	s = with(second, first)
	if said := told(); !strings.Contains(said, "secrets[1]") || !strings.Contains(said, "is needed") || !strings.Contains(said, "1 questions and answers") || !strings.Contains(said, "parley secrets --reseal") {
		t.Errorf("before: %s", said)
	}
	if said := told("--reseal"); !strings.Contains(said, "nothing that is stored needs it") || strings.Contains(said, "is needed:") || strings.Contains(said, "WARNING") { // while a node runs
		t.Errorf("after: %s", said)
	}
	closed(s)

	s = with(second)
	if w := asks(s, http.MethodGet, "/readyz", ""); w.Code != http.StatusOK {
		t.Errorf("readyz: %d %s", w.Code, w.Body)
	}
	if w := asks(s, http.MethodGet, "/answer/"+string(q.ID), "", "Cookie", cookie); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "Is all of it still there?") {
		t.Errorf("the question: %d %s", w.Code, w.Body)
	}
	if err := s.Hub.Answer(t.Context(), parley.Principal{User: "alice"}, q.ID, parley.Answer{Action: parley.Accept}); err != nil {
		t.Error(err)
	}
	closed(s)

	if err := check(t.Context(), []string{"-c", file, "--online"}, io.Discard); err != nil {
		t.Error(err)
	}

	s = with(first) // who was forgotten
	if w := asks(s, http.MethodGet, "/readyz", ""); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "another secret") {
		t.Errorf("a node with the old secret alone: %d %s", w.Code, w.Body)
	}
	out.Reset()
	if err := check(t.Context(), []string{"-c", file, "--online"}, &out); err == nil || !strings.Contains(out.String(), "another secret") {
		t.Errorf("check with the old secret alone: %s, %v", &out, err)
	}
	closed(s)
}

// A secret that is lost is not waited for any more when somebody says so.
func TestALostSecretIsForgottenWhenSomebodySaysSo(t *testing.T) {
	const first, second = "the first secret, of thirty-two bytes", "the next secret, of thirty-two bytes!"
	dir := t.TempDir()
	file, store := filepath.Join(dir, "parley.yaml"), "sqlite:"+filepath.Join(dir, "parley.db")
	if err := os.WriteFile(file, []byte("dev: true\nstore: "+store+"\nsecrets: [\""+second+"\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	kept, err := backend.Open(t.Context(), store, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	var ids []string
	for _, all := range [][][]byte{{[]byte(first)}, {[]byte(second), []byte(first)}} {
		keys, err := seal.New(all...)
		if err != nil {
			t.Fatal(err)
		}
		if err := keys.Claim(t.Context(), kept); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, keys.ID())
	}
	online := func() error { return check(t.Context(), []string{"-c", file, "--online"}, io.Discard) }
	forget := func(id string) error {
		return secrets(t.Context(), []string{"-c", file, "--forget", id}, io.Discard)
	}
	if err := online(); err == nil {
		t.Error("it is not missed")
	}
	for _, id := range []string{ids[1], "first", "another"} {
		if err := forget(id); err == nil {
			t.Errorf("%s was forgotten", id)
		}
	}
	if err := forget(ids[0]); err != nil {
		t.Error(err)
	}
	if err := online(); err != nil {
		t.Error(err)
	}
}

// A store that was mistyped is not made, and nobody is told that nothing needs a secret.
func TestSecretsAreNotLookedForInAStoreThatIsNotThere(t *testing.T) {
	dir := t.TempDir()
	file, store := filepath.Join(dir, "parley.yaml"), filepath.Join(dir, "parlay.db")
	if err := os.WriteFile(file, []byte("dev: true\nsecrets: [\"a secret of tests, of thirty-two bytes\"]\nstore: \"sqlite:"+store+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{}, {"--reseal"}, {"--forget", "4be1c9d2"}} {
		var out bytes.Buffer
		err := secrets(t.Context(), append(args, "-c", file), &out)
		if want := "parley.yaml: line 3: store: there is no Parley store at " + store + ": there is no such file"; err == nil || err.Error() != want || out.Len() > 0 {
			t.Errorf("%q: %v\n%s", args, err, &out)
		}
	}
	if made, err := os.ReadDir(dir); err != nil || len(made) != 1 {
		t.Errorf("%v, %v", made, err)
	}
}
