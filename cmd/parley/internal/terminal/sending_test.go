package terminal

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/readfirst"
)

const (
	began    = `{"type":"start","messageId":"m1"}`
	wrong    = `{"type":"error","errorText":"Something is wrong on our side. Try again in a minute."}`
	settled  = `,"outcome":{"action":"accept","via":"chat"}`
	thatPage = "/run/api/elicitation-responses"
)

// pick is a question with two choices.
func pick(outcome string) string {
	return `{"type":"data-elicitation-request","data":{"elicitationId":"q1","mode":"form","message":"Order it?",` +
		`"requestedSchema":{"type":"object","properties":{"pick":{"type":"string","enum":["yes","no"]}},"required":["pick"]},"context":{"service":"shop"}` + outcome + `}}`
}

// troubled answers 503, as a server does whose store is away.
func troubled(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusServiceUnavailable)
	fmt.Fprint(w, `{"success":false,"error":"Something is wrong on our side. Try again in a minute."}`)
}

func says(text string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }
}

// until streams chunks, and the others when something has happened.
func until(what <-chan struct{}, before []string, after ...string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		stream(before...)(w, r)
		select {
		case <-what:
		case <-r.Context().Done():
		}
		stream(after...)(w, r)
	}
}

// talking is a chat that somebody sits at.
type talking struct {
	*typing
	interrupts chan os.Signal
}

// talkAt sits down at a chat; echo: lines come from a pipe.
func talkAt(t *testing.T, echo bool, args ...string) *talking {
	t.Helper()
	in, keys := io.Pipe()
	at := &talking{&typing{watched: newWatched(), t: t, keys: keys, done: make(chan error, 1)}, make(chan os.Signal, 2)}
	go func() {
		at.done <- converse(t.Context(), args, in, &screen{out: at, echo: echo}, at.interrupts)
		_ = in.Close()
	}()
	t.Cleanup(func() { _ = keys.Close() })
	return at
}

// leaves closes the input and returns what is on the screen.
func (at *talking) leaves() string {
	at.t.Helper()
	_ = at.keys.Close()
	if err := at.ends(); err != nil {
		at.t.Error(err)
	}
	return at.text.String()
}

// posted are the requests of a kind.
func (s *script) posted(path string) (all []string) {
	for _, r := range s.asked() {
		if rest, ok := strings.CutPrefix(r, "POST "+path+" "); ok {
			all = append(all, rest)
		}
	}
	return all
}

// The store of the server is away for some seconds: its stream ends with an error, and then
// nothing can be read.
func TestAQuestionStaysOpenWhileTheServerIsInTrouble(t *testing.T) {
	for name, broke := range map[string]func(http.ResponseWriter, *http.Request){
		"an error ends the stream": stream(began, pick(""), wrong, theEnd),
		"the stream breaks":        stream(began, pick("")),
	} {
		t.Run(name, func(t *testing.T) {
			taken, back := make(chan struct{}), make(chan struct{})
			s := serveScript(t, map[string][]func(http.ResponseWriter, *http.Request){
				"POST /run/api/chat":   {broke},
				"GET /run/api/chat/c1": {says(`{"messages":[]}`), troubled, says(`{"messages":[],"active":true,"activeMessages":["m1"]}`)},
				"GET /run/api/chat/c1/stream": {troubled, func(w http.ResponseWriter, r *http.Request) {
					<-back
					until(taken, []string{began, pick("")}, pick(settled), delta("ordered"), theEnd)(w, r)
				}},
				"POST " + thatPage: {func(w http.ResponseWriter, _ *http.Request) {
					fmt.Fprint(w, `{"success":true}`)
					close(taken)
				}},
			})
			at := talkAt(t, true, "--server", s.URL, "--conversation", "c1")
			at.types("begin")
			const said = "! The turn cannot be followed just now (the server says: Something is wrong on our side. Try again in a minute). This tries again; Ctrl-C stops it.\n"
			at.await(t, said+"  pick * (a number)\n    1  yes\n    2  no\n   : ")
			at.types("7") // what is wrong is said, and the question stays
			at.await(t, "Choose by number, from 1 to 2.")
			close(back)
			at.await(t, "The server is there again.\n[shop] Order it?\n  /d declines, /l leaves it open\n  pick *")
			at.types("1")
			at.await(t, "ordered\n> ")
			got := at.leaves()
			inOrder(t, got, "[shop] Order it?", said, "pick *", "The server is there again.", "[shop] Order it?", ": 1\n", "ordered\n> ")
			if strings.Count(got, "cannot be followed") != 1 || strings.Contains(got, "! Something") || strings.Contains(strings.Split(got, "ordered")[0], "\n> 1") {
				t.Errorf("the screen has\n%s", got)
			}
			if said, answered := s.posted("/run/api/chat"), s.posted(thatPage); len(said) != 1 || len(answered) != 1 || !strings.Contains(answered[0], `"pick":"yes"`) {
				t.Errorf("said %q, answered %q", said, answered)
			}
		})
	}
}

