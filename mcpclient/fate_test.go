package mcpclient_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/parley-hq/parley/mcpclient"
)

// teller is a server of one era, by hand, that answers tools/call as it is told.
type teller struct {
	modern bool
	calls  atomic.Int64
	tell   func(w http.ResponseWriter, id json.RawMessage)
}

func (s *teller) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	_ = json.NewDecoder(r.Body).Decode(&m)
	w.Header().Set("Content-Type", "application/json")
	switch {
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	case m.Method == "server/discover" && s.modern:
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`, m.ID)
	case m.Method == "initialize" && !s.modern:
		w.Header().Set("Mcp-Session-Id", "one")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`, m.ID)
	case m.Method == "tools/call":
		s.calls.Add(1)
		s.tell(w, m.ID)
	default:
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, m.ID)
	}
}

// hangUp ends the connection of a request without a word.
func hangUp(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}

// fate is how a call ended without a response.
func fate(t *testing.T, c *mcpclient.Conn) error {
	t.Helper()
	x, err := c.Call(t.Context(), mcpclient.Request{Method: "tools/call", Name: "pay", Params: json.RawMessage(`{"name":"pay"}`)})
	if err != nil {
		return err
	}
	defer x.Close()
	_, err = x.Next()
	return err
}

func TestAnErrorSaysWhetherTheServerMayHaveTakenTheCall(t *testing.T) {
	for name, c := range map[string]struct {
		tell     func(w http.ResponseWriter, id json.RawMessage)
		underway bool
		is       error
	}{
		"it dies before it answers": {func(w http.ResponseWriter, _ json.RawMessage) { hangUp(w) }, true, mcpclient.ErrUnreachable},
		"it dies behind its headers": {func(w http.ResponseWriter, _ json.RawMessage) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "{")
			_ = http.NewResponseController(w).Flush()
			hangUp(w)
		}, true, nil},
		"it dies in its stream": {func(w http.ResponseWriter, _ json.RawMessage) {
			w.Header().Set("Content-Type", "text/event-stream")
			_ = http.NewResponseController(w).Flush()
		}, true, mcpclient.ErrUnreachable},
		"it answers with no message": {func(w http.ResponseWriter, _ json.RawMessage) { _, _ = io.WriteString(w, "{]") }, true, mcpclient.ErrProtocol},
		"it answers with another's": {func(w http.ResponseWriter, _ json.RawMessage) {
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":"x","result":{}}`)
		}, true, mcpclient.ErrProtocol},
		"it answers with a page": {func(w http.ResponseWriter, _ json.RawMessage) { w.Header().Set("Content-Type", "text/html") }, true, mcpclient.ErrProtocol},
		"it answers with 202":    {func(w http.ResponseWriter, _ json.RawMessage) { w.WriteHeader(http.StatusAccepted) }, true, mcpclient.ErrProtocol},
		"it answers with too much": {func(w http.ResponseWriter, id json.RawMessage) {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"a":"%02000d"}}`, id, 1)
		}, true, mcpclient.ErrTooLarge},
		"somebody before it fails": {func(w http.ResponseWriter, _ json.RawMessage) { w.WriteHeader(http.StatusBadGateway) }, true, nil},
		"it refuses the call":      {func(w http.ResponseWriter, _ json.RawMessage) { w.WriteHeader(http.StatusTooManyRequests) }, false, nil},
		"it refuses who calls":     {func(w http.ResponseWriter, _ json.RawMessage) { w.WriteHeader(http.StatusForbidden) }, false, nil},
	} {
		for era, modern := range map[string]bool{"legacy": false, "modern": true} {
			t.Run(era+": "+name, func(t *testing.T) {
				s := &teller{modern: modern, tell: c.tell}
				conn := connect(t, mcpclient.Options{URL: serveHandler(t, s, nil), MaxMessage: 1000})
				err := fate(t, conn)
				if err == nil || errors.Is(err, mcpclient.ErrUnderway) != c.underway || c.is != nil && !errors.Is(err, c.is) {
					t.Errorf("the call ended with %v", err)
				}
				if n := s.calls.Load(); n != 1 {
					t.Errorf("the server was called %d times", n)
				}
			})
		}
	}
}

func TestACallThatNobodyListensForWasNotSent(t *testing.T) {
	for era, modern := range map[string]bool{"legacy": false, "modern": true} {
		t.Run(era, func(t *testing.T) {
			web := httptest.NewServer(&teller{modern: modern})
			carrier := &http.Transport{DisableKeepAlives: true}
			conn := connect(t, mcpclient.Options{URL: web.URL, Client: &http.Client{Transport: carrier}})
			web.CloseClientConnections()
			web.Close()
			if err := fate(t, conn); !errors.Is(err, mcpclient.ErrUnreachable) || errors.Is(err, mcpclient.ErrUnderway) {
				t.Errorf("the call ended with %v", err)
			}
		})
	}
}

// What is broken off before there is a connection is no call.
func TestAConnectionThatBreaksIsNoCallUnderWay(t *testing.T) {
	for name, greet := range map[string]http.HandlerFunc{
		"before headers": func(w http.ResponseWriter, _ *http.Request) { hangUp(w) },
		"in its stream": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_ = http.NewResponseController(w).Flush()
		},
		"with 502": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
		"with nonsense": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, "{]")
		},
	} {
		t.Run(name, func(t *testing.T) {
			carrier := &http.Transport{}
			defer carrier.CloseIdleConnections()
			c, err := mcpclient.Connect(t.Context(), &mcpclient.Options{URL: serveHandler(t, greet, nil), Client: &http.Client{Transport: carrier}})
			if err == nil {
				_ = c.Close()
				t.Fatal("it was taken for a server")
			}
			if errors.Is(err, mcpclient.ErrUnderway) {
				t.Errorf("%v", err)
			}
		})
	}
}

// door is a transport that refuses at its own door, behind a connection.
type door struct{ http.RoundTripper }

type shut struct{ error }

func (shut) NotTaken() bool { return true }

func (d door) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := d.RoundTripper.RoundTrip(r)
	if err == nil && resp.StatusCode == http.StatusUnauthorized {
		_ = resp.Body.Close()
		return nil, shut{errors.New("refused")}
	}
	return resp, err
}

func TestATransportSaysThatTheServerDidNotTakeTheCall(t *testing.T) {
	for era, modern := range map[string]bool{"legacy": false, "modern": true} {
		t.Run(era, func(t *testing.T) {
			s := &teller{modern: modern, tell: func(w http.ResponseWriter, _ json.RawMessage) { w.WriteHeader(http.StatusUnauthorized) }}
			carrier := &http.Transport{}
			t.Cleanup(carrier.CloseIdleConnections)
			conn := connect(t, mcpclient.Options{URL: serveHandler(t, s, nil), Client: &http.Client{Transport: door{carrier}}})
			if err := fate(t, conn); !errors.As(err, &shut{}) || errors.Is(err, mcpclient.ErrUnderway) {
				t.Errorf("the call ended with %v", err)
			}
		})
	}
}
