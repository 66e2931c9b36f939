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

func roundTrip(t *testing.T, ctx context.Context, h http.HandlerFunc, body io.Reader) (*http.Response, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://parley.internal/a%2Fb?c=d", body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Test", "1")
	return (&http.Client{Transport: mcpbridge.HandlerTransport(h)}).Do(r)
}

func TestAHandlerSeesARequestAsAServerWouldGiveIt(t *testing.T) {
	type traceKey struct{}
	ctx := context.WithValue(t.Context(), traceKey{}, "of the caller")
	resp, err := roundTrip(t, ctx, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got := []string{r.Method, r.Host, r.RequestURI, r.URL.String(), r.Header.Get("X-Test"), string(body)}
		want := []string{"POST", "parley.internal", "/a%2Fb?c=d", "/a%2Fb?c=d", "1", "hello"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if r.Context().Value(traceKey{}) != nil {
			t.Error("the caller's context came along")
		}
		w.Header().Set("X-Answer", "2")
		w.WriteHeader(http.StatusTeapot)
		w.Header().Set("X-Late", "3")
		_, _ = io.WriteString(w, "tea")
	}, strings.NewReader("hello"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	got := []any{resp.StatusCode, resp.Header.Get("X-Answer"), resp.Header.Get("X-Late"), string(body), err}
	if diff := cmp.Diff([]any{418, "2", "", "tea", nil}, got); diff != "" {
		t.Error(diff)
	}
}

func TestBodiesOfAHandlerStreamBothWays(t *testing.T) {
	in, w := io.Pipe()
	resp, err := roundTrip(t, t.Context(), func(w http.ResponseWriter, r *http.Request) {
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		_, _ = io.Copy(w, r.Body)
	}, in)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	buffer := make([]byte, 10)
	for _, word := range []string{"one", "two"} {
		_, _ = io.WriteString(w, word)
		n, err := resp.Body.Read(buffer)
		if err != nil || string(buffer[:n]) != word {
			t.Errorf("%q, %v", buffer[:n], err)
		}
	}
	w.Close()
	if _, err := resp.Body.Read(buffer); !errors.Is(err, io.EOF) {
		t.Errorf("got %v", err)
	}
}

func TestAHandlerEndsWithTheRequestOrTheResponse(t *testing.T) {
	for _, how := range []string{"cancelled early", "cancelled", "closed"} {
		t.Run(how, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := make(chan error, 1)
			resp, err := roundTrip(t, ctx, func(w http.ResponseWriter, r *http.Request) {
				if how == "cancelled early" {
					cancel()
				} else {
					w.(http.Flusher).Flush()
				}
				<-r.Context().Done()
				_, err := io.WriteString(w, "for nobody")
				ended <- err
			}, nil)
			switch how {
			case "cancelled early":
				if !errors.Is(err, context.Canceled) {
					t.Errorf("got %v", err)
				}
			case "cancelled":
				cancel()
				if _, err := io.ReadAll(resp.Body); !errors.Is(err, context.Canceled) {
					t.Errorf("got %v", err)
				}
				resp.Body.Close()
			case "closed":
				resp.Body.Close()
			}
			if err := <-ended; err == nil {
				t.Error("the handler could write")
			}
		})
	}
}

func TestAPanicOfAHandlerEndsOnlyItsResponse(t *testing.T) {
	if _, err := roundTrip(t, t.Context(), func(http.ResponseWriter, *http.Request) { panic("early") }, nil); err == nil {
		t.Error("no error")
	}
	resp, err := roundTrip(t, t.Context(), func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half")
		panic("late")
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err == nil || string(body) != "half" {
		t.Errorf("%q, %v", body, err)
	}
}
