package remote_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/parley-hq/parley"
)

// An agent is spoken to where it was said to be, in what is spoken here, or not at all.
func TestACardThatLiesIsRefusedWithAReason(t *testing.T) {
	face := func(change func(*a2a.AgentInterface)) func(*a2a.AgentCard) {
		return func(c *a2a.AgentCard) { change(c.SupportedInterfaces[0]) }
	}
	for reason, c := range map[string]struct {
		card  func(*a2a.AgentCard)
		front func(http.Handler) http.Handler
	}{
		"to another host (evil.example)": {card: face(func(f *a2a.AgentInterface) { f.URL = "https://evil.example/rpc" })},
		"to another host (127.0.0.1:1)":  {card: face(func(f *a2a.AgentInterface) { f.URL = "http://127.0.0.1:1/rpc" })},
		"its card offers JSONRPC 2.0":    {card: face(func(f *a2a.AgentInterface) { f.ProtocolVersion = "2.0" })},
		"its card offers GRPC 1.0":       {card: face(func(f *a2a.AgentInterface) { f.ProtocolBinding = a2a.TransportProtocolGRPC })},
		"leads astray":                   {card: face(func(f *a2a.AgentInterface) { f.URL = strings.Replace(f.URL, "/rpc", "/x/../admin", 1) })},
		"with .. in a path":              {card: face(func(f *a2a.AgentInterface) { f.URL = strings.Replace(f.URL, "/rpc", "/x/%2e%2e/admin", 1) })},
		"a tenant that is no plain name": {card: face(func(f *a2a.AgentInterface) { f.Tenant = "../../admin?x=" })},
		"(h0.example, h1.example, h10.example and 29 more)": {card: func(c *a2a.AgentCard) {
			c.SupportedInterfaces = nil
			for i := range 1000 {
				c.SupportedInterfaces = append(c.SupportedInterfaces, &a2a.AgentInterface{URL: fmt.Sprintf("https://h%d.example/rpc", i), ProtocolBinding: a2a.TransportProtocolJSONRPC, ProtocolVersion: a2a.Version})
			}
		}},
		"does not say where": {card: func(c *a2a.AgentCard) { c.SupportedInterfaces = nil }},
		"requires an extension": {card: func(c *a2a.AgentCard) {
			c.Capabilities.Extensions = []a2a.AgentExtension{{URI: "https://x.example/1", Required: true}}
		}},
		"asks in its card for a credential (bearer)": {card: func(c *a2a.AgentCard) {
			c.SecuritySchemes = a2a.NamedSecuritySchemes{"bearer": a2a.HTTPAuthSecurityScheme{Scheme: "Bearer"}}
			c.SecurityRequirements = a2a.SecurityRequirementsOptions{{"bearer": nil}}
		}},
		"more than 256 KiB":            {card: func(c *a2a.AgentCard) { c.Description = strings.Repeat("x", 300<<10) }},
		"cannot be read":               {front: says(http.StatusOK, `{"supportedInterfaces": 7}`)},
		"answers with HTTP status 500": {front: says(http.StatusInternalServerError, "")},
		"answers with HTTP status 307": {front: moved},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			d := &desk{work: booking, card: c.card, front: c.front}
			n := newWorld(t, d).node()
			if got := n.reply(n.say("Book a trip.")); !strings.HasPrefix(got, "desk ") || !strings.Contains(got, reason) || !strings.Contains(got, "not sent") {
				t.Error(got)
			}
			if len(d.got()) > 0 {
				t.Error("it was told the task")
			}
		})
	}
}

// moved sends who wants the card to another place, where it is.
func moved(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case a2asrv.WellKnownAgentCardPath:
			http.Redirect(w, r, "/moved.json", http.StatusTemporaryRedirect)
			return
		case "/moved.json":
			r.URL.Path = a2asrv.WellKnownAgentCardPath
		}
		next.ServeHTTP(w, r)
	})
}

// says answers for the card.
func says(status int, body string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != a2asrv.WellKnownAgentCardPath {
				next.ServeHTTP(w, r)
				return
			}
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		})
	}
}

func TestAnAgentThatSendsTooMuchIsGivenUp(t *testing.T) {
	everyWay(t, func(t *testing.T, d *desk) {
		d.work = func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
			done(ec, emit, strings.Repeat("much ", 100_000))
		}
		w := newWorld(t, d)
		w.opts.MaxMessage = 64 << 10
		n := w.node()
		if got := n.reply(n.say("Book a trip.")); got != "desk sent more than is taken here: whether the call was carried out is not known. Find out before you call it again. done" {
			t.Errorf("%.200s", got)
		}
		d.one()
	})
}

