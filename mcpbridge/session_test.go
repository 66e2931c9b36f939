package mcpbridge_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestASessionThatTheServerForgotIsBegunAnewBetweenCalls(t *testing.T) {
	everywhere(t, func(t *testing.T, way way) {
		s := newSite(t)
		s.addTool("quick", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return say("at once"), nil
		})
		changed := make(chan struct{}, 10)
		c := connect(t, way(t, s), legacy, &mcp.ClientOptions{
			ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} },
		})
		call(t, c, "quick")
		<-s.listening
		s.restart()
		s.dropSessions()
		if got := call(t, c, "quick"); got != "at once" {
			t.Errorf("got %q", got)
		}
		<-s.listening
		s.addTool("news", nil)
		<-changed
	})
}

func TestQuestionsOfANewSessionAreNotMixedUpWithThoseOfTheLost(t *testing.T) {
	s := &script{post: func(w http.ResponseWriter, _ *http.Request, m wireMessage) {
		if m.Method == "quick" {
			respond(w, m, `{}`)
			return
		}
		// Every session numbers its questions from 1.
		send := stream(w)
		send(`data: {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}` + "\n\n")
		send(`data: {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n\n")
		send(fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n\n", m.ID))
	}}
	k := newTalk(t, overHTTP(t, s))
	k.begin()
	k.say(request("1", "ask"))
	first := k.hear()
	k.hear()
	k.result(1.0)
	s.forget()
	k.say(request("2", "ask"))
	second := k.hear()
	var cancelled = string(k.hear().Params)
	k.result(2.0)
	if first.ID != 1.0 || second.ID == 1.0 {
		t.Fatalf("ids of the questions: %v, %v", first.ID, second.ID)
	}
	if want := fmt.Sprintf(`{"requestId":%q}`, second.ID); cancelled != want {
		t.Errorf("cancelled %s, want %s", cancelled, want)
	}
	k.say(`{"jsonrpc":"2.0","id":1,"result":{"late":true}}`)
	k.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"result":{"late":false}}`, second.ID))
	if err := k.end(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"notifications/initialized", "notifications/initialized", `1{"late":false}`, "DELETE",
	}
	if diff := cmp.Diff(want, s.noted()); diff != "" {
		t.Error(diff)
	}
}

func TestCallsUnderWayFailWhenTheSessionIsLost(t *testing.T) {
	s := &script{post: func(w http.ResponseWriter, r *http.Request, m wireMessage) {
		if m.Method == "quick" {
			respond(w, m, `{}`)
			return
		}
		stream(w)(`data: {"jsonrpc":"2.0","method":"notifications/progress"}` + "\n\n")
		<-r.Context().Done()
	}}
	everywhere(t, func(t *testing.T, way way) {
		k := newTalk(t, way(t, s))
		k.begin()
		k.say(request(`"slow"`, "slow"))
		k.hear() // it is at work
		s.forget()
		k.say(request(`"next"`, "quick"))
		got := map[any]string{}
		for range 2 {
			a := k.hear()
			if a.Error == nil {
				t.Fatalf("got %s", k.out.Text())
			}
			got[a.ID] = a.Error.Message
		}
		for _, id := range []string{"slow", "next"} {
			if !strings.HasSuffix(got[id], "ended during the call: try again") {
				t.Errorf("%s: %q", id, got[id])
			}
		}
		k.say(request(`"again"`, "quick"))
		k.result("again")
	})
}

func TestALostSessionThatTheServerKeptThingsForIsNotReplaced(t *testing.T) {
	s := &script{}
	k := newTalk(t, overHTTP(t, s))
	k.begin()
	k.say(request("1", "resources/subscribe"))
	k.result(1.0)
	s.forget()
	for _, id := range []float64{2, 3} {
		k.say(request(fmt.Sprint(id), "tools/list"))
		if got := k.failure(id, -32000); !strings.HasSuffix(got, "has ended: reconnect to the server") {
			t.Errorf("got %q", got)
		}
	}
	k.begin()
	k.say(request("4", "tools/list"))
	k.result(4.0)
}

func TestANewSessionLogsWhatTheLostOneDid(t *testing.T) {
	s := &script{}
	s.post = func(w http.ResponseWriter, r *http.Request, m wireMessage) {
		s.note(m.Method + " in " + r.Header.Get("Mcp-Session-Id"))
		respond(w, m, `{}`)
	}
	k := newTalk(t, overHTTP(t, s))
	k.begin()
	k.say(request("1", "logging/setLevel"))
	k.result(1.0)
	s.forget()
	k.say(request("2", "tools/list"))
	k.result(2.0)
	want := []string{
		"notifications/initialized", "logging/setLevel in s1",
		"notifications/initialized", "logging/setLevel in s2", "tools/list in s2",
	}
	if diff := cmp.Diff(want, s.noted()); diff != "" {
		t.Error(diff)
	}
}

func TestALostSessionIsNotReplacedByOneOfAnotherVersion(t *testing.T) {
	s := &script{}
	k := newTalk(t, overHTTP(t, s))
	k.begin()
	k.say(request("0", "tools/list"))
	k.result(0.0)
	s.upgrade("2025-06-18")
	s.forget()
	k.say(request("1", "tools/list"))
	if got := k.failure(1.0, -32000); !strings.HasSuffix(got, "reconnect to the server") {
		t.Errorf("got %q", got)
	}
	if err := k.end(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"notifications/initialized", "DELETE"}, s.noted()); diff != "" {
		t.Error(diff)
	}
}

func TestASecondInitializeEndsTheFirstSession(t *testing.T) {
	deleted, listened := make(chan string, 2), make(chan struct{}, 2)
	s := &script{get: func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusMethodNotAllowed)
		listened <- struct{}{}
	}}
	k := newTalk(t, overHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			deleted <- r.Header.Get("Mcp-Session-Id")
			return
		}
		s.ServeHTTP(w, r)
	})))
	k.begin()
	<-listened // the script knows one session at a time
	k.begin()
	if got := <-deleted; got != "s1" {
		t.Errorf("deleted %s", got)
	}
	if err := k.end(); err != nil {
		t.Fatal(err)
	}
	if got := <-deleted; got != "s2" {
		t.Errorf("deleted %s", got)
	}
}

func TestNothingOvertakesTheBeginningOfASession(t *testing.T) {
	release := make(chan struct{})
	s := &script{}
	var headers []string
	k := newTalk(t, overHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Session-Id") == "" {
			<-release
		} else if r.Method == http.MethodPost && len(s.noted()) > 0 {
			s.mu.Lock()
			headers = append(headers, r.Header.Get("Mcp-Session-Id")+" "+r.Header.Get("Mcp-Protocol-Version"))
			s.mu.Unlock()
		}
		s.ServeHTTP(w, r)
	})))
	k.say(initialize)
	k.say(initialized)
	k.say(request("1", "tools/list"))
	k.say(request("2", "tools/list"))
	close(release)
	k.result("i")
	k.hear()
	k.hear()
	if err := k.end(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"s1 " + legacy, "s1 " + legacy}, headers); diff != "" {
		t.Errorf("requests after notifications/initialized: %s", diff)
	}
}
