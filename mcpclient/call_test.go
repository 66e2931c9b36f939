package mcpclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/mcpclient"
)

func TestACallIsAnsweredByEveryKindOfServer(t *testing.T) {
	everywhere(t, func(t *testing.T, connect connecting) {
		c := connect(mcpclient.Options{})
		server := c.Server()
		if server.Name != "fixture" || server.Version != "7" || server.Title != "A fixture" || !server.Tools || !server.ToolsChange || server.Prompts {
			t.Errorf("the server is %+v", server)
		}
		for i := range 3 {
			x := call(t, c, "plain", fmt.Sprintf(`{"word":"%d"}`, i))
			if got := textOf(t, next(t, x)); got != fmt.Sprint("hello ", i) {
				t.Errorf("got %q", got)
			}
			if m, err := x.Next(); err != io.EOF {
				t.Errorf("after the response came %v, %v", m, err)
			}
			x.Close()
		}
	})
}

func TestParamsWithLineEndsAreRelayed(t *testing.T) {
	everywhere(t, func(t *testing.T, connect connecting) {
		c := connect(mcpclient.Options{})
		x := call(t, c, "plain", "{\n\t\"word\": \"a\\nb\"\r\n}")
		if got := textOf(t, next(t, x)); got != "hello a\nb" {
			t.Errorf("got %q", got)
		}
	})
}

func TestABigResultIsRelayed(t *testing.T) {
	everywhere(t, func(t *testing.T, connect connecting) {
		c := connect(mcpclient.Options{})
		x := call(t, c, "big", `{"size":5000000}`)
		if got := textOf(t, next(t, x)); len(got) != 5000000 || strings.Trim(got, "x") != "" {
			t.Errorf("got %d bytes", len(got))
		}
	})
}

func TestAMessageOverTheLimitIsRefused(t *testing.T) {
	everywhere(t, func(t *testing.T, connect connecting) {
		c := connect(mcpclient.Options{MaxMessage: 10_000})
		x := call(t, c, "big", `{"size":20000}`)
		if m, err := x.Next(); !errors.Is(err, mcpclient.ErrTooLarge) {
			t.Errorf("got %d bytes, %v", len(m.Result), err)
		}
	})
}

func TestAnOlderServerAsksInLine(t *testing.T) {
	inEra(t, "legacy", func(t *testing.T, connect connecting) {
		c := connect(mcpclient.Options{})
		x := call(t, c, "ask", `{"word":"Ann"}`)
		answerAll(t, x, "Ann")
		if got := textOf(t, next(t, x)); got != "accept yes Ann accept" {
			t.Errorf("got %q", got)
		}
	})
}

// answerAll answers the form and the URL of "ask".
func answerAll(t *testing.T, x *mcpclient.Exchange, word string) {
	t.Helper()
	form := next(t, x)
	message, _ := mcpclient.Member(form.Params, "message")
	if form.Method != "elicitation/create" || string(message) != `"Sure, `+word+`?"` {
		t.Errorf("the form is %s %s", form.Method, form.Params)
	}
	if err := x.Reply(t.Context(), form.ID, json.RawMessage(`{"action":"accept","content":{"word":"yes `+word+`"}}`), nil); err != nil {
		t.Error(err)
	}
	link := next(t, x)
	if id, _ := mcpclient.Member(link.Params, "elicitationId"); string(id) != `"l-`+word+`"` {
		t.Errorf("the link is %s", link.Params)
	}
	if err := x.Reply(t.Context(), link.ID, json.RawMessage(`{"action":"accept"}`), nil); err != nil {
		t.Error(err)
	}
}

func TestAQuestionMayBeRefusedWithAnError(t *testing.T) {
	c := connect(t, mcpclient.Options{URL: newFixture(nil).serve(t, nil)})
	x := call(t, c, "ask", `{}`)
	if err := x.Reply(t.Context(), next(t, x).ID, nil, &mcpclient.Error{Code: -1, Message: "nobody is there"}); err != nil {
		t.Fatal(err)
	}
	if got := textOf(t, next(t, x)); !strings.Contains(got, "nobody is there") {
		t.Errorf("got %q", got)
	}
}

