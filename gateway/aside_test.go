package gateway_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
)

// nameForm asks for a name.
var nameForm = json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`)

// askingAside is a server of an older era whose tools "who" ask on its own stream, as many
// questions as they are told, so that none says which call it is about. "slow" waits for
// its end.
func askingAside(t *testing.T) (s *shop, finish func()) {
	s = newShop(t, legacy)
	over := make(chan struct{})
	s.AddTool(&mcp.Tool{Name: "who", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in struct {
			Of    string
			Times int
		}
		if err := json.Unmarshal(r.Params.Arguments, &in); err != nil {
			return nil, err
		}
		var names []string
		for range max(in.Times, 1) {
			given, err := r.Session.Elicit(s.life.Context(), &mcp.ElicitParams{Message: "Who, " + in.Of + "?", RequestedSchema: nameForm})
			if err != nil {
				return nil, err
			}
			name, _ := given.Content["name"].(string)
			names = append(names, given.Action+" "+name)
		}
		return said("%s: %s", in.Of, strings.Join(names, ", ")), nil
	})
	s.AddTool(&mcp.Tool{Name: "slow", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-over
		return said("over"), nil
	})
	return s, sync.OnceFunc(func() { close(over) })
}

func TestEachOfTwoCallsThatAskAtOnceHasItsOwnQuestionAndAnswer(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		t.Run(era, func(t *testing.T) {
			s, _ := askingAside(t)
			h := newHouse(t, catalogue{{Name: "desk", Title: "Front desk", URL: s.url, Approve: permit.Never}}, nil)
			asked, second := make(chan struct{}), make(chan struct{})
			v := visit(t, h.url, "alice", era, func(q *mcp.ElicitParams) *mcp.ElicitResult {
				if strings.Contains(q.Message, "first") {
					close(asked)
					<-second // the person answers the other one before
				}
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": q.Message}}
			})
			var calls sync.WaitGroup
			calls.Go(func() {
				got, err := v.call(t, "desk__who", map[string]any{"of": "first"})
				if want := "first: accept [Front desk] Who, first?"; got != want {
					t.Errorf("the first call got %q, %v", got, err)
				}
			})
			<-asked
			got, err := v.call(t, "desk__who", map[string]any{"of": "second"})
			if want := "second: accept [Front desk] Who, second?"; got != want {
				t.Errorf("the second call got %q, %v", got, err)
			}
			close(second)
			calls.Wait()
		})
	}
}

// A call that asks nothing is taken for the one that asks. What it was asked is the
// other's when it ends.
func TestAQuestionIsNotLostWithTheCallThatItWasTakenFor(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		t.Run(era, func(t *testing.T) {
			s, finish := askingAside(t)
			defer finish()
			h := newHouse(t, catalogue{{Name: "desk", URL: s.url, Approve: permit.Never}}, nil)
			var once sync.Once
			shown := make(chan struct{})
			v := visit(t, h.url, "alice", era, func(*mcp.ElicitParams) *mcp.ElicitResult {
				first := false
				once.Do(func() { first = true })
				if first {
					close(shown)
					time.Sleep(time.Second) // the slow call ends meanwhile
				}
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ann"}}
			})
			var calls sync.WaitGroup
			calls.Go(func() {
				if got, err := v.call(t, "desk__slow", map[string]any{}); got != "over" {
					t.Errorf("the slow call got %q, %v", got, err)
				}
			})
			time.Sleep(200 * time.Millisecond) // it is under way
			calls.Go(func() {
				if got, err := v.call(t, "desk__who", map[string]any{"of": "me"}); got != "me: accept Ann" {
					t.Errorf("the call that asks got %q, %v", got, err)
				}
			})
			<-shown
			finish()
			calls.Wait()
		})
	}
}

func TestAllQuestionsOfACallHaveTheServersTitle(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		t.Run(era, func(t *testing.T) {
			s, _ := askingAside(t)
			h := newHouse(t, catalogue{{Name: "desk", Title: "Front desk", URL: s.url, Approve: permit.Never}}, nil)
			v := visit(t, h.url, "alice", era, func(*mcp.ElicitParams) *mcp.ElicitResult {
				return &mcp.ElicitResult{Action: "decline"}
			})
			if got, err := v.call(t, "desk__who", map[string]any{"of": "me", "times": 3}); got != "me: decline , decline , decline " {
				t.Errorf("got %q, %v", got, err)
			}
			if diff := cmp.Diff(slices.Repeat([]string{"[Front desk] Who, me?"}, 3), v.questions()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A client takes each endpoint for a server of its own: what is asked by a call at one is
// not shown at another, whatever else the server does for the same person.
func TestAQuestionIsForTheEndpointOfItsCall(t *testing.T) {
	s, finish := askingAside(t)
	defer finish()
	h := newHouse(t, catalogue{{Name: "desk", URL: s.url, Approve: permit.Never}}, byDefault)
	var slow sync.WaitGroup
	elsewhere := visitAble(t, h.url, "alice", modern, agreeing, nil)
	slow.Go(func() { _, _ = elsewhere.call(t, "desk__slow", map[string]any{}) })
	time.Sleep(200 * time.Millisecond) // it is under way
	own := visitAble(t, h.at("desk"), "alice", modern, func(*mcp.ElicitParams) *mcp.ElicitResult {
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ann"}}
	}, nil)
	if got, err := own.call(t, "who", map[string]any{"of": "me"}); got != "me: accept Ann" {
		t.Errorf("%q, %v", got, err)
	}
	finish()
	slow.Wait()
	if asked := elsewhere.questions(); len(asked) > 0 {
		t.Errorf("at the endpoint for all they were asked %q", asked)
	}
}

// A server that has asked so once has a connection for each call: what one asks, and is
// refused, is nothing to another.
func TestACallThatAsksNothingIsNotEndedByAnothersQuestion(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		t.Run(era, func(t *testing.T) {
			s, finish := askingAside(t)
			defer finish()
			h := newHouse(t, catalogue{{Name: "desk", URL: s.url, Approve: permit.Never}}, func(o *gateway.Options) { o.Fallback = mcptool.Deny })
			v := visit(t, h.url, "alice", era, nil)
			ask := func() (string, error) { return v.call(t, "desk__who", map[string]any{"of": "me"}) }
			if got, err := ask(); err == nil && !strings.Contains(got, "does not support") {
				t.Fatalf("%q", got)
			}
			var slow sync.WaitGroup
			slow.Go(func() {
				if got, err := v.call(t, "desk__slow", map[string]any{}); got != "over" {
					t.Errorf("the call that asks nothing got %q, %v", got, err)
				}
			})
			time.Sleep(200 * time.Millisecond) // it is under way
			if got, err := ask(); err == nil && !strings.Contains(got, "does not support") {
				t.Errorf("%q", got)
			}
			finish()
			slow.Wait()
		})
	}
}

// What a server has taken back is over for it: by the same id it may ask anew.
func TestAServerIsNotAnsweredWhatItTookBack(t *testing.T) {
	s := newShop(t, legacy)
	back := make(chan struct{})
	s.AddTool(&mcp.Tool{Name: "regret", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		asking, stop := context.WithCancel(ctx)
		context.AfterFunc(s.life.Context(), stop)
		go func() {
			<-back
			stop()
		}()
		_, err := r.Session.Elicit(asking, &mcp.ElicitParams{Message: "Who?", RequestedSchema: nameForm})
		time.Sleep(500 * time.Millisecond) // what is said of it now is too late
		return said("taken back: %v", err != nil), nil
	})
	behind, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(behind)
	proxy.FlushInterval = -1
	var told atomic.Int64
	front := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if m, err := mcpclient.Envelope(body); err == nil && m.Response() && strings.Contains(string(m.Result), "action") {
			told.Add(1)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	}))
	h := newHouse(t, catalogue{{Name: "desk", URL: front, Approve: permit.Never}}, nil)
	v := visit(t, h.url, "alice", modern, func(*mcp.ElicitParams) *mcp.ElicitResult {
		close(back)
		time.Sleep(200 * time.Millisecond)
		return &mcp.ElicitResult{Action: "decline"}
	})
	if text, err := v.call(t, "desk__regret", map[string]any{}); text != "taken back: true" || told.Load() > 0 {
		t.Errorf("%q, %v: the server was told %d times", text, err, told.Load())
	}
}
