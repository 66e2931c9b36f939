package chat_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "record the transcripts anew")

// transcript writes down what goes over the wire, in the txtar format: a section
// for each message, named by who sent it.
type transcript struct {
	text  strings.Builder
	at    any               // the stream whose lines come, if any do
	names map[string]string // of ids and the like, which differ from run to run
}

// varying is what differs from run to run, and what it is called instead.
var varying = []struct {
	name    string
	pattern *regexp.Regexp
}{
	{"UUID", regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b`)},
	{"ID", regexp.MustCompile(`[0-9a-v]{32}`)},
}

func (r *transcript) line(text string) {
	if r == nil {
		return
	}
	if r.names == nil {
		r.names = map[string]string{}
	}
	for _, v := range varying {
		text = v.pattern.ReplaceAllStringFunc(text, func(found string) string {
			if r.names[found] == "" {
				n := 1
				for _, name := range r.names {
					if strings.HasPrefix(name, v.name) {
						n++
					}
				}
				r.names[found] = fmt.Sprintf("%s-%d", v.name, n)
			}
			return r.names[found]
		})
	}
	r.text.WriteString(text + "\n")
}

// begin begins a section.
func (r *transcript) begin(who string, at any) {
	if r == nil || at != nil && r.at == at {
		return
	}
	r.at = at
	r.line("-- " + who + " --")
}

func (r *transcript) client(a asked) {
	r.begin("client", nil)
	r.line(cmp.Or(a.method, http.MethodPost) + " " + a.path)
	var keys []string
	for key := range a.header {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		r.line(strings.ToLower(key) + ": " + a.header[key])
	}
	r.json([]byte(a.body))
}

func (r *transcript) answer(resp *http.Response, body []byte) {
	r.begin("server", nil)
	r.line(fmt.Sprintf("HTTP %d", resp.StatusCode))
	for _, key := range []string{"content-type", "cache-control", "x-accel-buffering", "x-vercel-ai-ui-message-stream", "x-conversation-id"} {
		if value := resp.Header.Get(key); value != "" {
			r.line(key + ": " + value)
		}
	}
	r.json(body)
}

func (r *transcript) json(body []byte) {
	if r == nil || len(body) == 0 {
		return
	}
	var pretty bytes.Buffer
	if json.Indent(&pretty, bytes.TrimSpace(body), "", "  ") != nil {
		r.line(string(body))
		return
	}
	r.line(pretty.String())
}

// check compares with what was recorded before.
func (r *transcript) check(t *testing.T, name, about string) {
	t.Helper()
	got := about + "\n" + r.text.String()
	file := filepath.Join("testdata", name+".txtar")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the wire changed; if that is intended, record it with -update (-recorded +now):\n%s", diff)
	}
}

// recorded runs a test whose every message is written down.
func recorded(t *testing.T, name, about string, test func(t *testing.T, open func(*site) *site)) {
	t.Helper()
	inABubble(t, func(t *testing.T) {
		notes := &transcript{}
		test(t, func(s *site) *site { s.notes = notes; return s })
		if !t.Failed() {
			notes.check(t, name, about)
		}
	})
}
