package toolbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall/toolbox"
)

// journal is a log that is written to and read at once.
type journal struct {
	mu   sync.Mutex
	text strings.Builder
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// event sends a message on the stream of a call.
func event(w http.ResponseWriter, message string) {
	fmt.Fprintf(w, "data: %s\n\n", message)
	w.(http.Flusher).Flush()
}

// inLine is an older server that sends these messages about a call, and then
// its end. ID in them stands for the call's id.
func inLine(messages ...string) *hand {
	return &hand{tell: func(w http.ResponseWriter, _ string, id json.RawMessage, _ int64) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, m := range messages {
			event(w, strings.ReplaceAll(m, "ID", string(id)))
		}
	}}
}

const done = `{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"done"}]}}`

func question(id, params string) string {
	return `{"jsonrpc":"2.0","id":"` + id + `","method":"elicitation/create","params":` + params + `}`
}

// open makes a call whose questions nobody answers. Each is reported.
func open(ctx context.Context, b *toolbox.Box, asked chan<- parley.Request) (agent.Result, error) {
	return b.Call(ctx, &agent.Invocation{
		Caller: alice, ID: "1", Tool: agent.Tool{Name: "any"}, Args: json.RawMessage(`{}`),
		Ask: func(ctx context.Context, _ string, q parley.Request) (parley.Outcome, error) {
			asked <- q
			<-ctx.Done()
			return parley.Outcome{}, context.Cause(ctx)
		},
	})
}

func TestAnOlderServerThatAsksWithoutEndIsLeft(t *testing.T) {
	var all []string
	for i := range 1000 {
		all = append(all, question(fmt.Sprint("q", i), `{"message":"Sure?"}`))
	}
	h := inLine(append(all, done)...)
	_, asked, err := call(t, newBox(t, toolbox.Options{URL: h.serve(t)}), "any", yes)
	refused(t, err, "fixture asked more than 20 times in one call, which was given up: whether it was carried out is not known. Find out before you call it again.")
	if len(asked) > 20 {
		t.Errorf("%d questions were asked", len(asked))
	}
}

// What nobody can be asked counts as well, and the server does not decide how much is logged.
func TestAnOlderServerWhoseQuestionsAreRefusedWithoutEndIsLeft(t *testing.T) {
	var all []string
	for i := range 1000 {
		all = append(all, question(fmt.Sprint("q", i), `{"mode":"hidden","message":"Sure?"}`))
	}
	h := inLine(append(all, done)...)
	logged := &journal{}
	_, asked, err := call(t, newBox(t, toolbox.Options{URL: h.serve(t), Logger: slog.New(slog.NewTextHandler(logged, nil))}), "any", yes)
	refused(t, err, "fixture asked more than 20 times in one call, which was given up: whether it was carried out is not known. Find out before you call it again.")
	if n := strings.Count(logged.String(), "question of a server refused"); len(asked) != 0 || n != 1 {
		t.Errorf("%d questions were asked, %d lines were logged", len(asked), n)
	}
}

func TestAQuestionThatIsTakenBackOrOvertakenIsGivenUp(t *testing.T) {
	for name, then := range map[string][]string{
		"taken back":            {`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q"}}`, done},
		"overtaken by a result": {done},
	} {
		t.Run(name, func(t *testing.T) {
			h := inLine(append([]string{question("q", `{"message":"Sure?"}`)}, then...)...)
			asked := make(chan parley.Request, 10)
			result, err := open(t.Context(), newBox(t, toolbox.Options{URL: h.serve(t)}), asked)
			if err != nil || result.Text != "done" {
				t.Errorf("%+v, %v", result, err)
			}
		})
	}
}

func TestACallThatWaitsForAPersonEndsWithItsContextAndWithTheBox(t *testing.T) {
	for name, end := range map[string]func(context.CancelFunc, *toolbox.Box){
		"context": func(cancel context.CancelFunc, _ *toolbox.Box) { cancel() },
		"box":     func(_ context.CancelFunc, b *toolbox.Box) { _ = b.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			left := make(chan struct{})
			h := &hand{wait: func(w http.ResponseWriter, r *http.Request, _ json.RawMessage) {
				w.Header().Set("Content-Type", "text/event-stream")
				event(w, question("q", `{"message":"Sure?"}`))
				<-r.Context().Done()
				close(left)
			}}
			b := newBox(t, toolbox.Options{URL: h.serve(t)})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			asked := make(chan parley.Request, 1)
			var calls sync.WaitGroup
			var err error
			calls.Go(func() { _, err = open(ctx, b, asked) })
			<-asked
			end(cancel, b)
			calls.Wait()
			if err == nil {
				t.Error("it ended well")
			}
			<-left // the server's end is closed too
		})
	}
}

