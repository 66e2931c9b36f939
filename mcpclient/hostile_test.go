package mcpclient_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/parley-hq/parley/mcpclient"
)

// saying greets as a server of one era, and answers tools/call as told.
func saying(modern bool, session string, tell func(w http.ResponseWriter, id json.RawMessage)) http.Handler {
	greeting := fixed(modern, false, "{}")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if m, err := mcpclient.Envelope(body); err == nil && m.Method == "tools/call" {
			tell(w, m.ID)
			return
		}
		if session != "" {
			w.Header().Set("Mcp-Session-Id", session)
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		greeting.ServeHTTP(w, r)
	})
}

// write answers with a status and a body, in which ID stands for the call's id.
func write(code int, kind, body string) func(http.ResponseWriter, json.RawMessage) {
	return func(w http.ResponseWriter, id json.RawMessage) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(code)
		fmt.Fprint(w, strings.ReplaceAll(body, "ID", string(id)))
	}
}

const (
	asJSON   = "application/json"
	asEvents = "text/event-stream; charset=utf-8"
)

func TestNonsenseOfAServerIsAnError(t *testing.T) {
	for name, test := range map[string]struct {
		tell func(http.ResponseWriter, json.RawMessage)
		want error
	}{
		"an answer to another call": {write(200, asJSON, `{"jsonrpc":"2.0","id":12345,"result":{}}`), mcpclient.ErrProtocol},
		"an id of the wrong type":   {write(200, asJSON, `{"jsonrpc":"2.0","id":"ID","result":{}}`), mcpclient.ErrProtocol},
		"a batch":                   {write(200, asJSON, `[{"jsonrpc":"2.0","id":ID,"result":{}}]`), mcpclient.ErrProtocol},
		"nothing":                   {write(200, asJSON, ``), mcpclient.ErrProtocol},
		"half of it":                {write(200, asJSON, `{"jsonrpc":"2.0","id":ID,"result":{"a":`), mcpclient.ErrProtocol},
		"a page":                    {write(200, "text/html", `<html>`), mcpclient.ErrProtocol},
		"no content":                {write(202, asJSON, ``), mcpclient.ErrProtocol},
		"an event of nonsense":      {write(200, asEvents, "data: nonsense\n\n"), mcpclient.ErrProtocol},
		"no event":                  {write(200, asEvents, ": nothing\n\n"), mcpclient.ErrUnreachable},
		"another's event":           {write(200, asEvents, "data: {\"jsonrpc\":\"2.0\",\"id\":12345,\"result\":{}}\n\n"), mcpclient.ErrUnreachable},
	} {
		for _, modern := range []bool{true, false} {
			c := connect(t, mcpclient.Options{URL: serveHandler(t, saying(modern, "", test.tell), nil)})
			x, err := c.Call(t.Context(), mcpclient.Request{Method: "tools/call", Params: json.RawMessage(`{}`)})
			if err == nil {
				_, err = x.Next()
				x.Close()
			}
			if !errors.Is(err, test.want) {
				t.Errorf("%s (modern: %v): %v, want %v", name, modern, err, test.want)
			}
		}
	}
}

