package mcpclient_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"testing"

	"github.com/parley-hq/parley/mcpclient"
)

func TestOverStdioTheOldestCallIsAsked(t *testing.T) {
	c := connect(t, child("legacy"))
	first := call(t, c, "hang", `{"word":"first"}`)
	second := call(t, c, "ask", `{"word":"Bob"}`)
	answerAll(t, first, "Bob")
	if got := textOf(t, next(t, second)); got != "accept yes Bob accept" {
		t.Errorf("got %q", got)
	}
}

func TestOverStdioACallThatWaitsForAnAnswerIsNotAskedForAnother(t *testing.T) {
	c := connect(t, child("legacy"))
	first := call(t, c, "ask", `{"word":"Ann"}`)
	form := next(t, first)
	second := call(t, c, "ask", `{"word":"Bob"}`)
	answerAll(t, second, "Bob")
	if got := textOf(t, next(t, second)); got != "accept yes Bob accept" {
		t.Errorf("the second call got %q", got)
	}
	for _, q := range []mcpclient.Message{form, {}} {
		if q.ID == nil {
			q = next(t, first)
		}
		if err := first.Reply(t.Context(), q.ID, json.RawMessage(`{"action":"decline"}`), nil); err != nil {
			t.Error(err)
		}
	}
	if got := textOf(t, next(t, first)); got != "decline <nil> decline" {
		t.Errorf("the first call got %q", got)
	}
}

func TestAQuestionOutlivesTheCallThatItWasTakenFor(t *testing.T) {
	c := connect(t, child("legacy"))
	silent := call(t, c, "cancelled", `{}`) // until the next one is cancelled
	hang := call(t, c, "hang", `{"word":"hang"}`)
	asking := call(t, c, "ask", `{"word":"Bob"}`)
	taken := next(t, silent)
	hang.Close()
	if got := textOf(t, next(t, silent)); got != "hang" {
		t.Errorf("the silent call got %q", got)
	}
	form := next(t, asking)
	if string(form.ID) != string(taken.ID) || form.Method != taken.Method {
		t.Errorf("the call that asks got %s %s, not the question %s", form.Method, form.ID, taken.ID)
	}
	late := silent.Reply(t.Context(), taken.ID, json.RawMessage(`{"action":"accept","content":{"word":"too late"}}`), nil)
	if !errors.Is(late, mcpclient.ErrClosed) {
		t.Errorf("who was asked before answers with %v", late)
	}
	for _, q := range []mcpclient.Message{form, {}} {
		if q.ID == nil {
			q = next(t, asking)
		}
		if err := asking.Reply(t.Context(), q.ID, json.RawMessage(`{"action":"decline"}`), nil); err != nil {
			t.Error(err)
		}
	}
	if got := textOf(t, next(t, asking)); got != "decline <nil> decline" {
		t.Errorf("the call that asks got %q", got)
	}
}

func TestAQuestionOfAClosedCallIsCancelledForTheOthers(t *testing.T) {
	c := connect(t, child("legacy"))
	closed := call(t, c, "hang", `{"word":"first"}`)
	asking := call(t, c, "ask", `{"word":"Bob"}`)
	next(t, closed)
	closed.Close()
	link := next(t, asking)
	if err := asking.Reply(t.Context(), link.ID, json.RawMessage(`{"action":"accept"}`), nil); err != nil {
		t.Error(err)
	}
	if got := textOf(t, next(t, asking)); got != "cancel <nil> accept" {
		t.Errorf("got %q", got)
	}
}

func TestAnswersToTwoQuestionsOfOneIdAreBothSent(t *testing.T) {
	ours, theirs := net.Pipe()
	answers := make(chan string, 2)
	go func() {
		defer theirs.Close()
		lines := bufio.NewScanner(theirs)
		calls := 0
		for lines.Scan() {
			m, err := mcpclient.Envelope(lines.Bytes())
			switch {
			case err != nil:
			case m.Method == "server/discover":
				fmt.Fprintf(theirs, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`+"\n", m.ID)
			case m.Method == "initialize":
				fmt.Fprintf(theirs, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`+"\n", m.ID)
			case m.Method == "tools/call":
				if calls++; calls == 2 {
					for range 2 {
						fmt.Fprintln(theirs, `{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Which?"}}`)
					}
				}
			case m.Response():
				answers <- string(m.Result)
			}
		}
	}()
	c := connect(t, mcpclient.Options{Pipe: ours})
	first := call(t, c, "one", `{}`)
	call(t, c, "two", `{}`)
	asked := []mcpclient.Message{next(t, first), next(t, first)} // both are the first one's before either is answered
	for i, action := range []string{"accept", "decline"} {
		if err := first.Reply(t.Context(), asked[i].ID, json.RawMessage(`{"action":"`+action+`"}`), nil); err != nil {
			t.Error(err)
		}
		if got := <-answers; got != `{"action":"`+action+`"}` {
			t.Errorf("the server was told %s", got)
		}
	}
}