func TestARunThatFailedEndsWithItsErrorAsBefore(t *testing.T) {
	s := serveScript(t, map[string][]func(http.ResponseWriter, *http.Request){
		"POST /run/api/chat":   {stream(began, `{"type":"error","errorText":"The model does not answer."}`, theEnd)},
		"GET /run/api/chat/c1": {says(`{"messages":[]}`), says(`{"messages":[],"active":true,"activeMessages":["another"]}`)},
	})
	got := piped(t, []string{"--server", s.URL, "--conversation", "c1"}, "hello")
	inOrder(t, got, "> hello\n! The model does not answer.\n> ")
}

// What becomes of an answer is said as far as it is known, and the same answer is sent again.
// What is typed meanwhile is no message.
func TestAnAnswerThatIsNotConfirmedIsSentAgain(t *testing.T) {
	taken, typed := make(chan struct{}), make(chan struct{})
	s := serveScript(t, map[string][]func(http.ResponseWriter, *http.Request){
		"POST /run/api/chat":   {until(taken, []string{began, pick("")}, pick(settled), delta("ordered"), theEnd)},
		"GET /run/api/chat/c1": {says(`{"messages":[]}`)},
		"POST " + thatPage: {troubled, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-typed:
			default:
				troubled(w, r)
				return
			}
			fmt.Fprint(w, `{"success":true}`)
			close(taken)
		}},
	})
	at := talkAt(t, false, "--server", s.URL, "--conversation", "c1")
	at.types("begin")
	at.await(t, "1  yes")
	at.types("1")
	at.await(t, "  Whether the server has your answer is not known (the server says: Something is wrong on our side. Try again in a minute). The same answer is sent again, and counts once; Ctrl-C stops that.\n"+againPrompt)
	at.types("1")
	at.await(t, "  This was not sent: your answer is still on its way.\n"+againPrompt)
	close(typed)
	at.await(t, "ordered\n> ")
	got := at.leaves()
	inOrder(t, got, "  Sent.\n", "ordered\n> ")
	if strings.Count(got, "is not known") != 1 {
		t.Errorf("the screen has\n%s", got)
	}
	answers := s.posted(thatPage)
	for _, one := range answers {
		if one != answers[0] {
			t.Errorf("another answer was sent: %s", one)
		}
	}
	if said := s.posted("/run/api/chat"); len(said) != 1 || len(answers) < 3 {
		t.Errorf("said %q, answered %q", said, answers)
	}
}