func TestTheResponseIsFoundAmongOtherThings(t *testing.T) {
	const result = `{"jsonrpc":"2.0","id":ID,"result":{"content":[{"text":"found"}]}}`
	for name, tell := range map[string]func(http.ResponseWriter, json.RawMessage){
		"after the answer to another call": write(200, asEvents, "data: {\"jsonrpc\":\"2.0\",\"id\":12345,\"result\":{}}\n\ndata: "+result+"\n\n"),
		"after other events":               write(200, asEvents, "event: hello\ndata: x\n\nevent: message\ndata: "+result+"\n\n"),
		"without its last line end":        write(200, asEvents, "data: "+result),
		"after a ping":                     write(200, asEvents, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n\ndata: "+result+"\n\n"),
		"with capitals":                    write(200, "Application/JSON; charset=utf-8", result),
	} {
		for _, modern := range []bool{true, false} {
			c := connect(t, mcpclient.Options{URL: serveHandler(t, saying(modern, "", tell), nil)})
			if got := textOf(t, next(t, call(t, c, "any", `{}`))); got != "found" {
				t.Errorf("%s (modern: %v): %q", name, modern, got)
			}
		}
	}
}

func TestAnErrorThatComesWithAStatusIsTheResponse(t *testing.T) {
	for _, modern := range []bool{true, false} {
		for _, id := range []string{"ID", "null"} {
			tell := write(400, asJSON, `{"jsonrpc":"2.0","id":`+id+`,"error":{"code":-32021,"message":"no","data":{"requiredCapabilities":{}}}}`)
			c := connect(t, mcpclient.Options{URL: serveHandler(t, saying(modern, "s1", tell), nil)})
			if m := next(t, call(t, c, "any", `{}`)); m.Error == nil || m.Error.Code != -32021 || string(m.Error.Data) != `{"requiredCapabilities":{}}` {
				t.Errorf("got %v", m.Error)
			}
		}
	}
}

func TestAServerMayForgetASessionInItsOwnWay(t *testing.T) {
	for name, tell := range map[string]func(http.ResponseWriter, json.RawMessage){
		"404":          write(404, "text/plain", "session not found"),
		"404 as JSON":  write(404, asJSON, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`),
		"400 in words": write(400, asJSON, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}`),
	} {
		first := true
		answer := write(200, asJSON, `{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}`)
		c := connect(t, mcpclient.Options{URL: serveHandler(t, saying(false, "s1", func(w http.ResponseWriter, id json.RawMessage) {
			if first {
				first = false
				answer(w, id)
				return
			}
			tell(w, id)
		}), nil)})
		next(t, call(t, c, "any", `{}`))
		_, err := c.Call(t.Context(), mcpclient.Request{Method: "tools/call", Params: json.RawMessage(`{}`)})
		if !errors.Is(err, mcpclient.ErrSessionGone) {
			t.Errorf("%s: %v", name, err)
		}
		<-c.Done()
		// One that never answered a call did not forget its session: it refuses.
		c = connect(t, mcpclient.Options{URL: serveHandler(t, saying(false, "s1", tell), nil)})
		_, err = c.Call(t.Context(), mcpclient.Request{Method: "tools/call", Params: json.RawMessage(`{}`)})
		var refused *mcpclient.StatusError
		if errors.Is(err, mcpclient.ErrSessionGone) || !errors.As(err, &refused) {
			t.Errorf("%s, from the first call on: %v", name, err)
		}
		<-c.Done()
	}
}

func TestACredentialThatIsNotTakenAnyMoreIsAStatus(t *testing.T) {
	for _, modern := range []bool{true, false} {
		tell := func(w http.ResponseWriter, id json.RawMessage) {
			w.Header().Set("WWW-Authenticate", "Bearer error=\"invalid_token\"")
			write(401, asJSON, `{"jsonrpc":"2.0","id":ID,"error":{"code":-1,"message":"no"}}`)(w, id)
		}
		c := connect(t, mcpclient.Options{URL: serveHandler(t, saying(modern, "s1", tell), nil)})
		_, err := c.Call(t.Context(), mcpclient.Request{Method: "tools/call", Params: json.RawMessage(`{}`)})
		var status *mcpclient.StatusError
		if !errors.As(err, &status) || status.Code != 401 || len(status.WWWAuthenticate) != 1 {
			t.Errorf("got %v", err)
		}
		if c.Err() != nil {
			t.Errorf("the connection is gone: %v", c.Err())
		}
	}
}

func TestAServerThatWentAwayIsUnreachable(t *testing.T) {
	for _, modern := range []bool{true, false} {
		web := httptest.NewServer(fixed(modern, true, smallResult))
		c := connect(t, mcpclient.Options{URL: web.URL})
		x := call(t, c, "any", `{}`)
		next(t, x)
		web.CloseClientConnections()
		web.Close()
		_, err := c.Call(t.Context(), mcpclient.Request{Method: "tools/call", Params: json.RawMessage(`{}`)})
		if !errors.Is(err, mcpclient.ErrUnreachable) || strings.Contains(err.Error(), web.URL) {
			t.Errorf("got %v", err)
		}
	}
}

func TestParamsThatAreNoObjectAreNotSent(t *testing.T) {
	c := connect(t, mcpclient.Options{URL: serveHandler(t, fixed(true, false, smallResult), nil)})
	if _, err := c.Call(t.Context(), mcpclient.Request{Method: "tools/call", Params: json.RawMessage(`{},"id":7`)}); !errors.Is(err, mcpclient.ErrProtocol) {
		t.Errorf("got %v", err)
	}
	if err := c.Notify(t.Context(), "notifications/x", json.RawMessage(`[]`)); !errors.Is(err, mcpclient.ErrProtocol) {
		t.Errorf("got %v", err)
	}
}

func TestAServerOfANewerVersionThanOursIsRefused(t *testing.T) {
	url := serveHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m, _ := mcpclient.Envelope(body)
		if m.Method == "initialize" {
			write(200, asJSON, `{"jsonrpc":"2.0","id":ID,"result":{"protocolVersion":"2099-01-01","capabilities":{}}}`)(w, m.ID)
			return
		}
		write(200, asJSON, `{"jsonrpc":"2.0","id":ID,"result":{"supportedVersions":["2099-01-01"]}}`)(w, m.ID)
	}), nil)
	carrier := &http.Transport{}
	defer carrier.CloseIdleConnections()
	if _, err := mcpclient.Connect(t.Context(), &mcpclient.Options{URL: url, Client: &http.Client{Transport: carrier}}); !errors.Is(err, mcpclient.ErrProtocol) {
		t.Errorf("got %v", err)
	}
}

// A call's stream has no end of its own.
func TestRequestsOfAServerWithoutEndDoNotFillTheLog(t *testing.T) {
	const ping = "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n\n"
	tell := write(200, asEvents, strings.Repeat(ping, 5000)+"data: {\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"content\":[{\"text\":\"found\"}]}}\n\n")
	for _, modern := range []bool{true, false} {
		var log strings.Builder // whose handler has a lock
		c := connect(t, mcpclient.Options{URL: serveHandler(t, saying(modern, "", tell), nil), Logger: slog.New(slog.NewTextHandler(&log, nil))})
		x := call(t, c, "any", `{}`)
		for {
			m := next(t, x)
			if m.Response() {
				break
			}
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if n := strings.Count(log.String(), "\n"); n > 3 {
			t.Errorf("modern: %v: %d lines, the first of which are\n%.500s", modern, n, log.String())
		}
	}
}
