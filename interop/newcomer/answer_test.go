package newcomer_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// exampleQuestion is the id of a question in docs/api.md.
const exampleQuestion = "33k20edk0m262fnmdrqdk6cgh9rg9sf1"

// answered compares JSON of a page with what the command before has printed.
func (d *desk) answered(t *testing.T, b block) {
	var want, got any
	if err := json.Unmarshal([]byte(d.here(b.text)), &want); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	lines := strings.Split(strings.TrimSpace(d.said), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &got); err != nil {
		t.Fatalf("%s: the command before printed %v\n%s", b, err, d.said)
	}
	if wrong := differs("", want, got); wrong != "" {
		t.Errorf("%s: %s, in\n%s", b, wrong, d.said)
	}
}

// differs names the first place where got is not what the page has. Members
// that the page does not name are what it is silent about.
func differs(place string, want, got any) string {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			return place + " is no object"
		}
		for name, value := range want {
			other, ok := got[name]
			if !ok {
				return fmt.Sprintf("%s has no %q", place, name)
			}
			if wrong := differs(place+"."+name, value, other); wrong != "" {
				return wrong
			}
		}
	case []any:
		got, ok := got.([]any)
		if !ok || len(got) != len(want) {
			return fmt.Sprintf("%s is no list of %d", place, len(want))
		}
		for i := range want {
			if wrong := differs(fmt.Sprintf("%s[%d]", place, i), want[i], got[i]); wrong != "" {
				return wrong
			}
		}
	case string:
		pattern := "(?s)^" + strings.ReplaceAll(regexp.QuoteMeta(want), "…", ".*") + "$"
		if said, ok := got.(string); !ok || !regexp.MustCompile(pattern).MatchString(said) {
			return fmt.Sprintf("%s is %v, not %s", place, got, want)
		}
	default:
		if want != got {
			return fmt.Sprintf("%s is %v, not %v", place, got, want)
		}
	}
	return ""
}

// event compares JSON of a page with an event of its type in a chat stream: the
// demo is asked for what a form is needed for. Values are the demo's own.
func (d *desk) event(t *testing.T, b block, kind string) {
	var want map[string]any
	if err := json.Unmarshal([]byte(b.text), &want); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	d.begin(t, d.chat, "parley demo")
	got := d.firstEvent(t, kind)
	if wrong := otherShape("", want, got); wrong != "" {
		t.Errorf("%s: %s, in %v", b, wrong, got)
	}
}

// otherShape names the first member that only one of two objects has, or has as
// another type. What a form asks for differs.
func otherShape(place string, want, got map[string]any) string {
	for name, value := range want {
		if fmt.Sprintf("%T", value) != fmt.Sprintf("%T", got[name]) {
			return fmt.Sprintf("%s.%s is %T, not %T", place, name, got[name], value)
		}
		inner, ok := value.(map[string]any)
		if other, is := got[name].(map[string]any); ok && is && name != "requestedSchema" {
			if wrong := otherShape(place+"."+name, inner, other); wrong != "" {
				return wrong
			}
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			return place + " has " + name + ", which the page does not name"
		}
	}
	return ""
}

// firstEvent says what has the demo ask with a form.
func (d *desk) firstEvent(t *testing.T, kind string) map[string]any {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	message := `{"id":"c1","agent":"assistant","messages":[{"id":"m1","role":"user","parts":[{"type":"text","text":"Book a trip"}]}]}`
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+d.chat+"/run/api/chat", strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer dev-user:ann")
	request.Header.Set("x-supports-elicitation", "true")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	var said []string
	for lines.Scan() {
		text, ok := strings.CutPrefix(lines.Text(), "data: ")
		said = append(said, text)
		var event struct {
			Type string
			Data map[string]any
		}
		if ok && json.Unmarshal([]byte(text), &event) == nil && event.Type == kind {
			return event.Data
		}
	}
	t.Fatalf("no %s in the stream (%s):\n%s", kind, response.Status, strings.Join(said, "\n"))
	return nil
}
