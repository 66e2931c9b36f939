package mcphttp

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley/mcpclient"
)

func eventsOf(w http.ResponseWriter) {
	// As the SDK does it: Header is called once more after the content type.
	w.Header().Set("Cache-Control", "no-cache, no-transform")
	w.Header().Set("Content-Type", eventStream)
	w.Header().Set("Connection", "keep-alive")
}

const event = "event: message\ndata: {}\n\n"

func sendEvent(t *testing.T, w http.ResponseWriter) {
	t.Helper()
	if _, err := w.Write([]byte(event)); err != nil {
		t.Fatal(err)
	}
	if err := http.NewResponseController(w).Flush(); err != nil {
		t.Fatal(err)
	}
}

func expectBody(t *testing.T, w *streamWriter, want string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	rec := w.under.(*httptest.ResponseRecorder)
	if got := rec.Body.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSilenceIsFilledWithComments(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec := httptest.NewRecorder()
		w := newStreamWriter(rec, 15*time.Second, nil)
		eventsOf(w)
		time.Sleep(14 * time.Second)
		synctest.Wait()
		expectBody(t, w, "")
		time.Sleep(time.Second)
		synctest.Wait()
		expectBody(t, w, comment)
		if !rec.Flushed || rec.Code != http.StatusOK || rec.Header().Get("Content-Type") != eventStream || rec.Header().Get("X-Accel-Buffering") != "no" {
			t.Errorf("flushed %v, %d %v", rec.Flushed, rec.Code, rec.Header())
		}
		time.Sleep(10 * time.Second)
		sendEvent(t, w)
		time.Sleep(14 * time.Second)
		synctest.Wait()
		expectBody(t, w, comment+event)
		time.Sleep(time.Second)
		synctest.Wait()
		expectBody(t, w, comment+event+comment)
		w.stop()
		time.Sleep(time.Hour)
		expectBody(t, w, comment+event+comment)
	})
}

func TestACommentNeverCutsAnEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec := httptest.NewRecorder()
		w := newStreamWriter(rec, time.Second, nil)
		defer w.stop()
		eventsOf(w)
		_, _ = w.Write([]byte("event: mess"))
		time.Sleep(time.Minute)
		_, _ = w.Write([]byte("age\ndata: {}\n\n"))
		time.Sleep(time.Minute)
		synctest.Wait()
		expectBody(t, w, event)
		w.Flush()
		time.Sleep(time.Second)
		synctest.Wait()
		expectBody(t, w, event+comment)
	})
}

func TestOnlyEventStreamsGetComments(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec := httptest.NewRecorder()
		rec.Header().Set("X-Before", "kept")
		w := newStreamWriter(rec, time.Second, nil)
		http.Error(w, "no", http.StatusBadRequest)
		w.Flush()
		time.Sleep(time.Minute)
		w.stop()
		expectBody(t, w, "no\n")
		if rec.Code != http.StatusBadRequest || rec.Header().Get("X-Accel-Buffering") != "" || rec.Header().Get("X-Before") != "kept" {
			t.Errorf("%d %v", rec.Code, rec.Header())
		}
	})
}

func TestCommentsCanBeTurnedOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec := httptest.NewRecorder()
		w := newStreamWriter(rec, -1, nil)
		eventsOf(w)
		time.Sleep(time.Hour)
		sendEvent(t, w)
		time.Sleep(time.Hour)
		w.stop()
		expectBody(t, w, event)
	})
}

func TestAnErrorAfterACommentBecomesAnEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec := httptest.NewRecorder()
		w := newStreamWriter(rec, time.Second, nil)
		defer w.stop()
		eventsOf(w)
		time.Sleep(time.Second)
		synctest.Wait()
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte("{\"jsonrpc\":\"2.0\",\n\"id\":1}"))
		expectBody(t, w, comment+"event: message\ndata: {\"jsonrpc\":\"2.0\", \"id\":1}\n\n")
	})
}

func TestAnErrorBeforeAnyCommentIsAnError(t *testing.T) {
	rec := httptest.NewRecorder()
	w := newStreamWriter(rec, time.Hour, nil)
	eventsOf(w)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_, _ = w.Write([]byte("{}"))
	w.stop()
	expectBody(t, w, "{}")
	if rec.Code != http.StatusBadRequest || rec.Header().Get("Content-Type") != "application/json" || rec.Header().Get("X-Accel-Buffering") != "" {
		t.Errorf("%d %v", rec.Code, rec.Header())
	}
}

func TestASessionIsAnnouncedHoweverLongInitializeTakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec := httptest.NewRecorder()
		w := newStreamWriter(rec, time.Second, func(id string) string { return "outside-" + id })
		defer w.stop()
		eventsOf(w)
		w.Header().Set(mcpclient.SessionHeader, "inside")
		time.Sleep(time.Minute)
		synctest.Wait()
		expectBody(t, w, "")
		sendEvent(t, w)
		time.Sleep(time.Second)
		synctest.Wait()
		expectBody(t, w, event+comment)
		if got := rec.Header().Values(mcpclient.SessionHeader); len(got) != 1 || got[0] != "outside-inside" {
			t.Errorf("announced %q", got)
		}
	})
}

func TestAResponseWithoutAWordStillHasItsHeader(t *testing.T) {
	rec := httptest.NewRecorder()
	w := newStreamWriter(rec, time.Second, nil)
	eventsOf(w)
	w.stop()
	if rec.Code != http.StatusOK || !strings.HasPrefix(rec.Header().Get("Content-Type"), eventStream) {
		t.Errorf("%d %v", rec.Code, rec.Header())
	}
}

// discardResponse is a response writer that costs nothing itself.
type discardResponse struct{ header http.Header }

func (d discardResponse) Header() http.Header         { return d.header }
func (d discardResponse) WriteHeader(int)             {}
func (d discardResponse) Write(p []byte) (int, error) { return len(p), nil }
func (d discardResponse) Flush()                      {}

func BenchmarkStreamWriter(b *testing.B) {
	under := discardResponse{http.Header{}}
	answer := func(w http.ResponseWriter) {
		eventsOf(w)
		_, _ = w.Write([]byte(event))
		_ = http.NewResponseController(w).Flush()
	}
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			clear(under.header)
			answer(under)
		}
	})
	b.Run("wrapped", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			clear(under.header)
			w := newStreamWriter(under, 15*time.Second, nil)
			answer(w)
			w.stop()
		}
	})
}
