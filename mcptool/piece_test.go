package mcptool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

// ledger counts what is written of calls.
type ledger struct {
	*parley.MemoryStore

	mu       sync.Mutex
	journals []map[string]json.RawMessage // as they were written
	bytes    int
}

func (l *ledger) Save(ctx context.Context, r parley.Record) (int64, error) {
	if strings.HasPrefix(r.Kind, "mcp.call") {
		l.mu.Lock()
		l.bytes += len(r.Data)
		if r.Kind == "mcp.call" {
			var j map[string]json.RawMessage
			_ = json.Unmarshal(r.Data, &j)
			l.journals = append(l.journals, j)
		}
		l.mu.Unlock()
	}
	return l.MemoryStore.Save(ctx, r)
}

func (l *ledger) written() (journals, bytes int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.journals), l.bytes
}

// newLedger is a site whose writes are counted.
func newLedger(t *testing.T, opts mcptool.Options) (*site, *ledger) {
	l := &ledger{MemoryStore: parley.NewMemoryStore()}
	opts.Records = l
	return newSiteOn(t, l.MemoryStore, opts), l
}

// nothingLeft checks that a call left no records behind.
func nothingLeft(t *testing.T, s *site) {
	t.Helper()
	for _, kind := range []string{"mcp.call", "mcp.call.piece"} {
		left, err := s.store.Scan(t.Context(), parley.Address{Tenant: parley.DefaultTenant, Kind: kind}, "", 10)
		if err != nil || len(left) > 0 {
			t.Errorf("%d records of kind %s are left: %v", len(left), kind, err)
		}
	}
}

func TestQuestionsThatAreAskedTogetherAreWrittenAtOnce(t *testing.T) {
	const many = 16
	inEveryEra(t, func(t *testing.T, era string) {
		s, l := newLedger(t, mcptool.Options{})
		mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "survey"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
			var asks []func(context.Context, *mcptool.Call) error
			for n := range many {
				asks = append(asks, func(ctx context.Context, call *mcptool.Call) error {
					_, err := mcptool.Elicit[name](ctx, call, fmt.Sprintf("Name %d?", n), nil)
					return err
				})
			}
			return "thanks", mcptool.Together(ctx, call, asks...)
		})
		c := s.connect(t, clientOptions{era: era, user: "alice", person: accept(map[string]any{"name": "Ada"})})
		if got := structured[string](t, call(t, c, "survey", nil)); got != "thanks" {
			t.Fatal(got)
		}
		var first map[string]json.RawMessage
		if err := json.Unmarshal(l.journals[0]["asked"], &first); err != nil || len(first) != many {
			t.Errorf("the first write has %d of %d questions: %v", len(first), many, err)
		}
		// Once with the questions, and in 2026-07-28 when the call is left and when
		// it is taken up again.
		if n, _ := l.written(); n > 3 {
			t.Errorf("one round of %d questions was written %d times", many, n)
		}
		nothingLeft(t, s)
	})
}

// A part that works before it asks, or waits for what another one asks, holds
// nobody up.
func TestQuestionsThatWaitForEachOtherAreAskedAllTheSame(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s, _ := newLedger(t, mcptool.Options{})
		mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "chain"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
			first := make(chan error, 1)
			return "done", mcptool.Together(ctx, call,
				func(ctx context.Context, call *mcptool.Call) error {
					_, err := mcptool.Elicit[name](ctx, call, "First?", nil)
					first <- err
					return err
				},
				func(ctx context.Context, call *mcptool.Call) error {
					if err := <-first; err != nil {
						return err
					}
					return mcptool.Together(ctx, call, func(ctx context.Context, call *mcptool.Call) error {
						_, err := mcptool.Elicit[name](ctx, call, "Second?", nil)
						return err
					})
				})
		})
		c := s.connect(t, clientOptions{era: era, user: "alice", person: accept(map[string]any{"name": "Ada"})})
		if got := structured[string](t, call(t, c, "chain", nil)); got != "done" {
			t.Error(got)
		}
		nothingLeft(t, s)
	})
}

func TestALargeValueIsWrittenOnce(t *testing.T) {
	large := strings.Repeat("x", 256<<10)
	inEveryEra(t, func(t *testing.T, era string) {
		s, l := newLedger(t, mcptool.Options{})
		mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "wizard"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
			made, err := mcptool.Once(ctx, call, "large", func(context.Context) (string, error) { return large, nil })
			for n := 0; err == nil && n < 5; n++ {
				_, err = mcptool.Elicit[name](ctx, call, fmt.Sprintf("Step %d?", n), nil)
			}
			if err == nil && made != large {
				err = errors.New("it is another")
			}
			return "done", err
		})
		c := s.connect(t, clientOptions{era: era, user: "alice", person: accept(map[string]any{"name": "Ada"})})
		if got := structured[string](t, call(t, c, "wizard", nil)); got != "done" {
			t.Fatal(got)
		}
		if n, bytes := l.written(); bytes > len(large)*5/4 {
			t.Errorf("%d bytes were written for a value of %d, in %d journals", bytes, len(large), n)
		}
		nothingLeft(t, s)
	})
}

