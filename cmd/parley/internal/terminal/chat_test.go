package terminal

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/parley-hq/parley/cmd/parley/internal/demo"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// startDemo starts a demonstration and returns its address.
func startDemo(t *testing.T) string {
	t.Helper()
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	ctx, cancel := context.WithCancel(context.Background())
	d, err := demo.New(ctx, &demo.Options{Addr: "127.0.0.1:0", Dir: t.TempDir(), Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- d.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		_ = d.Close()
	})
	return d.URL
}

// piped talks with these lines as its input and returns what is on the screen.
func piped(t *testing.T, args []string, lines ...string) string {
	t.Helper()
	var out bytes.Buffer
	in := strings.NewReader(strings.Join(lines, "\n") + "\n")
	if err := converse(t.Context(), args, in, &screen{out: &out, echo: true}, nil); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return out.String()
}

// inOrder reports what is missing of a screen.
func inOrder(t *testing.T, screen string, wanted ...string) {
	t.Helper()
	rest := screen
	for _, want := range wanted {
		_, after, ok := strings.Cut(rest, want)
		if !ok {
			t.Fatalf("no %q, in its place, on\n%s", want, screen)
		}
		rest = after
	}
}

func TestAConversationWithALinkAFormAndAnApproval(t *testing.T) {
	server := startDemo(t)
	got := piped(t, []string{"--server", server, "--user", "alice", "--conversation", "c1"},
		"List the tickets in my tracker", "d",
		"Book a trip", "Bergen", "2026-12-24", "nobody", "", "2", "9", "2,3", "n", "alice@example.com",
		"Order 3 boxes of pens", "1",
	)
	inOrder(t, got,
		"> List the tickets", "[Acme Tracker] ", server+"/auth/connect?elicitation_id=", "open it in your browser; d to decline", "That did not work",
		"> Book a trip", "[Travel agency] Where would you like to go?", "Where to *", "Day * (date", "Send the ticket to * (an email address, such as name@example.com)",
		"Travellers * (a whole number from 1 to 9) [1]: \n", "Class *", "1  Second class", "2  First class", "[1]: 2\n",
		"Extras (numbers", "Choose by number, from 1 to 3.", "Extras", "Flexible ticket (y or n) [n]: n",
		"  Send the ticket to must be an email address", "Send the ticket to * (an email address, such as name@example.com): alice@example.com\n", "Bergen",
		"> Order 3", "[Office shop]", `"quantity": 3`, ": 1\n", "done)", "Ordered (3)",
	)
	if n := strings.Count(got, `"quantity":`); n != 1 {
		t.Errorf("an approval's arguments are shown %d times:\n%s", n, got)
	}
	if !regexp.MustCompile(`open until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [A-Z+\-0-9]+\n`).MatchString(got) {
		t.Errorf("no time with its zone:\n%s", got)
	}
	if n := strings.Count(got, "Where to *"); n != 1 {
		t.Errorf("a field that was right is asked %d times:\n%s", n, got)
	}
	again := piped(t, []string{"--server", server, "--user", "alice", "--conversation", "c1"})
	inOrder(t, again, "> List the tickets", "That did not work", "> Book a trip", "Bergen", "> Order 3", "Ordered (3)", "Conversation c1")
}

// An empty line says what an empty field says on a page: no, where that is what an empty box
// says, and else nothing.
func TestAnEmptyLineSaysWhatAnEmptyBoxDoes(t *testing.T) {
	for schema, want := range map[string]string{
		`{"a":{"type":"boolean"}}`:                "  a (y or n) [n]: {\"a\":false}",
		`{"a":{"type":"boolean","default":true}}`: "  a (y or n) [y]: {\"a\":true}",
		`{"a":{"type":["boolean","null"]}}`:       "  a (y or n): {}",
		`{"a":{"type":"string"}}`:                 "  a: {}",
		`{"a":{"type":"integer","enum":[1,2]}}`:   "  a (a number)\n    1  1\n    2  2\n   : {}",
	} {
		d, err := newDialog(question{Mode: "form", Schema: json.RawMessage(`{"type":"object","properties":` + schema + `}`)})
		if err != nil {
			t.Fatal(err)
		}
		got := d.prompt()
		step, wrong := d.take("")
		sent, err := json.Marshal(d.values)
		if got += string(sent); err != nil || got != want || step != ready || wrong != "" {
			t.Errorf("%s: %q, want %q; %v %q", schema, got, want, step, wrong)
		}
	}
}

