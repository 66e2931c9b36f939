package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// ledger counts the bytes of what is written of calls.
type ledger struct {
	parley.Records
	bytes atomic.Int64
}

func (l *ledger) Save(ctx context.Context, r parley.Record) (int64, error) {
	if strings.HasPrefix(r.Kind, "mcp.call") || r.Kind == "gateway_call" {
		l.bytes.Add(int64(len(r.Data)))
	}
	return l.Records.Save(ctx, r)
}

// newLedger is a house over one server, whose writes are counted.
func newLedger(t *testing.T, s gateway.Server) (*house, *ledger) {
	l := &ledger{}
	return newHouse(t, catalogue{s}, func(o *gateway.Options) {
		store := parley.NewMemoryStore()
		l.Records, o.Records = store, l
	}), l
}

// greedy is a server of 2026-07-28 with a tool that returns what reply says: what
// it is given is the number of the round, from 0 on.
func greedy(t *testing.T, reply func(round int) string) string {
	return scriptedBy(t, func(m wireMessage) string {
		switch m.Method {
		case "server/discover":
			return `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`
		case "tools/list":
			return `{"resultType":"complete","tools":[{"name":"fill","inputSchema":{"type":"object"}}]}`
		}
		var state string
		_ = json.Unmarshal(m.Params["requestState"], &state)
		round, _, _ := strings.Cut(state, " ")
		n := 0
		_, _ = fmt.Sscan(round, &n)
		return reply(n)
	})
}

// inputs asks so many questions, with a message and a requestState of that size.
func inputs(round, many, message, state int) string {
	requests := map[string]any{}
	for n := range many {
		requests[fmt.Sprintf("q%d", n)] = map[string]any{"method": "elicitation/create", "params": map[string]any{
			"mode": "form", "message": fmt.Sprintf("Question %d of round %d? %s", n, round, strings.Repeat("x", message)), "requestedSchema": sizeForm,
		}}
	}
	raw, _ := json.Marshal(map[string]any{
		"resultType": "input_required", "inputRequests": requests, "requestState": fmt.Sprintf("%d %s", round+1, strings.Repeat("s", state)),
	})
	return string(raw)
}

// begun is what is known of a call whose server asked in the middle of it.
const begun = "the call was given up: whether some of it was carried out is not known. Find out before you call it again."

func TestAServerThatAsksTooMuchAtOnceIsGivenUp(t *testing.T) {
	for what, c := range map[string]struct {
		reply string
		want  string
	}{
		"questions":    {inputs(0, 100, 0, 0), "greedy asks more than 16 questions at once; " + begun},
		"requestState": {inputs(0, 1, 0, 65<<10), "greedy wants more than 64 KiB kept between two of its questions (requestState); " + begun},
		"a message":    {inputs(0, 1, 100<<10, 0), "greedy asks a question that is longer than 96 KiB; " + begun},
		"a name": {`{"resultType":"input_required","inputRequests":{"` + strings.Repeat("n", 300) + `":{"method":"elicitation/create","params":{"message":"Well?"}}}}`,
			"greedy asks a question that cannot be read; " + begun},
	} {
		t.Run(what, func(t *testing.T) {
			h, l := newLedger(t, gateway.Server{Name: "greedy", URL: greedy(t, func(int) string { return c.reply }), Approve: permit.Never})
			for _, era := range []string{legacy, modern} {
				v := visit(t, h.url, "alice", era, agreeing)
				if text, err := v.call(t, "greedy__fill", map[string]any{}); text != "ERROR "+c.want {
					t.Errorf("%s: %q, %v", era, text, err)
				}
				if asked := v.questions(); len(asked) > 0 {
					t.Errorf("%s: %d questions were asked", era, len(asked))
				}
			}
			if n := l.bytes.Load(); n > 0 {
				t.Errorf("%d bytes were written", n)
			}
		})
	}
}