func TestAServerMayNotSendPeopleToOurPages(t *testing.T) {
	link := `{"mode":"url","message":"Look","url":"https://PARLEY.example:443/answer/1","elicitationId":"e"}`
	ours := toolbox.Options{PublicURL: "https://parley.example"}
	t.Run("by its answer", func(t *testing.T) {
		h := &hand{modern: true, tell: func(w http.ResponseWriter, _ string, id json.RawMessage, _ int64) {
			sayJSON(w, id, `{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":`+link+`}}}`)
		}}
		ours.URL = h.serve(t)
		_, asked, err := call(t, newBox(t, ours), "any", yes)
		refused(t, err, "pages that are not its own")
		if len(asked) != 0 {
			t.Errorf("asked %q", asked)
		}
	})
	t.Run("before the call", func(t *testing.T) {
		h := &hand{tell: func(w http.ResponseWriter, _ string, id json.RawMessage, _ int64) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32042,"message":"no","data":{"elicitations":[%s]}}}`, id, link)
		}}
		ours.URL = h.serve(t)
		_, asked, err := call(t, newBox(t, ours), "any", yes)
		refused(t, err, "pages that are not its own")
		if len(asked) != 0 {
			t.Errorf("asked %q", asked)
		}
	})
	t.Run("in line", func(t *testing.T) {
		ours.URL = inLine(question("q", link), done).serve(t)
		result, asked, err := call(t, newBox(t, ours), "any", yes)
		if err != nil || result.Text != "done" || len(asked) != 0 {
			t.Errorf("%+v, %v, asked %q", result, err, asked)
		}
	})
}

// What is wrong with a link is said of it: only one of ours is called one.
func TestALinkIsRefusedForWhatItIs(t *testing.T) {
	const misleads, foreign = "misleading host name", "pages that are not its own"
	for host, want := range map[string]string{
		"p\u0430rley.example":            misleads, // a Cyrillic letter in it
		"xn--prley-4ve.example":          misleads,
		"\uff50arley.example":            foreign, // a wide letter, which browsers read as p
		"alice@parley.example":           foreign,
		"parley.example@gateway.example": "a user name in front of its host",
		"parley.example.\u3164example":   "not a valid international name",
	} {
		link := fmt.Sprintf(`{"mode":"url","message":"Look","url":"https://%s/answer/1","elicitationId":"e"}`, host)
		h := &hand{modern: true, tell: func(w http.ResponseWriter, _ string, id json.RawMessage, _ int64) {
			sayJSON(w, id, `{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":`+link+`}}}`)
		}}
		_, asked, err := call(t, newBox(t, toolbox.Options{PublicURL: "https://parley.example", URL: h.serve(t)}), "any", yes)
		if err == nil || !strings.Contains(err.Error(), want) || len(asked) != 0 {
			t.Errorf("%s: %v, want %q; asked %q", host, err, want, asked)
		}
	}
}

func TestAFormHasItsFieldsInTheServersOrder(t *testing.T) {
	const schema = `{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string"},"m":{"type":"string"}}}`
	const params = `{"message":"Which?","requestedSchema":` + schema + `}`
	for name, h := range map[string]*hand{
		"in line": inLine(question("q", params), done),
		"by its answer": {modern: true, tell: func(w http.ResponseWriter, _ string, id json.RawMessage, n int64) {
			if n > 1 {
				sayJSON(w, id, `{"content":[{"type":"text","text":"done"}]}`)
				return
			}
			sayJSON(w, id, `{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":`+params+`}}}`)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var got string
			result, _, err := call(t, newBox(t, toolbox.Options{URL: h.serve(t)}), "any", func(q parley.Request) parley.Outcome {
				got = string(q.Schema)
				return parley.Outcome{Action: parley.Decline}
			})
			if err != nil || result.Text != "done" || got != schema {
				t.Errorf("%+v, %v, asked %s", result, err, got)
			}
		})
	}
}

func TestAToolSaysNoMoreOfItselfThanItsServerDoes(t *testing.T) {
	yes, no := true, false
	h := &hand{modern: true, tell: func(w http.ResponseWriter, _ string, id json.RawMessage, _ int64) {
		sayJSON(w, id, `{"tools":[
			{"name":"silent","inputSchema":{"type":"object"},"annotations":{"title":"Silent"}},
			{"name":"loud","title":"Loud","inputSchema":{"type":"object"},"annotations":{"title":"x","readOnlyHint":false,"destructiveHint":true,"idempotentHint":true,"openWorldHint":false}}]}`)
	}}
	got, err := newBox(t, toolbox.Options{URL: h.serve(t)}).Tools(t.Context(), alice)
	want := []agent.Tool{
		{Name: "silent", Title: "Silent", Schema: json.RawMessage(`{"type":"object"}`)},
		{Name: "loud", Title: "Loud", Schema: json.RawMessage(`{"type":"object"}`), ReadOnly: &no, Destructive: &yes, Idempotent: &yes, OpenWorld: &no},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestASessionThatWasForgottenIsBegunAgain(t *testing.T) {
	h := &hand{}
	h.tell = func(w http.ResponseWriter, _ string, id json.RawMessage, n int64) {
		if n == 2 {
			http.Error(w, "no such session", http.StatusNotFound)
			return
		}
		sayJSON(w, id, fmt.Sprintf(`{"content":[{"type":"text","text":"call %d"}]}`, n))
	}
	b := newBox(t, toolbox.Options{URL: h.serve(t)})
	for _, want := range []string{"call 1", "call 3"} {
		if result, _, err := call(t, b, "any", yes); err != nil || result.Text != want {
			t.Errorf("%+v, %v, want %s", result, err, want)
		}
	}
}

func TestAListThatChangedIsFetchedAgain(t *testing.T) {
	server := newServer()
	b := newBox(t, toolbox.Options{Local: server})
	before, err := b.Tools(t.Context(), alice)
	if err != nil {
		t.Fatal(err)
	}
	mcp.AddTool(server, &mcp.Tool{Name: "new"}, func(context.Context, *mcp.CallToolRequest, nothing) (*mcp.CallToolResult, any, error) {
		return nil, nil, errors.New("no")
	})
	for now := before; len(now) == len(before); {
		if now, err = b.Tools(t.Context(), alice); err != nil {
			t.Fatal(err)
		}
	}
}