func TestTheLimitsOfAFieldAreSaidBeforeItIsFilledIn(t *testing.T) {
	for property, want := range map[string]string{
		`{"type":"string","minLength":2,"maxLength":40}`:                                        "  f (from 2 to 40 characters): ",
		`{"type":"string","format":"email"}`:                                                    "  f (an email address, such as name@example.com): ",
		`{"type":"integer","minimum":1,"maximum":9}`:                                            "  f (a whole number from 1 to 9): ",
		`{"type":"number"}`:                                                                     "  f (number): ",
		`{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1,"multipleOf":0.05}`:         "  f (a number, more than 0, less than 1, a multiple of 0.05): ",
		`{"type":"array","items":{"type":"string","enum":["a","b"]}}`:                           "  f (numbers, such as 1,2)\n    1  a\n    2  b\n   : ",
		`{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1,"maxItems":2}`: "  f (choose 1 to 2 of the numbers, such as 1,2)\n    1  a\n    2  b\n   : ",
	} {
		d, err := newDialog(question{Mode: "form", Schema: json.RawMessage(`{"type":"object","properties":{"f":` + property + `}}`)})
		if err != nil {
			t.Fatal(err)
		}
		if got := d.prompt(); got != want {
			t.Errorf("%s: %q, want %q", property, got, want)
		}
	}
}

