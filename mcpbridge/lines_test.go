package mcpbridge_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/mcpbridge"
)

func TestLinesThatAreNoMessagesAreRefused(t *testing.T) {
	for line, want := range map[string]struct {
		id   any
		code int
	}{
		`hello`:                          {nil, -32700},
		`{"jsonrpc":"2.0","id":1,`:       {nil, -32700},
		`[{"jsonrpc":"2.0","id":1}]`:     {nil, -32600},
		`"text"`:                         {nil, -32600},
		`{"id":7,"method":"tools/list"}`: {7.0, -32600},
		`{"jsonrpc":"2.0","id":7}`:       {nil, -32600},
		`{"jsonrpc":"2.0","method":3}`:   {nil, -32600},
		`{"jsonrpc":"2.0","id":null,"method":"tools/list"}`:           {nil, -32600},
		`{"jsonrpc":"2.0","id":{},"method":"tools/list"}`:             {nil, -32600},
		`{"jsonrpc":"2.0","id":"a","method":"tools/list","result":1}`: {"a", -32600},
	} {
		t.Run(line, func(t *testing.T) {
			k := newTalk(t, inProcess(t, &script{}))
			k.say(line)
			k.failure(want.id, want.code)
			k.say("")
			k.begin() // it works all the same
		})
	}
}

func TestTheLastLineNeedsNoNewline(t *testing.T) {
	var out strings.Builder
	if err := mcpbridge.Run(t.Context(), strings.NewReader(initialize), &out, inProcess(t, &script{})); err != nil {
		t.Fatal(err)
	}
	if want := `{"jsonrpc":"2.0","id":"i","result":{"protocolVersion":"2025-11-25"}}` + "\n"; out.String() != want {
		t.Errorf("got %s", out.String())
	}
}

func TestMessagesThatAreTooLargeAreRefusedByTheirID(t *testing.T) {
	big := strings.Repeat("x", 100_000)
	for name, line := range map[string]string{
		"first": `{"jsonrpc":"2.0","id":"a\"b","method":"m","params":{"id":2,"text":"` + big + `"}}`,
		"last":  `{"params":{"text":"` + big + `\\","id":[1]}, "method" : "m", "id" : "a\"b" }`,
	} {
		t.Run(name, func(t *testing.T) {
			opts := inProcess(t, &script{})
			opts.MaxMessage = 1000
			k := newTalk(t, opts)
			k.say(line)
			if got := k.failure(`a"b`, -32600); got != "the message is larger than 1000 bytes" {
				t.Errorf("got %q", got)
			}
			k.begin()
		})
	}
}

func TestAnAnswerOfTheClientThatIsTooLargeBecomesAnErrorForTheServer(t *testing.T) {
	s := &script{}
	opts := inProcess(t, s)
	opts.MaxMessage = 1000
	k := newTalk(t, opts)
	k.begin()
	k.say(`{"jsonrpc":"2.0","id":5,"result":{"text":"` + strings.Repeat("x", 2000) + `"}}`)
	if err := k.end(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"notifications/initialized",
		`5{"code":-32000,"message":"the message is larger than 1000 bytes"}`,
		"DELETE",
	}
	if diff := cmp.Diff(want, s.noted()); diff != "" {
		t.Error(diff)
	}
}

func TestAnswersOfTheServerThatAreTooLargeBecomeErrors(t *testing.T) {
	big := `{"text":"` + strings.Repeat("x", 2000) + `"}`
	for name, post := range map[string]func(http.ResponseWriter, *http.Request, wireMessage){
		"document": func(w http.ResponseWriter, _ *http.Request, m wireMessage) { respond(w, m, big) },
		"event": func(w http.ResponseWriter, _ *http.Request, m wireMessage) {
			stream(w)(`data: {"jsonrpc":"2.0","id":1,"result":` + big + "}\n\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			opts := inProcess(t, &script{post: post})
			opts.MaxMessage = 1000
			k := newTalk(t, opts)
			k.begin()
			k.say(request("1", "m"))
			if got := k.failure(1.0, -32000); !strings.HasSuffix(got, "is larger than 1000 bytes") {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestAnswersBecomeOneLineEach(t *testing.T) {
	s := &script{post: func(w http.ResponseWriter, _ *http.Request, m wireMessage) {
		send := stream(w)
		send(": a comment\nevent: other\ndata: not for us\n\n")
		send("data: {\"jsonrpc\":\"2.0\",\r\ndata:  \"method\":\"notifications/message\"}\r\n\r\n")
		send("data: this is no message\n\n")
		send("data: {\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}\n\n")
		send("event: message\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"id\":1,\"result\":{\"a\":\"<&>\"}}\n\n")
	}}
	k := newTalk(t, inProcess(t, s))
	k.begin()
	k.say(request("1", "m"))
	if a := k.hear(); a.Method != "notifications/message" {
		t.Errorf("got %s", k.out.Text())
	}
	if got := string(k.result(1.0)); got != `{"a":"<&>"}` {
		t.Errorf("got %s", got)
	}
}

// brokenPipe takes one line.
type brokenPipe struct{ lines int }

func (p *brokenPipe) Write(b []byte) (int, error) {
	if p.lines++; p.lines > 1 {
		return 0, errWrite
	}
	return len(b), nil
}

func TestABrokenPipeEndsTheRun(t *testing.T) {
	in, w := io.Pipe()
	ended := make(chan error)
	go func() { ended <- mcpbridge.Run(context.Background(), in, &brokenPipe{}, inProcess(t, &script{})) }()
	_, _ = io.WriteString(w, initialize+"\n"+request("1", "m")+"\n")
	if err := <-ended; !errors.Is(err, errWrite) {
		t.Errorf("got %v", err)
	}
	w.Close()
}

func TestTheRunEndsWithItsContext(t *testing.T) {
	s := &script{}
	ctx, cancel := context.WithCancel(t.Context())
	in, w := io.Pipe()
	fromBridge, out := io.Pipe()
	ended := make(chan error)
	go func() { ended <- mcpbridge.Run(ctx, in, out, overHTTP(t, s)) }()
	go func() { _, _ = io.WriteString(w, initialize+"\n") }()
	if _, err := fromBridge.Read(make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	cancel()
	w.Close()
	go func() { _, _ = io.Copy(io.Discard, fromBridge) }()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	out.Close()
	if diff := cmp.Diff([]string{"DELETE"}, s.noted()); diff != "" {
		t.Error(diff)
	}
}