// What a call was made with comes from the journal when the model goes on with
// it, however large it is, and on whichever node.
func TestACallWithLargeArgumentsGoesOnWithThem(t *testing.T) {
	type essay struct {
		Text string `json:"text"`
	}
	large := strings.Repeat("é", 100<<10)
	s, l := newLedger(t, mcptool.Options{Fallback: mcptool.Model})
	other := newSiteOn(t, s.store, mcptool.Options{Fallback: mcptool.Model, Records: l})
	for _, node := range []*site{s, other} {
		mcptool.AddTool(node.asker, node.server, &mcp.Tool{Name: "grade"}, func(ctx context.Context, call *mcptool.Call, in essay) (string, error) {
			_, err := mcptool.Elicit[name](ctx, call, "By whom?", nil)
			if err == nil && in.Text != large {
				err = fmt.Errorf("%d bytes are left of %d", len(in.Text), len(large))
			}
			return "graded", err
		})
	}
	asked := call(t, s.connect(t, clientOptions{era: modern, user: "alice"}), "grade", essay{large})
	raw, _ := json.Marshal(asked.Meta["elicitationPending"])
	var question pending
	if err := json.Unmarshal(raw, &question); err != nil {
		t.Fatal(err)
	}
	c := other.connect(t, clientOptions{era: modern, user: "alice"})
	if got := call(t, c, "sendElicitationResult", submission{question.ElicitID, "accept", map[string]any{"name": "Ada"}}); structured[string](t, got) != "graded" {
		t.Error(text(got))
	}
	if n, bytes := l.written(); bytes > len(large)*5/4 {
		t.Errorf("%d bytes were written for arguments of %d, in %d journals", bytes, len(large), n)
	}
	nothingLeft(t, s)
}

func TestAResultThatIsTooLargeToBeKeptIsReturnedOnce(t *testing.T) {
	large := strings.Repeat("x", 5<<20)
	inEveryEra(t, func(t *testing.T, era string) {
		s, l := newLedger(t, mcptool.Options{})
		ran := 0
		mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "make"}, func(ctx context.Context, call *mcptool.Call, in struct {
			Ask bool `json:"ask"`
		}) (string, error) {
			made, err := mcptool.Once(ctx, call, "large", func(context.Context) (string, error) { ran++; return large, nil })
			if err == nil && in.Ask {
				_, err = mcptool.Elicit[name](ctx, call, "Sure?", nil)
			}
			return fmt.Sprint(len(made)), err
		})
		c := s.connect(t, clientOptions{era: era, user: "alice", person: accept(map[string]any{"name": "Ada"})})
		if got := structured[string](t, call(t, c, "make", map[string]any{"ask": false})); got != fmt.Sprint(len(large)) {
			t.Error(got)
		}
		got := call(t, c, "make", map[string]any{"ask": true})
		if era == modern {
			if !got.IsError || !strings.Contains(text(got), "too large to keep") {
				t.Errorf("what was not kept is %q", text(got))
			}
		} else if structured[string](t, got) != fmt.Sprint(len(large)) {
			t.Error(text(got))
		}
		if _, bytes := l.written(); bytes > 1<<20 {
			t.Errorf("%d bytes were written", bytes)
		}
		if ran != 2 {
			t.Errorf("two calls did the work %d times", ran)
		}
	})
}

func TestWhatACallRemembersIsBounded(t *testing.T) {
	s, l := newLedger(t, mcptool.Options{})
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "hoard"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
		for n := range 10 {
			if err := call.Remember(ctx, fmt.Sprint(n), strings.Repeat("x", 1<<20)); err != nil {
				return "", err
			}
		}
		return "kept", nil
	})
	got := call(t, s.connect(t, clientOptions{era: modern, user: "alice"}), "hoard", nil)
	if !got.IsError || !strings.Contains(text(got), "are kept of a call") {
		t.Errorf("%q", text(got))
	}
	if _, bytes := l.written(); bytes > 5<<20 {
		t.Errorf("%d bytes were written", bytes)
	}
	nothingLeft(t, s)
}