func TestAFieldIsNamedOnceInWhatIsWrongWithIt(t *testing.T) {
	for _, c := range []struct{ title, said, want string }{
		{"Send the ticket to", "Send the ticket to must be an email address.", "Send the ticket to must be an email address."},
		{"Sure?", "“Sure?” is required.", "“Sure?” is required."},
		{"Seats", "Seats, choice 2, must be a or b.", "Seats, choice 2, must be a or b."},
		{"Seats", "All seats are taken.", "Seats: All seats are taken."},
		{"Seat", "Seats are taken.", "Seat: Seats are taken."},
	} {
		d, err := newDialog(question{Mode: "form", Schema: json.RawMessage(`{"type":"object","properties":{"f":{"type":"string","title":"` + c.title + `"}}}`)})
		if err != nil {
			t.Fatal(err)
		}
		refused := &refusal{}
		if err := json.Unmarshal([]byte(`[{"field":"f","message":"`+c.said+`"}]`), &refused.Fields); err != nil {
			t.Fatal(err)
		}
		if got := d.correct(refused); len(got) != 1 || got[0] != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestWhatIsEnteredStandsBelowTheWordsAboutAField(t *testing.T) {
	d, err := newDialog(question{Mode: "form", Schema: json.RawMessage(`{"type":"object","properties":{"reason":{"type":"string","title":"What the agent is told","description":"With a denial, or when you ask back.","default":"No"}}}`)})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := d.prompt(), "  What the agent is told\n    With a denial, or when you ask back.\n    [No]: "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAQuestionThatIsLeftOpenCanBeAnsweredLater(t *testing.T) {
	args := []string{"--server", startDemo(t), "--user", "alice", "--conversation", "c1"}
	got := piped(t, args, "Order 3 boxes of pens", "")
	inOrder(t, got, "[Office shop]", "Left open; it waits at http://127.0.0.1:", "/answer/")
	got = piped(t, args, "", "a", "3", "too many")
	inOrder(t, got, "> Order 3", "[Office shop]", "Left open", "[Office shop]", ": 3\n", "What the agent is told", `The person denied this call. They say: "too many"`)
}

// Who changes a call is asked for its arguments, and for nothing else; an empty line
// leaves one as it is.
func TestACallIsChangedInTheTerminal(t *testing.T) {
	args := []string{"--server", startDemo(t), "--user", "alice", "--conversation", "c1"}
	got := piped(t, args, "Order 3 boxes of pens", "5", "", "2")
	inOrder(t, got, `"quantity": 3`, "5  Allow with changes", ": 5\n", "  item [", "  quantity (a whole number) [3]: 2\n", "done)", "quantity 3 → 2", "Ordered (2)")
	if strings.Contains(got, "What the agent is told") || strings.Contains(got, "For how long") {
		t.Errorf("asked for more:\n%s", got)
	}
}

// Each of several turns that wait is taken up, the oldest first.
func TestEachOfTwoTurnsThatWaitIsTakenUp(t *testing.T) {
	args := []string{"--server", startDemo(t), "--user", "alice", "--conversation", "c1"}
	piped(t, args, "Order 3 boxes of pens", "", "Order 4 boxes of nails", "")
	got := piped(t, args, "", "1")
	inOrder(t, got, "> Order 3", "> Order 4", `"quantity": 3`, "Left open", `"quantity": 4`, ": 1\n", "Ordered (4)")
	got = piped(t, args, "1")
	inOrder(t, got, `"quantity": 3`, ": 1\n", "Ordered (3)")
}

func TestAQuestionThatIsLeftOpenWaitsWhileOtherThingsAreSaid(t *testing.T) {
	args := []string{"--server", startDemo(t), "--user", "alice"}
	const waiting = "(waiting; a to answer now, or say something else) > "
	got := piped(t, args, "Order 1 box of tea", "/l", "hello", "a", "1", "a")
	inOrder(t, got, `"quantity": 1`, "Left open", waiting+"hello\n", "I am a small demonstration model", waiting+"a\n", `"quantity": 1`, ": 1\n", "Ordered (1)", "\n> a\n")
	if n := strings.Count(got, "Let me see."); n != 1 {
		t.Errorf("the turn that is taken up is told %d times:\n%s", n, got)
	}
	// Two that wait are reached in their order, and again.
	got = piped(t, args, "Order 3 pens", "/l", "Order 4 nails", "/l", "hello", "a", "/l", "a", "1", "a", "1")
	inOrder(t, got, waiting+"hello\n", waiting+"a\n", `"quantity": 3`, "Left open", waiting+"a\n", `"quantity": 4`, ": 1\n", "Ordered (4)",
		waiting+"a\n", `"quantity": 3`, ": 1\n", "Ordered (3)", "\n> ")
}

func TestAQuestionThatWasLeftAndIsAnsweredElsewhereIsSaidBeforeTheNextLine(t *testing.T) {
	ask := func(outcome string) string {
		return `{"type":"data-elicitation-request","data":{"elicitationId":"q1","mode":"url","message":"Connect","url":"https://a.example/","context":{"service":"shop"}` + outcome + `}}`
	}
	open := func(w http.ResponseWriter, r *http.Request) {
		stream(`{"type":"start","messageId":"m1"}`, ask(""))(w, r)
		<-r.Context().Done()
	}
	none := func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"messages":[]}`) }
	over := func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"messages":[],"activeMessages":[]}`) }
	s := serveScript(t, map[string][]func(http.ResponseWriter, *http.Request){
		"POST /run/api/chat":          {open, stream(delta("hello yourself"), theEnd)},
		"GET /run/api/chat/c1":        {none, over},
		"GET /run/api/chat/c1/stream": {stream(`{"type":"start","messageId":"m1"}`, ask(""), ask(`,"outcome":{"action":"accept","via":"page"}`), `{"type":"text-start","id":"u"}`, `{"type":"text-delta","id":"u","delta":"thanks"}`, theEnd)},
	})
	got := piped(t, []string{"--server", s.URL, "--conversation", "c1"}, "begin", "", "hello")
	inOrder(t, got, "Left open", "hello yourself", "[shop] answered on the hosted page", "thanks", "\n> ")
}

// script is a server that streams what a test says.
type script struct {
	*httptest.Server
	mu       sync.Mutex
	requests []string
}

