package mcpclient_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/parley-hq/parley/mcpclient"
)

// bulky serves one era by hand; answer writes the response to the call with this
// id.
func bulky(t *testing.T, modern bool, answer func(w http.ResponseWriter, id string)) *mcpclient.Conn {
	t.Helper()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.NewDecoder(r.Body).Decode(&m)
		result := ""
		switch {
		case r.Method == http.MethodGet:
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		case m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
			return
		case m.Method == "tools/call":
			answer(w, string(m.ID))
			return
		case m.Method == "server/discover" && modern:
			result = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"bulky","version":"1"}}`
		case m.Method == "initialize" && !modern:
			result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"bulky","version":"1"}}`
		}
		w.Header().Set("Content-Type", "application/json")
		if result == "" {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, m.ID)
			return
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	}))
	c, err := mcpclient.Connect(t.Context(), &mcpclient.Options{URL: web.URL, MaxMessage: 4 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if c.Modern() != modern {
		t.Fatal("the era is another one")
	}
	t.Cleanup(func() {
		_ = c.Close()
		web.CloseClientConnections()
		web.Close()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	return c
}

// megabytes is more than is read of a message before it is large.
const megabytes = 5 << 19

// envelopes are how servers write the response to a call.
var envelopes = map[string]string{
	"Go":         `{"jsonrpc":"2.0","id":%s,"result":%s}`,
	"TypeScript": `{"result":%[2]s,"jsonrpc":"2.0","id":%[1]s}`,
	"spaces":     "\r\n { \"jsonrpc\" : \"2.0\" , \"id\" : %s , \"result\" : %s \t} \n",
}

func TestALargeResultIsReadAsItComes(t *testing.T) {
	long := `{"content":[{"type":"text","text":"` + strings.Repeat(`a\"b{`, megabytes/5) + `"}],"n":[1,-2.5e3,true,null]}`
	for era, modern := range map[string]bool{"2025-11-25": false, "2026-07-28": true} {
		for form, envelope := range envelopes {
			for _, events := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, %s, events %v", era, form, events), func(t *testing.T) {
					c := bulky(t, modern, func(w http.ResponseWriter, id string) { respond(w, events, fmt.Sprintf(envelope, id, long)) })
					for range 2 { // the connection can be used again
						x, err := c.Call(t.Context(), mcpclient.Request{Method: "tools/call", Large: true})
						if err != nil {
							t.Fatal(err)
						}
						m, err := x.Next()
						if err != nil || m.Rest == nil || !m.Response() {
							t.Fatalf("rest %v, %v", m.Rest, err)
						}
						got, err := io.ReadAll(m.Rest)
						x.Close()
						if err != nil || string(got) != long {
							t.Fatalf("%d bytes, %v; want %d", len(got), err, len(long))
						}
					}
				})
			}
		}
	}
}

func TestALargeResultCanBeHadWhole(t *testing.T) {
	long := `{"content":[{"type":"text","text":"` + strings.Repeat("x", megabytes) + `"}]}`
	c := bulky(t, true, func(w http.ResponseWriter, id string) { respond(w, true, fmt.Sprintf(envelopes["Go"], id, long)) })
	x, err := c.Call(t.Context(), mcpclient.Request{Method: "tools/call", Large: true})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	m, err := x.Next()
	if err == nil {
		err = m.Whole()
	}
	if err != nil || m.Rest != nil || string(m.Result) != long {
		t.Errorf("%d bytes, %v", len(m.Result), err)
	}
	if _, err := x.Next(); err != io.EOF {
		t.Errorf("after it: %v", err)
	}
}