func TestAnAgentThatNeverEndsIsGivenUp(t *testing.T) {
	everyWay(t, func(t *testing.T, d *desk) {
		d.work = func(ctx context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
			emit(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateWorking, nil))
			<-ctx.Done()
		}
		w := newWorld(t, d)
		w.opts.CallTime = 3 * time.Second // in which the task is heard of, on a slow machine too
		n := w.node()
		got := n.reply(n.say("Book a trip."))
		if got != "desk did not answer in time: whether the call was carried out is not known. Find out before you call it again. done" {
			t.Error(got)
		}
		n.until("its task is cancelled", func() bool { return len(d.cancelled()) > 0 })
		d.one()
	})
}

func TestAnAgentThatAsksForEverIsGivenUp(t *testing.T) {
	d := &desk{work: func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
		emit(asks(ec, a2a.TaskStateInputRequired, "And?"))
	}}
	n := newWorld(t, d).node()
	ref := n.say("Book a trip.")
	for range 20 {
		n.answer(n.question(), parley.Accept, `{"answer":"so"}`)
		n.until("it asks again, or not", func() bool {
			list, err := n.hub.List(t.Context(), alice, parley.Query{})
			return err == nil && len(list) > len(d.got())-1
		})
	}
	if got := n.reply(ref); got != "desk asked more than 20 times in one task, which was given up: what of it was done is not known. done" {
		t.Error(got)
	}
	if len(d.cancelled()) != 1 {
		t.Error("its task was left to wait")
	}
}

// An agent that answers with another task is not followed there.
func TestAnAgentThatAnswersWithAnotherTaskIsGivenUp(t *testing.T) {
	d := &desk{}
	status := a2a.TaskStatus{State: a2a.TaskStateInputRequired, Message: &a2a.Message{ID: "m1", Role: a2a.MessageRoleAgent, Parts: a2a.ContentParts{a2a.NewTextPart("Where to?")}}}
	d.rpc = func(method string, m *a2a.Message) any {
		if method == "SendMessage" {
			task := &a2a.Task{ID: "t1", ContextID: "c1", Status: status}
			if m.TaskID != "" {
				task.ID = "t2"
			}
			return a2a.StreamResponse{Event: task}
		}
		return a2a.Task{ID: "t1", ContextID: "c1", Status: status}
	}
	n := newWorld(t, d).node()
	ref := n.say("Book a trip.")
	n.answer(n.question(), parley.Accept, `{"answer":"Oslo"}`)
	if got := n.reply(ref); got != "desk answered with another task than the one that was begun; it was given up. done" {
		t.Error(got)
	}
}

// What cannot be read is not taken for a refusal: the agent had the message.
func TestAnAnswerThatCannotBeReadLeavesTheFateUnknown(t *testing.T) {
	for name, body := range map[string]string{
		"no JSON": "<html>", "another shape": `{"jsonrpc":"2.0","id":"1","result":{"x":1}}`, "nothing": "", "no task": `{"jsonrpc":"2.0","id":"1","result":{"task":{"status":{"state":"TASK_STATE_WORKING"}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &desk{rpc: func(string, *a2a.Message) any { return []byte(body) }}
			n := newWorld(t, d).node()
			if got := n.reply(n.say("Book a trip.")); !strings.HasPrefix(got, "desk answered with what cannot be read: whether the call was carried out is not known.") {
				t.Error(got)
			}
			if sent := d.asked("SendMessage"); len(sent) != 1 {
				t.Errorf("it was sent %d times", len(sent))
			}
		})
	}
}

// An agent that refuses a stream does so without one. It is heard all the same.
func TestARefusalInThePlaceOfAStreamIsHeard(t *testing.T) {
	d := &desk{streaming: true, rpc: func(string, *a2a.Message) any {
		return []byte(`{"jsonrpc":"2.0","id":"1","error":{"code":-32004,"message":"not today"}}`)
	}}
	n := newWorld(t, d).node()
	if got := n.reply(n.say("Book a trip.")); !strings.HasPrefix(got, "desk refused the task:") || !strings.Contains(got, "not today") {
		t.Error(got)
	}
}

// Nobody is there: the task was not sent, and that is said.
func TestAnAgentThatIsNotThereWasNotSentTheTask(t *testing.T) {
	d := &desk{work: booking, card: func(*a2a.AgentCard) {}}
	w := newWorld(t, d)
	d.url = "http://127.0.0.1:1"
	n := w.node()
	if got := n.reply(n.say("Book a trip.")); got != "desk cannot be reached just now; the call was not sent. done" {
		t.Error(got)
	}
}

// Where nobody can be asked the task is not left to wait for ever.
func TestWithoutAPersonTheTaskIsCancelled(t *testing.T) {
	d := &desk{work: booking, extension: true}
	n := newWorld(t, d).node()
	ref, err := n.StartUnasked("Book a trip.")
	if err != nil {
		t.Fatal(err)
	}
	if got := n.reply(ref); !strings.Contains(got, "Where to?") {
		t.Error(got)
	}
	n.until("its task is cancelled", func() bool { return len(d.cancelled()) == 1 })
}