func (s *script) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// serve answers each request, by its method and path, with the next of its
// streams; the last one is answered again and again.
func serveScript(t *testing.T, streams map[string][]func(w http.ResponseWriter, r *http.Request)) *script {
	s := &script{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.Method + " " + r.URL.Path
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.requests = append(s.requests, strings.TrimSpace(key+" "+string(body)))
		left := streams[key]
		if len(left) > 1 {
			streams[key] = left[1:]
		}
		s.mu.Unlock()
		if len(left) == 0 {
			http.NotFound(w, r)
			return
		}
		left[0](w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// stream answers with chunks.
func stream(chunks ...string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		for _, c := range chunks {
			fmt.Fprintf(w, "data: %s\n\n", c)
		}
		_ = http.NewResponseController(w).Flush()
	}
}

const theEnd = "[DONE]"

func delta(text string) string {
	data, err := json.Marshal(map[string]string{"type": "text-delta", "id": "t", "delta": text})
	if err != nil {
		panic(err)
	}
	return string(data)
}

func TestWhatTheServerSendsDoesNotReachTheTerminalAsControl(t *testing.T) {
	ask := `{"type":"data-elicitation-request","data":{"elicitationId":"q1","mode":"url","message":"Go\u001b[2J there\n[bank] really","url":"https://a.example/\u202egro","context":{"service":"sh\rop"}}}`
	s := serveScript(t, map[string][]func(http.ResponseWriter, *http.Request){
		"POST /run/api/chat": {stream(
			delta("red \x1b[31m and \u009b2J and \u202eback\nnext"), `{"type":"tool-input-available","toolCallId":"c","toolName":"a\u0007b"}`,
			`{"type":"tool-output-error","toolCallId":"c","errorText":"no\u001b]0;title\u0007"}`, ask, theEnd)},
	})
	got := piped(t, []string{"--server", s.URL}, "hello")
	broken := serveScript(t, map[string][]func(http.ResponseWriter, *http.Request){
		"POST /run/api/chat": {stream(`{"type":"error","errorText":"bad\u001b[1m"}`, theEnd)},
	})
	got += piped(t, []string{"--server", broken.URL}, "hello")
	for _, r := range got {
		if r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e') {
			t.Fatalf("%q is on the screen: %q", r, got)
		}
	}
	inOrder(t, got, `red \x1b[31m and \x9b2J and \u202eback`+"\n  next", `(a\u0007b … failed: no\x1b]0;title\x07)`,
		`[sh\u000dop] Go\x1b[2J there`+"\n  [bank] really", `https://a.example/\u202egro`, `! bad\x1b[1m`)
}

func TestAnApprovalInTheTerminalHidesNothingAndKeepsItsOrder(t *testing.T) {
	ask := `{"type":"data-elicitation-request","data":{"elicitationId":"q1","mode":"form","message":"Allow?\n\"שלום\": 100\nwhole: שלום עולם",` +
		`"requestedSchema":{"type":"object","properties":{}},"context":{"trigger":"tool_approval","service":"בנק 24","tool":"send\u3164",` +
		`"arguments":"{\"a\":\"\u200d\ufe0f\u00a0\ud83d\ude00\udb40\udc41\",\"note\":\"שלום 100 50\"}"}}}`
	s := serveScript(t, map[string][]func(http.ResponseWriter, *http.Request){"POST /run/api/chat": {stream(ask, theEnd)}})
	got := piped(t, []string{"--server", s.URL}, "hello")
	inOrder(t, got, `[\u05d1\u05e0\u05e7 24] Allow?`, `"\u05e9\u05dc\u05d5\u05dd": 100`, "whole: שלום עולם",
		`send\u3164 {"a":"\u200d\ufe0f\u00a0`+"😀"+`\udb40\udc41","note":"\u05e9\u05dc\u05d5\u05dd 100 50"}`)
}

func TestChunksOfNewerServersAreIgnored(t *testing.T) {
	s := serveScript(t, map[string][]func(http.ResponseWriter, *http.Request){
		"POST /run/api/chat": {stream(`{"type":"start"}`, `{"type":"hologram","data":[1]}`, `[1]`, `not json`, delta("fine"), `{"type":"data-mood","data":{}}`, `{"type":"finish"}`, theEnd)},
	})
	got := piped(t, []string{"--server", s.URL}, "hello")
	if _, rest, _ := strings.Cut(got, "> hello\n"); rest != "  fine\n> \n" {
		t.Errorf("%q", rest)
	}
}

func TestALostConnectionIsMadeAgainAndNothingIsShownTwice(t *testing.T) {
	start := `{"type":"text-start","id":"t"}`
	begun, ended := `{"type":"tool-input-available","toolCallId":"c","toolName":"look"}`, `{"type":"tool-output-available","toolCallId":"c","output":1}`
	const path = "/run/api/chat/c1"
	gone := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }
	told := func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"messages":[{"role":"user","parts":[{"type":"text","text":"hello"}]},{"role":"assistant","parts":[
			{"type":"tool-look","toolCallId":"c","state":"output-available"},{"type":"text","id":"t","text":"one two three"}]}]}`)
	}
	for name, after := range map[string][]func(http.ResponseWriter, *http.Request){
		"it still runs": {stream(begun, ended, start, delta("one "), delta("two three"), theEnd)},
		"it is over":    {gone},
	} {
		t.Run(name, func(t *testing.T) {
			empty := func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"messages":[]}`) }
			s := serveScript(t, map[string][]func(http.ResponseWriter, *http.Request){
				"POST /run/api/chat":      {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, stream(begun, ended, start, delta("one "), delta("tw"))},
				"GET " + path + "/stream": after,
				"GET " + path:             {empty, told},
			})
			got := piped(t, []string{"--server", s.URL, "--conversation", "c1"}, "hello")
			if _, rest, _ := strings.Cut(got, "> hello\n"); rest != "  (look … done)\n  one two three\n> \n" {
				t.Errorf("%q", rest)
			}
			var sent []string
			for _, r := range s.asked() {
				if strings.HasPrefix(r, "POST") {
					sent = append(sent, r)
				}
			}
			if len(sent) != 2 || sent[0] != sent[1] || !strings.Contains(sent[0], `"id":"`) {
				t.Errorf("the message was sent as %q", sent)
			}
		})
	}
}

