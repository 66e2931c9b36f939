package mcptool_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/sqlitestore"
)

// secretNames are the variables that a secret may come from, the first one first.
var secretNames = []string{"PARLEY_SECRET", "MCP_ELICITATION_SECRET", "MCP_SESSION_SECRET", "MCP_SERVER_SECRET"}

// What people and programs say in these tests, each once.
var valuesUsed = []string{
	"argument-7731", "message-7732", "field-7733", "answer-7734", "work-7735", "url-7736", "result-7737", "remembered-7738",
}

type keyForm struct {
	APIKey string `json:"apiKey" jsonschema:"field-7733"`
}

// addKeyTool adds a tool that asks for a key and for a visit, works and remembers.
func addKeyTool(s *site) {
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "keep-key"}, func(ctx context.Context, call *mcptool.Call, in account) (deleted, error) {
		if err := call.Remember(ctx, "note", "remembered-7738"); err != nil {
			return deleted{}, err
		}
		answer, err := mcptool.Elicit[keyForm](ctx, call, "Paste the key, message-7732.", nil)
		if err != nil {
			return deleted{}, err
		}
		work, err := mcptool.Once(ctx, call, "work", func(context.Context) (string, error) { return "work-7735", nil })
		if err != nil {
			return deleted{}, err
		}
		if call.Supports(parley.URL) {
			if _, err := mcptool.ElicitURL(ctx, call, "Go there.", "https://bank.example/url-7736", &mcptool.URLOptions{Consent: true}); err != nil {
				return deleted{}, err
			}
		}
		return deleted{Status: "result-7737 " + work, Reason: answer.Content.APIKey}, nil
	}, nil)
}

// rowsOf returns every column of every row of every table of a SQLite file.
func rowsOf(t *testing.T, path string) string {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var all strings.Builder
	for _, table := range column(t, db, `SELECT name FROM sqlite_schema WHERE type = 'table'`) {
		rows, err := db.Query(fmt.Sprintf("SELECT * FROM %q", table))
		if err != nil {
			t.Fatal(err)
		}
		names, _ := rows.Columns()
		for rows.Next() {
			values := make([]sql.RawBytes, len(names))
			into := make([]any, len(names))
			for i := range values {
				into[i] = &values[i]
			}
			if err := rows.Scan(into...); err != nil {
				t.Fatal(err)
			}
			for i, v := range values {
				fmt.Fprintf(&all, "%s.%s=%s\n", table, names[i], v)
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}

func column(t *testing.T, db *sql.DB, query string) (all []string) {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var v string
		if err := rows.Scan(&v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

// readable returns which of the values stand in the file: in a row, or in what is
// left of one in the file and its log.
func readable(t *testing.T, path string) map[string]string {
	t.Helper()
	found := map[string]string{}
	rows := rowsOf(t, path)
	for line := range strings.Lines(rows) {
		for _, value := range valuesUsed {
			if strings.Contains(line, value) {
				found[value] = strings.TrimSpace(line)
			}
		}
	}
	files, err := filepath.Glob(path + "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range valuesUsed {
			if _, ok := found[value]; !ok && bytes.Contains(content, []byte(value)) {
				found[value] = "somewhere in " + filepath.Base(name)
			}
		}
	}
	return found
}

// playKeyTool calls the tool in every way in which a question reaches its person,
// and returns what was readable in the file meanwhile and afterwards.
func playKeyTool(t *testing.T, secrets []string) map[string]string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "parley.db")
	store, err := sqlitestore.Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	found := map[string]string{}
	look := func() {
		for value, where := range readable(t, path) {
			found[value] = where
		}
	}
	s := newSiteOver(t, store, mcptool.Options{Secrets: secrets, Fallback: mcptool.Model}, nil)
	addKeyTool(s)
	person := func(_ context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
		look()
		if p.Mode == "url" {
			return &mcp.ElicitResult{Action: "accept"}, nil
		}
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"apiKey": "answer-7734"}}, nil
	}
	for _, era := range eras {
		for _, user := range []string{"alice", ""} {
			c := s.connect(t, clientOptions{era: era, user: user, person: person})
			got := structured[deleted](t, call(t, c, "keep-key", account{"argument-7731"}))
			if want := (deleted{Status: "result-7737 work-7735", Reason: "answer-7734"}); got != want {
				t.Fatalf("%s, %q: got %+v", era, user, got)
			}
		}
	}
	byModel := s.connect(t, clientOptions{era: "2025-11-25", user: "bob"})
	if asked := call(t, byModel, "keep-key", account{"argument-7731"}); !strings.Contains(text(asked), "message-7732") {
		t.Fatalf("the model was told %q", text(asked))
	}
	look()
	open, err := s.hub.List(t.Context(), parley.Principal{User: "bob"}, parley.Query{Pending: true})
	if err != nil || len(open) != 1 {
		t.Fatalf("%d open, %v", len(open), err)
	}
	answered := call(t, byModel, "sendElicitationResult", map[string]any{
		"elicitId": open[0].ID, "action": "accept", "content": map[string]any{"apiKey": "answer-7734"},
	})
	if !strings.Contains(text(answered), "result-7737") {
		t.Fatalf("the model got %q", text(answered))
	}
	look()
	return found
}

// Document 002: encryption is automatic when a secret is available, for all
// elicitation data at rest.
func TestWithASecretNothingThatWasAskedOrAnsweredCanBeReadInTheDatabase(t *testing.T) {
	for _, name := range secretNames {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, goodSecret)
			for value, where := range playKeyTool(t, nil) {
				t.Errorf("%s can be read: %q", value, where)
			}
		})
	}
	t.Run("the options'", func(t *testing.T) {
		for value, where := range playKeyTool(t, []string{goodSecret}) {
			t.Errorf("%s can be read: %q", value, where)
		}
	})
	t.Run("without one all of it can", func(t *testing.T) {
		found := playKeyTool(t, nil)
		for _, value := range valuesUsed {
			if value != "result-7737" && found[value] == "" { // a result is stored only when nobody waits for it
				t.Errorf("%s was not looked for where it is", value)
			}
		}
	})
}
