package toolbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpcall/toolbox"
)

// within carries requests to a handler of this process, so that a test can let time
// pass.
func within(h http.Handler) *http.Client {
	return &http.Client{Transport: carrier(func(r *http.Request) (*http.Response, error) {
		body, out := io.Pipe()
		w := &piped{header: http.Header{}, out: out, begun: make(chan struct{})}
		ctx, cancel := context.WithCancel(r.Context())
		context.AfterFunc(ctx, func() { _ = out.CloseWithError(context.Canceled) })
		go func() {
			defer cancel()
			h.ServeHTTP(w, r.Clone(ctx))
			w.WriteHeader(http.StatusOK)
			_ = out.Close()
		}()
		select {
		case <-w.begun:
			return &http.Response{StatusCode: w.status, Header: w.header.Clone(), Body: body, Request: r, ProtoMajor: 1, ContentLength: -1}, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})}
}

type carrier func(*http.Request) (*http.Response, error)

func (c carrier) RoundTrip(r *http.Request) (*http.Response, error) { return c(r) }

// piped is a response that is read while it is written.
type piped struct {
	header http.Header
	status int
	out    *io.PipeWriter
	begun  chan struct{}
}

func (w *piped) Header() http.Header { return w.header }
func (w *piped) Flush()              {}

func (w *piped) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
		close(w.begun)
	}
}

func (w *piped) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.out.Write(b)
}

func TestACallWhoseServerIsSilentIsGivenUp(t *testing.T) {
	for name, modern := range map[string]bool{"modern": true, "legacy": false} {
		for how, headers := range map[string]bool{"before its headers": false, "after them": true} {
			t.Run(name+" "+how, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					left := make(chan struct{})
					h := &hand{modern: modern, wait: func(w http.ResponseWriter, r *http.Request, _ json.RawMessage) {
						w.Header().Set("Content-Type", "text/event-stream")
						if headers {
							w.WriteHeader(http.StatusOK)
						}
						<-r.Context().Done()
						close(left)
					}}
					b := newBox(t, toolbox.Options{URL: "http://hand.example/mcp", Client: within(h), CallTime: time.Minute})
					began := time.Now()
					_, err := plain(t, b, alice)
					refused(t, err, "has not answered for 1m0s: whether the call was carried out is not known")
					if d := time.Since(began); d != time.Minute {
						t.Errorf("that took %s", d)
					}
					<-left // the server hears of it
					if err := b.Close(); err != nil {
						t.Error(err)
					}
				})
			})
		}
	}
}

// A server that works for long says so from time to time, if it was asked to.
func TestAServerThatTellsOfItsProgressHasItsTimeAnew(t *testing.T) {
	for name, modern := range map[string]bool{"modern": true, "legacy": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := &hand{modern: modern}
				var token string
				h.wait = func(w http.ResponseWriter, _ *http.Request, id json.RawMessage) {
					w.Header().Set("Content-Type", "text/event-stream")
					for range 10 {
						time.Sleep(50 * time.Second)
						event(w, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":`+token+`,"progress":1}}`)
					}
					event(w, strings.ReplaceAll(done, "ID", string(id)))
				}
				asked := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Body != nil {
						body, _ := io.ReadAll(r.Body)
						if _, after, ok := strings.Cut(string(body), `"progressToken":`); ok {
							token = after[:strings.IndexAny(after, ",}")]
						}
						r.Body = io.NopCloser(bytes.NewReader(body))
					}
					h.ServeHTTP(w, r)
				})
				b := newBox(t, toolbox.Options{URL: "http://hand.example/mcp", Client: within(asked), CallTime: time.Minute})
				began := time.Now()
				result, err := plain(t, b, alice)
				if err != nil || result.Text != "done" {
					t.Errorf("%+v, %v", result, err)
				}
				if d := time.Since(began); d != 500*time.Second {
					t.Errorf("that took %s", d)
				}
				if err := b.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func TestTheTimeThatAPersonTakesDoesNotCount(t *testing.T) {
	for name, hangs := range map[string]bool{"the server goes on": false, "the server says nothing more": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				answered := make(chan struct{}, 1)
				h := &hand{wait: func(w http.ResponseWriter, r *http.Request, id json.RawMessage) {
					w.Header().Set("Content-Type", "text/event-stream")
					event(w, question("q", `{"message":"Sure?"}`))
					select {
					case <-answered:
					case <-r.Context().Done():
						return
					}
					if hangs {
						<-r.Context().Done()
						return
					}
					event(w, strings.ReplaceAll(done, "ID", string(id)))
				}}
				b := newBox(t, toolbox.Options{URL: "http://hand.example/mcp", Client: within(h), CallTime: time.Minute})
				began := time.Now()
				result, _, err := call(t, b, "any", func(parley.Request) parley.Outcome {
					time.Sleep(time.Hour)
					answered <- struct{}{}
					return parley.Outcome{Action: parley.Accept}
				})
				switch {
				case !hangs && (err != nil || result.Text != "done"):
					t.Errorf("%+v, %v", result, err)
				case hangs:
					refused(t, err, "has not answered for 1m0s")
					if d := time.Since(began); d != time.Hour+time.Minute {
						t.Errorf("that took %s", d)
					}
				}
				if err := b.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
