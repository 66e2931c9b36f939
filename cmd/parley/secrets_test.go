package main

import (
	"bytes"
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
)

// A secret is changed as the documentation says, and nothing is lost when the old one is
// gone: who is signed in stays so, what was asked is answered.
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
	asks(s, http.MethodGet, "/readyz", "")
	closed(s)

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

	s = with(first) // who was forgotten
	if w := asks(s, http.MethodGet, "/readyz", ""); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "another secret") {
		t.Errorf("a node with the old secret alone: %d %s", w.Code, w.Body)
	}
	closed(s)
}
