package nango_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/fakenango"
	"github.com/parley-hq/parley/vault/nango"
)

const (
	signature = "X-Nango-Hmac-Sha256"
	legacy    = "X-Nango-Signature"
)

// wantRefused checks that a webhook is refused and changes nothing.
func (w *world) wantRefused(name string, body []byte, header http.Header) {
	w.t.Helper()
	before, asked := w.records(), len(w.fake.Requests())
	if status := w.deliver(body, header); status != http.StatusUnauthorized {
		w.t.Errorf("%s: answered %d", name, status)
	}
	if w.records() != before {
		w.t.Errorf("%s: the records have changed", name)
	}
	if n := len(w.fake.Requests()); n != asked {
		w.t.Errorf("%s: Nango was asked", name)
	}
	if got := w.tellings(); len(got) != 0 {
		w.t.Errorf("%s: told %+v", name, got)
	}
}

func TestAWebhookWithoutTheRightSignatureChangesNothing(t *testing.T) {
	w := newWorld(t, nil)
	place := at("alice", "tracker")
	c, sent := w.lossy(place, "q")
	good := sent.Header.Get(signature)
	header := func(change func(http.Header)) http.Header {
		h := sent.Header.Clone()
		change(h)
		return h
	}
	byKey := func(key string) string { return fakenango.Sign(key, sent.Body).Get(signature) }
	for name, h := range map[string]http.Header{
		"none":                      header(func(h http.Header) { h.Del(signature); h.Del(legacy) }),
		"the legacy one only":       header(func(h http.Header) { h.Del(signature) }),
		"an HMAC in the legacy one": header(func(h http.Header) { h.Del(signature); h.Set(legacy, good) }),
		"the legacy digest":         header(func(h http.Header) { h.Set(signature, sent.Header.Get(legacy)) }),
		"empty":                     header(func(h http.Header) { h.Set(signature, "") }),
		"not hex":                   header(func(h http.Header) { h.Set(signature, strings.Repeat("z", 64)) }),
		"the first half":            header(func(h http.Header) { h.Set(signature, good[:32]) }),
		"more behind it":            header(func(h http.Header) { h.Set(signature, good+"00") }),
		"with a prefix":             header(func(h http.Header) { h.Set(signature, "sha256="+good) }),
		"a right and a wrong one":   header(func(h http.Header) { h.Add(signature, strings.Repeat("0", 64)) }),
		"a wrong and a right one":   header(func(h http.Header) { h.Set(signature, strings.Repeat("0", 64)); h.Add(signature, good) }),
		"by the API key":            header(func(h http.Header) { h.Set(signature, byKey(apiKey)) }),
		"by no key":                 header(func(h http.Header) { h.Set(signature, byKey("")) }),
		"by another key":            header(func(h http.Header) { h.Set(signature, byKey("guessed")) }),
		"by the key with a space":   header(func(h http.Header) { h.Set(signature, byKey(webhookKey+" ")) }),
		"of another body":           header(func(h http.Header) { h.Set(signature, fakenango.Sign(webhookKey, []byte("{}")).Get(signature)) }),
		"a digest without key":      header(func(h http.Header) { d := sha256.Sum256(sent.Body); h.Set(signature, hex.EncodeToString(d[:])) }),
		"an HMAC with swapped places": header(func(h http.Header) {
			m := hmac.New(sha256.New, sent.Body)
			m.Write([]byte(webhookKey))
			h.Set(signature, hex.EncodeToString(m.Sum(nil)))
		}),
	} {
		w.wantRefused(name, sent.Body, h)
	}
	if status := w.deliver(sent.Body, sent.Header); status != http.StatusNoContent {
		t.Fatalf("the real one was answered %d", status)
	}
	w.wantValue(place, c.Value())
}

func TestABodyThatWasChangedByOneByteIsRefused(t *testing.T) {
	w := newWorld(t, nil)
	_, sent := w.lossy(at("alice", "tracker"), "q")
	for i := range sent.Body {
		changed := bytes.Clone(sent.Body)
		changed[i] ^= 1
		w.wantRefused("changed", changed, sent.Header)
	}
	w.wantRefused("a byte more", append(bytes.Clone(sent.Body), '\n'), sent.Header)
	w.wantRefused("a byte less", sent.Body[:len(sent.Body)-1], sent.Header)
	w.wantRefused("nothing", nil, sent.Header)
}

func TestTheAPIKeySignsWhereThereIsNoWebhookKey(t *testing.T) {
	w := newWorld(t, func(o *nango.Options, f *fakenango.Options) { o.WebhookKey, f.WebhookKey = "", "" })
	place := at("alice", "tracker")
	_, sent := w.lossy(place, "q")
	w.wantRefused("by another key", sent.Body, fakenango.Sign(webhookKey, sent.Body))
	w.wantRefused("by no key", sent.Body, fakenango.Sign("", sent.Body))
	if status := w.deliver(sent.Body, sent.Header); status != http.StatusNoContent {
		t.Errorf("answered %d", status)
	}
	if len(w.tellings()) != 1 {
		t.Error("it was not heard")
	}
}

func TestTheWebhookTakesPostsOfABoundedSize(t *testing.T) {
	w := newWorld(t, nil)
	large := bytes.Repeat([]byte(" "), 256<<10+1)
	if status := w.deliver(large, fakenango.Sign(webhookKey, large)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a large body was answered %d", status)
	}
	for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodHead} {
		recorder := httptest.NewRecorder()
		w.Webhook().ServeHTTP(recorder, httptest.NewRequest(method, "/nango/webhook", nil))
		if recorder.Code != http.StatusMethodNotAllowed || recorder.Header().Get("Allow") != http.MethodPost {
			t.Errorf("%s was answered %d", method, recorder.Code)
		}
	}
}