func TestALargeResultThatIsNoneIsAnError(t *testing.T) {
	long := strings.Repeat("x", megabytes)
	for what, c := range map[string]struct {
		text string // with the call's id
		want error
	}{
		"it ends early":                  {`{"jsonrpc":"2.0","id":%s,"result":{"text":"` + long, mcpclient.ErrUnderway},
		"brackets that do not match":     {`{"jsonrpc":"2.0","id":%s,"result":{"text":"` + long + `"]}}`, mcpclient.ErrProtocol},
		"a line break in a string":       {`{"jsonrpc":"2.0","id":%s,"result":{"text":"` + long + "\t" + `"}}`, mcpclient.ErrProtocol},
		"what JSON has not":              {`{"jsonrpc":"2.0","id":%s,"result":{"text":"` + long + `",'a':1}}`, mcpclient.ErrProtocol},
		"two results":                    {`{"jsonrpc":"2.0","id":%s,"result":{"text":"` + long + `"},"result":{}}`, mcpclient.ErrProtocol},
		"an error besides":               {`{"jsonrpc":"2.0","id":%s,"result":{"text":"` + long + `"},"error":{"code":1,"message":""}}`, mcpclient.ErrProtocol},
		"something after the envelope":   {`{"jsonrpc":"2.0","id":%s,"result":{"text":"` + long + `"}} {}`, mcpclient.ErrProtocol},
		"no version":                     {`{"id":%s,"result":{"text":"` + long + `"}}`, mcpclient.ErrProtocol},
		"no id":                          {`{"jsonrpc":"2.0","result":{"text":"` + long + `"},"%s":1}`, mcpclient.ErrProtocol},
		"another call's":                 {`{"result":{"text":"` + long + `"},"jsonrpc":"2.0","id":1%s}`, mcpclient.ErrProtocol},
		"more than a message may have":   {`{"jsonrpc":"2.0","id":%s,"result":{"text":"` + strings.Repeat("y", 5<<20) + `"}}`, mcpclient.ErrTooLarge},
		"more after it than is read":     {`{"jsonrpc":"2.0","id":%s,"result":{"text":"` + long + `"}` + strings.Repeat(" ", 1<<20) + `}`, mcpclient.ErrTooLarge},
		"deeper than anybody needs":      {`{"jsonrpc":"2.0","id":%s,"result":{"text":"` + long + `","a":` + strings.Repeat("[", 2000), mcpclient.ErrProtocol},
		"a result that is a long string": {`{"jsonrpc":"2.0","id":%s,"result":"` + long + `"`, mcpclient.ErrProtocol},
	} {
		for era, modern := range map[string]bool{"2025-11-25": false, "2026-07-28": true} {
			conn := bulky(t, modern, func(w http.ResponseWriter, id string) {
				respond(w, false, strings.Replace(c.text, "%s", id, 1))
			})
			x, err := conn.Call(t.Context(), mcpclient.Request{Method: "tools/call", Large: true})
			if err == nil {
				var m mcpclient.Message
				if m, err = x.Next(); err == nil {
					err = m.Whole()
				}
				x.Close()
			}
			if !errors.Is(err, c.want) {
				t.Errorf("%s, %s: %v; want %v", what, era, err, c.want)
			}
		}
	}
}

func TestALargeResultThatNobodyReadsIsGivenUp(t *testing.T) {
	for era, modern := range map[string]bool{"2025-11-25": false, "2026-07-28": true} {
		gone := make(chan struct{})
		c := bulky(t, modern, func(w http.ResponseWriter, id string) {
			defer close(gone)
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"text":"`, id)
			for {
				if _, err := io.WriteString(w, strings.Repeat("x", 64<<10)); err != nil {
					return
				}
			}
		})
		x, err := c.Call(t.Context(), mcpclient.Request{Method: "tools/call", Large: true})
		if err != nil {
			t.Fatal(err)
		}
		m, err := x.Next()
		if err != nil || m.Rest == nil {
			t.Fatalf("%s: %v", era, err)
		}
		read := make(chan error)
		go func() {
			_, err := m.Rest.Read(make([]byte, 10))
			read <- err
		}()
		<-read
		x.Close()
		<-gone
		if _, err := io.ReadAll(m.Rest); err == nil {
			t.Errorf("%s: what was given up can be read", era)
		}
	}
}

// respond writes a JSON body, or one event.
func respond(w http.ResponseWriter, events bool, text string) {
	if !events {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, text)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, ": hello\n\nevent: message\ndata: %s\nid: 7\n\n", strings.NewReplacer("\r\n", "", "\n", "").Replace(text))
}
