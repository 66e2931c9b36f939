package api_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/api"
	"github.com/parley-hq/parley/audit"
)

func (w *world) auditKey() audit.Key {
	w.t.Helper()
	public, err := w.audit.PublicKey(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	key, err := audit.ParseKey(public)
	if err != nil {
		w.t.Fatal(err)
	}
	return key
}

func (w *world) flush() {
	w.t.Helper()
	if err := w.audit.Flush(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

// Whoever changes something is in the chain, with what was changed; who was refused is not.
func TestChangesThroughTheAPIAreRecorded(t *testing.T) {
	w := newWorld(t, nil)
	w.do("ada", http.MethodPost, "/api/rules", spending).want(http.StatusCreated)
	w.do("ada", http.MethodPost, "/api/rules", spending).want(http.StatusConflict)
	w.do("ada", http.MethodPost, "/api/rules", `{"name":"other","approve":"sometimes"}`).want(http.StatusUnprocessableEntity)
	w.do("alice", http.MethodPost, "/api/rules", spending).want(http.StatusForbidden)
	w.do("key", http.MethodDelete, "/api/rules/spending", "").want(http.StatusNoContent)
	w.do("ada", http.MethodGet, "/api/rules", "").want(http.StatusOK)
	w.flush()
	got := w.do("ada", http.MethodGet, "/api/audit", "").want(http.StatusOK)
	if what := got.names("what"); what != "api.remove-rule api.create-rule" {
		t.Errorf("%s: %s", what, got.body)
	}
	got.is("items.1.by", "ada").is("items.1.target", "/api/rules/spending").is("items.1.tenant", "acme").is("items.0.target", "/api/rules/spending")
}

// deaf cannot be told of anything.
type deaf struct{ api.Audit }

func (deaf) Begin(context.Context, parley.Deed) (audit.End, error) {
	return nil, errors.New("the store is away")
}

func TestAChangeThatCannotBeRecordedIsNotMade(t *testing.T) {
	w := newWorld(t, func(o *api.Options) { o.Audit = deaf{o.Audit} })
	if got := w.do("ada", http.MethodPost, "/api/rules", spending); got.status < 500 {
		t.Errorf("status %d", got.status)
	}
	w.do("ada", http.MethodGet, "/api/rules/spending", "").want(http.StatusNotFound)
}

func TestTheExportIsVerifiedByTheKeyAlone(t *testing.T) {
	w := newWorld(t, nil)
	for range 3 {
		w.answer("alice", w.ask("alice", "Which colour?"), `{"colour":"red"}`)
	}
	w.flush()
	out := w.do("ada", http.MethodGet, "/api/audit/export", "").want(http.StatusOK)
	v, err := audit.VerifyExport(bytes.NewReader(out.body), w.auditKey())
	if err != nil || v.Checkpoint.Size != 3 {
		t.Errorf("%+v, %v", v, err)
	}
	if strings.Contains(string(out.body), "colour") || strings.Contains(string(out.body), "red\"") {
		t.Errorf("content came out: %s", out.body)
	}
	signed := w.do("ada", http.MethodGet, "/api/audit/checkpoint", "").want(http.StatusOK)
	if c, err := audit.OpenCheckpoint(string(signed.body), w.auditKey()); err != nil || c.Size != 3 {
		t.Errorf("%+v, %v", c, err)
	}
	page := w.do("ada", http.MethodGet, "/api/audit?limit=2", "").want(http.StatusOK).is("next_cursor", "1")
	if got := page.names("index") + " " + w.do("ada", http.MethodGet, "/api/audit?limit=2&cursor=1", "").is("next_cursor", nil).names("index"); got != "2 1 0" {
		t.Errorf("pages of %s", got)
	}
}

// A receipt is for the person who was asked and for administrators of the tenant.
func TestAReceiptIsForItsPerson(t *testing.T) {
	w := newWorld(t, nil)
	id := w.ask("alice", "Which colour?")
	path := "/api/elicitations/" + string(id) + "/receipt"
	w.do("alice", http.MethodGet, path, "").want(http.StatusNotFound) // it is not decided
	w.answer("alice", id, `{"colour":"red"}`)
	for _, who := range []string{"alice", "ada"} {
		got := w.do(who, http.MethodGet, path, "").want(http.StatusOK)
		p, err := audit.Verify(got.body, w.auditKey())
		if err != nil || p.Shown == nil || p.Shown.Message != "Which colour?" || p.Question.By != "alice" {
			t.Errorf("%s: %+v, %v", who, p, err)
		}
	}
	w.do("bob", http.MethodGet, path, "").want(http.StatusNotFound)
	w.do("alice", http.MethodGet, "/api/elicitations/"+string(parley.NewID())+"/receipt", "").want(http.StatusNotFound)
}

// The store forgets the question; the chain knows whose it was.
func TestAReceiptOfAQuestionThatIsForgottenHasItsDigest(t *testing.T) {
	w := newWorld(t, nil)
	id := w.ask("alice", "Which colour?")
	w.answer("alice", id, `{"colour":"red"}`)
	w.flush()
	if err := w.store.Sweep(t.Context(), time.Now().Add(30*24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	path := "/api/elicitations/" + string(id) + "/receipt"
	for _, who := range []string{"alice", "ada"} {
		p, err := audit.Verify(w.do(who, http.MethodGet, path, "").want(http.StatusOK).body, w.auditKey())
		if err != nil || p.Shown != nil || p.Question.By != "alice" || p.Question.Shown == "" {
			t.Errorf("%s: %+v, %v", who, p, err)
		}
	}
	for _, who := range []string{"bob", "rival"} {
		w.do(who, http.MethodGet, path, "").want(http.StatusNotFound)
	}
}