func TestAServerThatSendsThePersonToManyPagesIsGivenUp(t *testing.T) {
	s := newShop(t, legacy)
	s.AddTool(&mcp.Tool{Name: "tour", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var pages []*mcp.ElicitParams
		for n := range 17 {
			pages = append(pages, &mcp.ElicitParams{Mode: "url", Message: "Look", URL: fmt.Sprintf("https://shop.example/%d", n), ElicitationID: fmt.Sprint(n)})
		}
		return nil, mcp.URLElicitationRequiredError(pages)
	})
	h, l := newLedger(t, gateway.Server{Name: "shop", URL: s.url, Approve: permit.Never})
	for _, era := range []string{legacy, modern} {
		v := visit(t, h.url, "alice", era, agreeing)
		if text, err := v.call(t, "shop__tour", map[string]any{}); text != "ERROR shop wants more than 16 pages visited before a call; the call was not carried out." {
			t.Errorf("%s: %q, %v", era, text, err)
		}
		if asked := v.questions(); len(asked) > 0 {
			t.Errorf("%s: %d pages were shown", era, len(asked))
		}
	}
	if n := l.bytes.Load(); n > 0 {
		t.Errorf("%d bytes were written", n)
	}
}

// Five rounds with all that is taken: what the server sent is written once into
// the journal's pieces, and once more as the questions that the hub keeps.
func TestWhatAServerAsksIsNotWrittenAgainAndAgain(t *testing.T) {
	const rounds = 5
	var sent atomic.Int64
	url := greedy(t, func(round int) string {
		text := `{"resultType":"complete","content":[{"type":"text","text":"thanks"}]}`
		if round < rounds {
			text = inputs(round, 16, 8<<10, 60<<10)
		}
		sent.Add(int64(len(text)))
		return text
	})
	for _, era := range []string{legacy, modern} {
		h, l := newLedger(t, gateway.Server{Name: "greedy", URL: url, Approve: permit.Never})
		sent.Store(0)
		v := visit(t, h.url, "alice", era, agreeing)
		if text, err := v.call(t, "greedy__fill", map[string]any{}); text != "thanks" {
			t.Fatalf("%s: %.200q, %v", era, text, err)
		}
		if asked := len(v.questions()); asked != rounds*16 {
			t.Errorf("%s: %d questions were asked", era, asked)
		}
		if n := l.bytes.Load(); n > sent.Load()*3/2 {
			t.Errorf("%s: the server sent %d bytes, and %d were written", era, sent.Load(), n)
		}
	}
}

// The same with a server that waits on its connection.
func TestWhatAServerAsksOnItsConnectionIsNotWrittenAgainAndAgain(t *testing.T) {
	s := newShop(t, legacy)
	var questions []string
	sent := 0
	for n := range 8 {
		questions = append(questions, fmt.Sprintf("Question %d? %s", n, strings.Repeat("x", 14<<10)))
		sent += len(questions[n])
	}
	s.AddTool(&mcp.Tool{Name: "quiz", InputSchema: json.RawMessage(`{"type":"object"}`)}, s.ask(questions...))
	for _, era := range []string{legacy, modern} {
		h, l := newLedger(t, gateway.Server{Name: "shop", URL: s.url, Approve: permit.Never})
		v := visit(t, h.url, "alice", era, agreeing)
		if text, err := v.call(t, "shop__quiz", map[string]any{}); !strings.HasPrefix(text, "accept") {
			t.Fatalf("%s: %.200q, %v", era, text, err)
		}
		if n := l.bytes.Load(); n > int64(sent)*3 {
			t.Errorf("%s: the server sent %d bytes, and %d were written", era, sent, n)
		}
	}
}

func TestAResultThatIsTooLargeForTheJournalReachesTheClient(t *testing.T) {
	large := strings.Repeat("x", 5<<20)
	s := newShop(t, legacy)
	s.AddTool(&mcp.Tool{Name: "fill", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		_, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Sure?", RequestedSchema: sizeForm})
		return said("%s", large), err
	})
	asking := greedy(t, func(round int) string {
		if round == 0 {
			return inputs(0, 1, 0, 0)
		}
		return `{"resultType":"complete","content":[{"type":"text","text":"` + large + `"}]}`
	})
	for server, url := range map[string]string{legacy: s.url, modern: asking} {
		for _, era := range []string{legacy, modern} {
			h, _ := newLedger(t, gateway.Server{Name: "shop", URL: url, Approve: permit.Never})
			v := visit(t, h.url, "alice", era, agreeing)
			if text, err := v.call(t, "shop__fill", map[string]any{}); text != large {
				t.Errorf("client %s, server %s: %.200q, %v", era, server, text, err)
			}
		}
	}
}
