package mcpclient_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/parley-hq/parley/mcpclient"
)

// fixed answers every call with the same bytes, as JSON or as one event, and as
// a server of either era.
func fixed(modern, events bool, result string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m, err := mcpclient.Envelope(body)
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		case err != nil || m.Method == "server/discover" && !modern:
			w.WriteHeader(http.StatusBadRequest)
			return
		case m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
			return
		}
		said := result
		switch m.Method {
		case "server/discover":
			said = `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`
		case "initialize":
			said = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"fixed","version":"1"}}`
		}
		if !events {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, said)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", m.ID, said)
		w.(http.Flusher).Flush()
	})
}

const smallResult = `{"content":[{"type":"text","text":"hello, this is a small answer of a tool"}],"isError":false}`

func BenchmarkCall(b *testing.B) {
	for _, era := range []string{"legacy", "modern"} {
		for _, as := range []string{"json", "events"} {
			b.Run(era+"/"+as, func(b *testing.B) {
				web := httptest.NewServer(fixed(era == "modern", as == "events", smallResult))
				defer web.Close()
				dials := 0
				carrier := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
					dials++
					return new(net.Dialer).DialContext(ctx, network, address)
				}}
				defer carrier.CloseIdleConnections()
				c, err := mcpclient.Connect(b.Context(), &mcpclient.Options{URL: web.URL, Client: &http.Client{Transport: carrier}})
				if err != nil {
					b.Fatal(err)
				}
				defer c.Close()
				params := []byte(`{"name":"plain","arguments":{"query":"open tickets","limit":10}}`)
				b.ReportAllocs()
				for b.Loop() {
					x, err := c.Call(b.Context(), mcpclient.Request{Method: "tools/call", Name: "plain", Params: params})
					if err != nil {
						b.Fatal(err)
					}
					if m, err := x.Next(); err != nil || string(m.Result) != smallResult {
						b.Fatalf("%s, %v", m.Result, err)
					}
					x.Close()
				}
				b.ReportMetric(float64(dials), "dials")
			})
		}
	}
}

// BenchmarkBare is the same request by net/http alone, to compare with.
func BenchmarkBare(b *testing.B) {
	web := httptest.NewServer(fixed(true, false, smallResult))
	defer web.Close()
	carrier := &http.Transport{}
	defer carrier.CloseIdleConnections()
	client := &http.Client{Transport: carrier}
	b.ReportAllocs()
	for b.Loop() {
		resp, err := client.Post(web.URL, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"plain","arguments":{"query":"open tickets","limit":10}}}`))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadAll(resp.Body); err != nil {
			b.Fatal(err)
		}
		resp.Body.Close()
	}
}

func BenchmarkEnvelope(b *testing.B) {
	for name, size := range map[string]int{"small": 1, "100KB": 1000} {
		message := []byte(`{"jsonrpc":"2.0","id":7,"result":{"content":[` + strings.Repeat(`{"type":"text","text":"`+strings.Repeat("word ", 15)+`"},`, size) + `{}]}}`)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(message)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := mcpclient.Envelope(message); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
