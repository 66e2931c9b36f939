package card_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/slackapp/card"
)

var update = flag.Bool("update", false, "write the golden files anew")

const id = parley.ID("0000000000000000000000000000000a")

var noon = time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC)

// asked is a question with the fields that a test does not care about filled in.
func asked(r parley.Request) card.Question {
	if r.ID == "" {
		r.ID = id
	}
	if r.Mode == "" {
		r.Mode = parley.Form
	}
	r.Tenant, r.To, r.Created, r.Expires = "default", "alice", noon, noon.Add(time.Hour)
	return card.Question{Request: r, Public: "https://parley.example"}
}

// approval is the question about a call, as package permit makes it.
func approval(t testing.TB, args string, change func(*permit.Call)) card.Question {
	t.Helper()
	keys, err := seal.New([]byte("a secret of tests, 32 bytes long"))
	if err != nil {
		t.Fatal(err)
	}
	store := parley.NewMemoryStore()
	permits, err := permit.New(parley.New(store, nil), store, keys, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := permit.Call{
		Tenant: "default", User: "alice", Agent: "helper", Session: "c1", ID: "call-1", Server: "bank", Tool: "pay", Args: json.RawMessage(args),
		Schema: json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"},"amount":{"type":"integer"},"urgent":{"type":"boolean"}}}`),
	}
	if change != nil {
		change(&c)
	}
	q, err := permits.Question(c)
	if err != nil {
		t.Fatal(err)
	}
	q.ID = id
	return asked(q)
}

func wire(t testing.TB, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// golden compares what goes to Slack with what was written down.
func golden(t *testing.T, name string, v any) {
	t.Helper()
	got, at := wire(t, v), filepath.Join("testdata", name+".json")
	if *update {
		if err := os.WriteFile(at, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is now\n%s\nwith -update it is written anew", at, got)
	}
}

// limits checks what Slack would refuse.
func limits(t testing.TB, blocks []slack.Block, most int) {
	t.Helper()
	if len(blocks) > most {
		t.Errorf("%d blocks, Slack takes %d", len(blocks), most)
	}
	var all []any
	if err := json.Unmarshal(wire(t, blocks), &all); err != nil {
		t.Fatal(err)
	}
	walk(t, "", all)
}

func walk(t testing.TB, parent string, v any) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			walk(t, parent, e)
		}
	case map[string]any:
		kind, _ := v["type"].(string)
		if text, ok := v["text"].(string); ok {
			most := map[string]int{"button": 75, "option": 75, "label": 2000, "hint": 2000, "confirm": 300}[parent]
			if most == 0 {
				most = 3000
			}
			if n := len(utf16.Encode([]rune(text))); n > most || n == 0 {
				t.Errorf("a text in %s of %d characters: %.60q", parent, n, text)
			}
			if (kind == "plain_text" || kind == "mrkdwn") && strings.ContainsAny(strings.ReplaceAll(text, "<!date^", ""), "<") {
				t.Errorf("%s has an unescaped <: %.100q", kind, text)
			}
		}
		for name, most := range map[string]int{"action_id": 255, "block_id": 255, "value": 2000, "url": 3000} {
			if s, _ := v[name].(string); len(s) > most {
				t.Errorf("%s of %d characters", name, len(s))
			}
		}
		if options, ok := v["options"].([]any); ok {
			most := map[string]int{"radio_buttons": 10, "checkboxes": 10}[kind]
			if most == 0 {
				most = 100
			}
			if len(options) > most || len(options) == 0 {
				t.Errorf("%s with %d options", kind, len(options))
			}
			for _, o := range options {
				walk(t, "option", o)
			}
		}
		for name, e := range v {
			if name == "options" || name == "initial_options" {
				continue
			}
			inside := kind
			if name == "label" || name == "hint" || name == "confirm" {
				inside = name
			}
			if inside == "plain_text" {
				inside = parent
			}
			walk(t, inside, e)
		}
	}
}

// buttons are the captions of a card.
func buttons(m card.Message) (all []string) {
	for _, b := range m.Blocks {
		if a, ok := b.(*slack.ActionBlock); ok {
			for _, e := range a.Elements.ElementSet {
				all = append(all, e.(*slack.ButtonBlockElement).Text.Text)
			}
		}
	}
	return all
}

// shown is the text that a person reads letter by letter.
func shown(blocks []slack.Block) string {
	var b strings.Builder
	for _, one := range blocks {
		r, ok := one.(*slack.RichTextBlock)
		if !ok {
			continue
		}
		for _, e := range r.Elements {
			if p, ok := e.(*slack.RichTextPreformatted); ok {
				b.WriteString(p.Elements[0].(*slack.RichTextSectionTextElement).Text)
			}
		}
	}
	return b.String()
}
