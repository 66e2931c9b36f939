package toolbox_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpcall/toolbox"
	"github.com/parley-hq/parley/vault"
)

func TestABoxThatIsClosedDoesNotWaitForAServerThatSaysNothing(t *testing.T) {
	came := make(chan struct{}, 1)
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then it sees that its client goes
		came <- struct{}{}
		<-r.Context().Done()
	}))
	defer web.Close()
	b := newBox(t, toolbox.Options{URL: web.URL})
	var calls sync.WaitGroup
	calls.Go(func() {
		if _, err := b.Tools(t.Context(), alice); !errors.Is(err, mcpcall.ErrClosed) {
			t.Errorf("it ended with %v", err) // and not because the server's time was over
		}
	})
	<-came
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	calls.Wait()
}

func TestNobodyIsGivenAConnectionOfAnother(t *testing.T) {
	for _, modern := range []bool{true, false} {
		h := &hand{modern: modern, wait: func(w http.ResponseWriter, r *http.Request, id json.RawMessage) {
			sayJSON(w, id, `{"content":[{"type":"text","text":"`+r.Header.Get("Authorization")+`"}]}`)
		}}
		url := h.serve(t)
		for scope, owners := range map[vault.Scope][]string{
			vault.User:   {"a/alice/helper", "b/alice/helper", "a/bob/helper"},
			vault.Mentor: {"a/alice/helper", "b/alice/helper", "a/alice/other"},
		} {
			a := newAccounts(t, url, scope)
			b := a.box(t, toolbox.Options{URL: url})
			for _, key := range owners {
				part := strings.Split(key, "/")
				who := agent.Caller{Principal: parley.Principal{Tenant: part[0], User: part[1]}, Agent: part[2]}
				a.provide(t, who, key)
				if result, err := plain(t, b, who); err != nil || result.Text != "Bearer "+key {
					t.Errorf("%s: %+v, %v", key, result, err)
				}
			}
		}
	}
}

func TestACallThatMayHaveBeenCarriedOutIsNotMadeAgain(t *testing.T) {
	t.Run("a program that dies", func(t *testing.T) {
		for _, era := range []string{"modern", "legacy"} {
			note := filepath.Join(t.TempDir(), "note")
			opts := program(t, era+" dying")
			opts.Env["MCPBOX_TEST_NOTE"] = note
			_, err := plain(t, newBox(t, opts), alice)
			refused(t, err, "whether it was carried out is not known")
			if calls, _ := os.ReadFile(note); string(calls) != "call\n" {
				t.Errorf("%s: it was called %q", era, calls)
			}
		}
	})
	t.Run("a credential that goes meanwhile", func(t *testing.T) {
		eras(t, func(t *testing.T, h *hand) {
			url := h.serve(t)
			a := newAccounts(t, url, vault.User)
			a.set(t, "alice", true)
			h.tell = func(w http.ResponseWriter, _ string, _ json.RawMessage, _ int64) {
				w.Header().Set("Content-Type", "text/event-stream")
				w.(http.Flusher).Flush()
				a.set(t, "alice", false)
			}
			_, asked, err := call(t, a.box(t, toolbox.Options{URL: url}), "any", func(q parley.Request) parley.Outcome {
				a.set(t, "alice", true)
				return yes(q)
			})
			refused(t, err, "whether it was carried out is not known")
			if len(asked) != 0 || h.calls.Load() != 1 {
				t.Errorf("asked %q, made %d calls", asked, h.calls.Load())
			}
		})
	})
}

func TestAListThatChangesWhileItIsReadIsNotKept(t *testing.T) {
	eras(t, func(t *testing.T, h *hand) {
		h.tell = func(w http.ResponseWriter, _ string, id json.RawMessage, n int64) {
			w.Header().Set("Content-Type", "text/event-stream")
			if n == 1 {
				event(w, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			}
			event(w, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"t%d","inputSchema":{}}]}}`, id, n))
		}
		b := newBox(t, toolbox.Options{URL: h.serve(t)})
		for _, want := range []string{"t1", "t2", "t2"} { // the second is kept
			if tools, err := b.Tools(t.Context(), alice); err != nil || len(tools) != 1 || tools[0].Name != want {
				t.Errorf("%+v, %v, want %s", tools, err, want)
			}
		}
	})
}

func TestListsAreKeptUpToABoundInBytes(t *testing.T) {
	var all []string
	for i := range 15 {
		all = append(all, fmt.Sprintf(`{"name":"t%d","inputSchema":{},"description":"%s"}`, i, strings.Repeat("x", 250<<10)))
	}
	page := `{"tools":[` + strings.Join(all, ",") + `]}`
	const people = 20
	for name, differ := range map[string]bool{"lists that differ": true, "what is the same for all is kept once": false} {
		t.Run(name, func(t *testing.T) {
			h := &hand{modern: true, tell: func(w http.ResponseWriter, _ string, id json.RawMessage, n int64) {
				if !differ {
					n = 0
				}
				sayJSON(w, id, strings.Replace(page, "x", fmt.Sprint(n%10, n/10), 1))
			}}
			b := newBox(t, toolbox.Options{URL: h.serve(t), ListTTL: time.Hour})
			for i := range 2 * people { // the last ones are kept, and come first again
				user := fmt.Sprint("user", min(i, 2*people-1-i))
				if tools, err := b.Tools(t.Context(), caller(user, "helper")); err != nil || len(tools) != 15 {
					t.Fatalf("%d tools, %v", len(tools), err)
				}
			}
			kept := 2*people - int(h.lists.Load())
			if differ && (kept < 1 || kept*len(page) > 64<<20) || !differ && kept != people {
				t.Errorf("%d lists of %d bytes are kept", kept, len(page))
			}
		})
	}
}