func TestCtrlCEndsAnAnswerThatIsSentAgainAndTheSecondOneLeaves(t *testing.T) {
	s := serveScript(t, map[string][]func(http.ResponseWriter, *http.Request){
		"POST /run/api/chat":             {until(nil, []string{began, pick("")})},
		"GET /run/api/chat/c1":           {says(`{"messages":[]}`)},
		"POST " + thatPage:               {troubled},
		"DELETE /run/api/chat/c1/stream": {troubled},
	})
	at := talkAt(t, false, "--server", s.URL, "--conversation", "c1")
	at.types("begin")
	at.await(t, "1  yes")
	at.types("1")
	at.await(t, againPrompt)
	at.interrupts <- os.Interrupt
	at.await(t, "It cannot be stopped: Something is wrong on our side. Try again in a minute. (Ctrl-C again leaves.)\n"+
		"  Whether the server has your answer is not known, and it is not sent again. The question is asked anew; the first answer that the server has counts.\n[shop] Order it?\n")
	at.interrupts <- os.Interrupt
	if err := at.ends(); err != nil {
		t.Error(err)
	}
	if said := s.posted("/run/api/chat"); len(said) != 1 {
		t.Errorf("said %q", said)
	}
}

// The server takes the answer, and whoever is between says 502: the order is placed once.
func TestAnAnswerThatWasTakenUnheardCountsOnce(t *testing.T) {
	server, err := url.Parse(startDemo(t))
	if err != nil {
		t.Fatal(err)
	}
	var answered atomic.Int32
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	between := &httputil.ReverseProxy{Transport: transport, FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(server) }}
	between.ModifyResponse = func(r *http.Response) error {
		if r.Request.URL.Path == thatPage && answered.Add(1) == 1 {
			return io.ErrUnexpectedEOF // 502
		}
		return nil
	}
	between.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }
	proxy := httptest.NewServer(readfirst.Handler(between))
	defer proxy.Close()
	at := talkAt(t, false, "--server", proxy.URL, "--token", "dev-user:alice", "--conversation", "c1")
	at.types("Order 3 boxes of pens")
	at.await(t, "[Office shop]")
	at.await(t, "Allow once")
	at.types("1")
	at.await(t, "Whether the server has your answer is not known (the server answered 502 Bad Gateway).")
	at.await(t, "Ordered (3)")
	at.await(t, "\n> ")
	got := at.leaves()
	if n := strings.Count(got, "Ordered (3)"); n != 1 || answered.Load() == 0 {
		t.Errorf("ordered %d times:\n%s", n, got)
	}
}

// An answer that never left is said to be unsent, until it may have reached the server.
func TestAnAnswerThatDidNotLeaveIsSaidNotToBeSent(t *testing.T) {
	o := &outgoing{dialog: &dialog{}}
	var out strings.Builder
	turn := newTurn(&conversation{screen: &screen{out: &out}, server: &chatServer{}})
	turn.hold(o, &unreachable{base: "http://a.example"})
	turn.hold(o, &unreachable{base: "http://a.example"})
	turn.hold(o, io.ErrUnexpectedEOF)
	want := "  Your answer is not sent (nobody answers at http://a.example). The same answer is sent again, and counts once; Ctrl-C stops that.\n" +
		"  Whether the server has your answer is not known (the connection broke). The same answer is sent again, and counts once; Ctrl-C stops that.\n"
	if out.String() != want || turn.again != o || o.pause != 4*firstPause {
		t.Errorf("%q, %v", out.String(), o.pause)
	}
	for range attempts {
		turn.hold(o, &unreachable{base: "http://a.example"})
	}
	if turn.again != nil || !strings.HasSuffix(out.String(), "The question is asked anew; the first answer that the server has counts.\n") {
		t.Errorf("%q", out.String())
	}
}

func TestAnAnswerInTheInboxThatIsNotConfirmedIsNotSaidToBeRefused(t *testing.T) {
	home(t)
	s := serveScript(t, map[string][]func(http.ResponseWriter, *http.Request){
		"GET /api/elicitations/q1": {says(`{"id":"q1","state":"pending","from":"shop","mode":"form","message":"Order it?"}`)},
		"GET /api/elicitations":    {says(`{"items":[]}`)},
		"POST /answer/q1":          {troubled},
	})
	got, err := inboxOf(t, []string{"answer", "q1", "--server", s.URL}, "y")
	if err == nil || err.Error() != "it is not known whether it was taken (the server says: Something is wrong on our side. Try again in a minute): give the same answer again, it counts once" {
		t.Errorf("%v\n%s", err, got)
	}
}