func TestCallsThatAskAtOnceGetTheirOwnAnswers(t *testing.T) {
	c := connect(t, mcpclient.Options{URL: newFixture(nil).serve(t, nil)})
	var all sync.WaitGroup
	for i := range 8 {
		x := call(t, c, "ask", fmt.Sprintf(`{"word":"%d"}`, i))
		all.Go(func() {
			answerAll(t, x, fmt.Sprint(i))
			if got, want := textOf(t, next(t, x)), fmt.Sprintf("accept yes %d accept", i); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
	all.Wait()
}

func TestInputRequiredIsRelayed(t *testing.T) {
	inEra(t, "modern", func(t *testing.T, connect connecting) {
		c := connect(mcpclient.Options{})
		m := next(t, call(t, c, "ask", `{"word":"Ann"}`))
		var asked struct {
			ResultType    string
			RequestState  string
			InputRequests map[string]struct {
				Method string
				Params struct{ Message string }
			}
		}
		if err := json.Unmarshal(m.Result, &asked); err != nil {
			t.Fatal(err)
		}
		if asked.ResultType != "input_required" || asked.RequestState != "one" || asked.InputRequests["form"].Params.Message != "Sure, Ann?" {
			t.Errorf("the result is %s", m.Result)
		}
		x := call(t, c, "ask", `{"word":"Ann"},"requestState":"one","inputResponses":{"form":{"action":"accept","content":{"word":"yes"}}}`)
		if got := textOf(t, next(t, x)); got != "one accept yes" {
			t.Errorf("got %q", got)
		}
	})
}

func TestAnErrorOfTheServerIsTheResponse(t *testing.T) {
	everywhere(t, func(t *testing.T, connect connecting) {
		c := connect(mcpclient.Options{})
		m := next(t, call(t, c, "visit", `{}`))
		if m.Error == nil || m.Error.Code != -32042 || !strings.Contains(string(m.Error.Data), "https://fixture.example/login") {
			t.Errorf("got %v, %s", m.Error, m.Result)
		}
		m = next(t, call(t, c, "nothing of this name", `{}`))
		if m.Error == nil || m.Error.Code != -32602 {
			t.Errorf("got %v, %s", m.Error, m.Result)
		}
	})
}

func TestProgressComesBeforeTheResponse(t *testing.T) {
	whereStreams(t, func(t *testing.T, connect connecting) {
		c := connect(mcpclient.Options{})
		x := call(t, c, "steps", `{}`, func(r *mcpclient.Request) { r.Progress = json.RawMessage(`"p1"`) })
		var got []string
		for {
			m := next(t, x)
			if m.Response() {
				got = append(got, textOf(t, m))
				break
			}
			var p struct{ ProgressToken, Message string }
			if err := json.Unmarshal(m.Params, &p); err != nil {
				t.Fatal(err)
			}
			got = append(got, p.ProgressToken+" "+p.Message)
		}
		want := []string{"p1 step 0", "p1 step 1", "p1 step 2", "done"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestTheServerHearsOfAClosedCall(t *testing.T) {
	for name, opts := range streaming {
		t.Run(name, func(t *testing.T) {
			f := newFixture(nil)
			c := connect(t, mcpclient.Options{URL: f.serve(t, opts)})
			x := call(t, c, "hang", `{"word":"a"}`, func(r *mcpclient.Request) { r.Progress = json.RawMessage("1") })
			if m := next(t, x); m.Method != "notifications/progress" {
				t.Fatalf("got %v", m)
			}
			ended := make(chan error)
			go func() {
				_, err := x.Next()
				ended <- err
			}()
			x.Close()
			if got := <-f.cancelled; got != "a" {
				t.Error(got)
			}
			if err := <-ended; !errors.Is(err, mcpclient.ErrClosed) {
				t.Errorf("Next ended with %v", err)
			}
			if got := textOf(t, next(t, call(t, c, "plain", `{"word":"b"}`))); got != "hello b" {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestTheContextOfACallBoundsUntilTheServerTookIt(t *testing.T) {
	for name, opts := range streaming {
		t.Run(name, func(t *testing.T) {
			f := newFixture(nil)
			c := connect(t, mcpclient.Options{URL: f.serve(t, opts)})
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-f.started
				cancel()
			}()
			x, err := c.Call(ctx, mcpclient.Request{Method: "tools/call", Name: "hang", Params: json.RawMessage(`{"name":"hang","arguments":{"word":"a"}}`)})
			if x != nil || !errors.Is(err, context.Canceled) || errors.Is(err, mcpclient.ErrUnreachable) {
				t.Errorf("got %v, %v", x, err)
			}
			if got := <-f.cancelled; got != "a" {
				t.Error(got)
			}
		})
	}
}

func TestACallOutlivesTheContextThatItWasMadeWith(t *testing.T) {
	whereStreams(t, func(t *testing.T, connect connecting) {
		c := connect(mcpclient.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		x, err := c.Call(ctx, mcpclient.Request{Method: "tools/call", Name: "steps", Params: json.RawMessage(`{"name":"steps","arguments":{}}`), Progress: json.RawMessage("1")})
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		cancel()
		for range 3 {
			next(t, x)
		}
		if got := textOf(t, next(t, x)); got != "done" {
			t.Errorf("got %q", got)
		}
	})
}

func TestTheNameIsSentInAHeaderThatCannotBeBroken(t *testing.T) {
	for name, want := range map[string]string{
		"plain":              "plain",
		"file:///a b":        "file:///a b",
		"größe":              "=?base64?Z3LDtsOfZQ==?=",
		" edge":              "=?base64?IGVkZ2U=?=",
		"a\r\nX-Injected: 1": "=?base64?YQ0KWC1JbmplY3RlZDogMQ==?=",
		"=?base64?literal?=": "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=",
	} {
		headers := make(chan http.Header, 16)
		inner := fixed(true, false, smallResult)
		url := serveHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			headers <- r.Header
			inner.ServeHTTP(w, r)
		}), nil)
		c := connect(t, mcpclient.Options{URL: url})
		<-headers
		call(t, c, "x", `{}`, func(r *mcpclient.Request) {
			r.Name = name
			r.Header = http.Header{"mcp-param-region": {"eu"}, "Mcp-Method": {"forged"}, "Mcp-Protocol-Version": {"forged"}}
		})
		got := <-headers
		sent := map[string]string{}
		for _, key := range []string{"Mcp-Name", "Mcp-Method", "Mcp-Param-Region", "Mcp-Protocol-Version"} {
			sent[key] = strings.Join(got.Values(key), "|")
		}
		if diff := cmp.Diff(map[string]string{"Mcp-Name": want, "Mcp-Method": "tools/call", "Mcp-Param-Region": "eu", "Mcp-Protocol-Version": "2026-07-28"}, sent); diff != "" {
			t.Error(diff)
		}
	}
}
