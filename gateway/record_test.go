package gateway_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
)

// deeds are what was recorded.
type deeds struct {
	fail error

	mu  sync.Mutex
	all []parley.Deed
}

func (d *deeds) record(_ context.Context, one parley.Deed) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fail == nil {
		d.all = append(d.all, one)
	}
	return d.fail
}

// words are what each tells, and how it ended.
func (d *deeds) words() (all []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, one := range d.all {
		all = append(all, one.What+" "+one.Outcome+one.Reason)
	}
	return all
}

// buys has alice allow a call, and returns what came back.
func buys(t *testing.T, h *house) answered {
	t.Helper()
	asked := post(t, h.url, "alice", "shop__buy", `{"n":1}`, "", "")
	return post(t, h.url, "alice", "shop__buy", `{"n":1}`, asked.Result.State, approving(asked.key(t), "allow_once"))
}

func TestACallThatWasAllowedIsRecordedBeforeItIsSentAndWhenItEnds(t *testing.T) {
	var told deeds
	s, h := guardedShop(t, func(o *gateway.Options) { o.Record = told.record })
	if got := buys(t, h); got.text() == "" || s.done.Load() != 1 {
		t.Fatalf("%+v", got)
	}
	if got := told.words(); !slices.Equal(got, []string{"call.sent ", "call.ended ok"}) {
		t.Fatalf("%q", got)
	}
	sent, ended := told.all[0], told.all[1]
	digest, err := permit.Call{Server: "shop", Place: s.url, Tool: "buy", User: "alice", ID: "any", Args: []byte(`{"n":1}`)}.Digest()
	if err != nil || sent.Digest != digest || ended.Digest != digest || sent.Call == "" || sent.Call != ended.Call || sent.By != "alice" || sent.Grant == "" {
		t.Errorf("%+v %+v, digest %s %v", sent, ended, digest, err)
	}
}

func TestACallThatCannotBeRecordedIsNotSent(t *testing.T) {
	told := deeds{fail: errors.New("the store is away")}
	s, h := guardedShop(t, func(o *gateway.Options) { o.Record = told.record })
	if got := buys(t, h); s.done.Load() != 0 || !got.Result.IsError && got.Error == nil {
		t.Errorf("%+v, %d calls", got, s.done.Load())
	}
}

// A server that breaks off in the middle may have carried the call out.
func TestACallWhoseEndIsNotKnownIsRecordedAsSuch(t *testing.T) {
	var told deeds
	s := newShop(t, modern)
	broken := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Name") == "buy" {
			panic(http.ErrAbortHandler)
		}
		s.handler.ServeHTTP(w, r)
	}))
	h := newHouse(t, catalogue{{Name: "shop", URL: broken, Approve: permit.Always}}, func(o *gateway.Options) { o.Record = told.record })
	buys(t, h)
	if got := told.words(); !slices.Equal(got, []string{"call.sent ", "call.ended unknown"}) {
		t.Errorf("%q", got)
	}
}

func TestWhatIsAllowedOrRefusedWithoutAskingIsRecorded(t *testing.T) {
	var told deeds
	s := newShop(t, modern)
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Forbid}}, func(o *gateway.Options) { o.Record = told.record })
	post(t, h.url, "alice", "shop__buy", `{}`, "", "")
	if got := told.words(); !slices.Equal(got, []string{"call.refused deniedrule"}) {
		t.Errorf("%q", got)
	}
	told.all = nil
	s, h = guardedShop(t, func(o *gateway.Options) { o.Record, o.Approvals = told.record, mcptool.Allow })
	v := visit(t, h.url, "alice", modern, nil)
	if _, err := v.call(t, "shop__buy", map[string]any{}); err != nil {
		t.Fatal(err)
	}
	if got := told.words(); s.done.Load() != 1 || !slices.Equal(got, []string{"call.sent fallback", "call.ended ok"}) {
		t.Errorf("%q", got)
	}
}

// What the person has refused is not asked again for a while, and that nobody was asked is
// recorded; that they were is recorded with the question.
func TestACallThatAnEarlierWordRefusesIsRecorded(t *testing.T) {
	var told deeds
	s, h := guardedShop(t, func(o *gateway.Options) { o.Record = told.record })
	asked := post(t, h.url, "alice", "shop__buy", `{"n":1}`, "", "")
	post(t, h.url, "alice", "shop__buy", `{"n":1}`, asked.Result.State, approving(asked.key(t), "deny"))
	if got := told.words(); len(got) != 0 {
		t.Errorf("their own word: %q", got)
	}
	post(t, h.url, "alice", "shop__buy", `{"n":1}`, "", "")
	if got := told.words(); !slices.Equal(got, []string{"call.refused deniedpermission"}) || s.done.Load() != 0 {
		t.Errorf("%q, %d calls", got, s.done.Load())
	}
}