func TestAnAnswerFromElsewhereIsSaid(t *testing.T) {
	ask := func(outcome string) string {
		return `{"type":"data-elicitation-request","data":{"elicitationId":"q1","mode":"url","message":"Connect","url":"https://a.example/","context":{"service":"shop","settledBy":"page"}` + outcome + `}}`
	}
	for outcome, want := range map[string]string{
		`{"action":"accept","via":"page"}`:                          "[shop] answered on the hosted page",
		`{"action":"decline","via":"slack"}`:                        "[shop] declined by slack",
		`{"action":"expire"}`:                                       "[shop] expired: nobody answered in time",
		`{"action":"expire","reason":"expired"}`:                    "[shop] expired: nobody answered in time\n",
		`{"action":"cancel","reason":"withdrawn: answered by bob"}`: "[shop] no longer asked: answered by bob",
	} {
		s := serveScript(t, map[string][]func(http.ResponseWriter, *http.Request){
			"POST /run/api/chat": {stream(ask(""), ask(`,"outcome":`+outcome), delta("thanks"), theEnd)},
		})
		in, typing := io.Pipe() // nothing is typed while the question is open
		var out bytes.Buffer
		go func() { _, _ = io.WriteString(typing, "hello\n") }()
		watch := &watcher{Writer: &out, seen: "thanks", then: func() { _ = typing.Close() }}
		if err := converse(t.Context(), []string{"--server", s.URL}, in, &screen{out: watch}, nil); err != nil {
			t.Fatal(err)
		}
		inOrder(t, out.String(), "open it in your browser", want, "thanks")
	}
}

// watcher does something when it has seen something.
type watcher struct {
	io.Writer
	seen string
	then func()
	all  strings.Builder
}

func (w *watcher) Write(b []byte) (int, error) {
	w.all.Write(b)
	if w.then != nil && strings.Contains(w.all.String(), w.seen) {
		w.then()
		w.then = nil
	}
	return w.Writer.Write(b)
}

func TestCtrlCStopsTheTurnAndTheSecondOneLeaves(t *testing.T) {
	server := startDemo(t)
	in, typing := io.Pipe()
	interrupts := make(chan os.Signal, 1)
	var out bytes.Buffer
	stopped := &watcher{Writer: &out, seen: "Stopped.\n> ", then: func() { interrupts <- os.Interrupt }}
	asked := &watcher{Writer: stopped, seen: "/d declines", then: func() { interrupts <- os.Interrupt }}
	go func() { _, _ = io.WriteString(typing, "Order 3 boxes of pens\n") }()
	if err := converse(t.Context(), []string{"--server", server, "--user", "alice"}, in, &screen{out: asked}, interrupts); err != nil {
		t.Fatal(err)
	}
	_ = typing.Close()
	inOrder(t, out.String(), "[Office shop]", "Stopped.\n> ")
	if strings.Contains(out.String(), "Ordered") {
		t.Errorf("it was ordered:\n%s", out.String())
	}
}

func TestWhoIsNotSignedInIsToldWhatToDo(t *testing.T) {
	server := startDemo(t)
	t.Setenv("PARLEY_TOKEN", "")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--server", server}, "--user NAME"},
		{[]string{"--server", server, "--token", "hunter2"}, "the server refuses your token: This token is not accepted: it is neither"},
		{[]string{"--server", "nowhere"}, "http://127.0.0.1:8420"},
	} {
		var out bytes.Buffer
		err := converse(t.Context(), c.args, strings.NewReader("hello\n"), &screen{out: &out}, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error()+out.String(), "hunter2") {
			t.Errorf("%q: %v\n%s", c.args, err, out.String())
		}
	}
}
