package demo_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/cmd/parley/internal/demo"
	"github.com/parley-hq/parley/internal/visitor"
)

// first says a sentence as somebody who has never been there, connects the
// account that is asked for, and returns what was asked, up to the first question
// that is no connection, or the end.
func first(t *testing.T, d *demo.Demo, name, sentence string) (asked []string) {
	t.Helper()
	v := visitor.New()
	defer v.Leave()
	if err := v.Open(t.Context(), d.URL+"/login"); err != nil {
		t.Fatal(err)
	}
	if err := v.Send(t.Context(), d.URL+"/login", url.Values{"user": {name}}); err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(`{"id":"first-%s","messages":[{"role":"user","parts":[{"type":"text","text":%q}]}]}`, name, sentence)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, d.URL+"/run/api/chat", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("x-supports-elicitation", "true")
	answer, err := v.Browser.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		raw, _ := strings.CutPrefix(lines.Text(), "data: ")
		var e struct {
			Type string
			Data struct {
				Message, URL string
				Outcome      *struct{}
				Context      struct{ Trigger, Service string }
			}
		}
		if json.Unmarshal([]byte(raw), &e) != nil || e.Type != "data-elicitation-request" || e.Data.Outcome != nil {
			continue
		}
		asked = append(asked, e.Data.Context.Service+": "+e.Data.Context.Trigger)
		if e.Data.Context.Trigger != "credential_required" {
			return asked
		}
		if err := v.Open(t.Context(), e.Data.URL); err != nil {
			t.Fatal(err)
		}
		for _, button := range []string{"Connect", "alice", "Allow"} {
			if err := v.Press(t.Context(), button, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	return asked
}

// A sentence that is advertised is somebody's first, before any account of theirs
// is connected.
func TestEverySentenceCanBeTheFirst(t *testing.T) {
	d := started(t)
	want := map[string][]string{
		"List the tickets in my tracker":    {"tracker: credential_required"},
		"Close ticket 7":                    {"tracker: credential_required", "tracker: tool_approval"},
		"Order 3 boxes of pens":             {"shop: tool_approval"},
		"Book a trip":                       {"travel: mcp_elicitation"},
		"Delegate to the researcher: tea":   {"library: mcp_elicitation"},
		"Delegate to the concierge: dinner": {"concierge: a2a_input_required"},
	}
	got := map[string][]string{}
	for i, s := range demo.Sentences() {
		got[s.Say] = first(t, d, fmt.Sprintf("newcomer%d", i), s.Say)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what is asked (-want +got):\n%s", diff)
	}
	if got := first(t, d, "greeter", "hello"); got != nil {
		t.Errorf("a greeting asks %q", got)
	}
}
