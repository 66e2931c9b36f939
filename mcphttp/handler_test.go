package mcphttp

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpclient"
)

func TestOneURLServesBothEras(t *testing.T) {
	s := newStage(t, nil, nil)
	modern, old := newRawClient(t, true), newRawClient(t, false)
	if answer := modern.expect(http.StatusOK, http.MethodPost, s.http.URL, modern.callMessage("echo", 1)); !strings.Contains(answer, `"text":"1 []"`) {
		t.Errorf("got %s", answer)
	}
	old.initialize(s.http.URL)
	if !strings.HasPrefix(old.session, s.node.ID()+"-") {
		t.Errorf("session %q", old.session)
	}
	if answer := old.expect(http.StatusOK, http.MethodPost, s.http.URL, old.callMessage("echo", 1)); !strings.Contains(answer, `"text":"1 []"`) {
		t.Errorf("got %s", answer)
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		modern.expect(http.StatusMethodNotAllowed, method, s.http.URL, "")
	}
}

func TestARequestOfTheNewEraWithoutItsHeaderIsRefused(t *testing.T) {
	s := newStage(t, nil, nil)
	c := newRawClient(t, true)
	message := c.callMessage("echo", 1)
	c.modern = false
	for _, version := range []string{"", "2025-11-25"} {
		if version != "" {
			c.header.Set(mcpclient.VersionHeader, version)
		}
		answer := c.expect(http.StatusBadRequest, http.MethodPost, s.http.URL, message)
		if !strings.Contains(answer, `"code":-32020`) || !strings.Contains(answer, `"id":3`) {
			t.Errorf("got %s", answer)
		}
	}
	if n := len(slices.Collect(s.server.Sessions())); n != 0 {
		t.Errorf("%d sessions are left", n)
	}
}

func TestANameMayBeEncodedInItsHeader(t *testing.T) {
	s := newStage(t, nil, nil)
	mcp.AddTool(s.server, &mcp.Tool{Name: "bücher"}, func(context.Context, *mcp.CallToolRequest, asking) (*mcp.CallToolResult, any, error) {
		return said("found"), nil, nil
	})
	for _, c := range []struct {
		tool, header string
		status       int
	}{
		{"bücher", "=?base64?YsO8Y2hlcg==?=", http.StatusOK},
		{"echo", "=?base64?ZWNobw==?=", http.StatusOK},
		{"echo", "=?base64?YsO8Y2hlcg==?=", http.StatusBadRequest},
		{"echo", "=?base64?ZWNobw?=", http.StatusBadRequest},
		{"echo", "=?base64?ZWNobw==", http.StatusBadRequest},
		{"echo", "=?base64??=", http.StatusBadRequest},
	} {
		client := newRawClient(t, true)
		client.header.Set("Mcp-Name", c.header)
		answer := client.expect(c.status, http.MethodPost, s.http.URL, client.callMessage(c.tool, 1))
		if c.status != http.StatusOK && !strings.Contains(answer, `"code":-32020`) {
			t.Errorf("%s as %s: %s", c.tool, c.header, answer)
		}
	}
}

func TestARequestWithoutASessionIsRefused(t *testing.T) {
	s := newStage(t, nil, nil)
	c := newRawClient(t, false)
	for _, message := range []string{listMessage, c.callMessage("echo", 1), `{"jsonrpc":"2.0","method":"notifications/initialized"}`} {
		if answer := c.expect(http.StatusBadRequest, http.MethodPost, s.http.URL, message); !strings.Contains(answer, "Mcp-Session-Id is missing") {
			t.Errorf("got %s", answer)
		}
	}
	if n := len(slices.Collect(s.server.Sessions())); n != 0 {
		t.Errorf("%d sessions are left", n)
	}
}

func TestMalformedAndUnknownSessionsAreNotFound(t *testing.T) {
	s := newStage(t, parley.NewMemoryStore(), nil).run(t)
	c := newRawClient(t, false)
	c.initialize(s.http.URL)
	_, inner, _ := strings.Cut(c.session, "-")
	for _, id := range []string{
		inner, idA, idA + "-", "-" + inner, idA + inner, "-", "--",
		idA + "-" + inner + "x", strings.ToUpper(idA) + "-" + inner, idA + "x-" + inner, idA[1:] + "-" + inner,
		idB + "-" + inner, idA + "-" + strings.Repeat("x", 1000), "../" + idA + "-" + inner, idA + "-" + idA + "-" + inner,
	} {
		c.session = id
		c.expectNoSession(http.MethodPost, s.http.URL, listMessage)
		c.expectNoSession(http.MethodGet, s.http.URL, "")
		c.expectNoSession(http.MethodDelete, s.http.URL, "")
	}
}

func TestPagesOfOtherOriginsAreRefused(t *testing.T) {
	s := newStage(t, nil, &Options{TrustedOrigins: []string{"https://app.example", "not an origin"}, PublicURL: "https://parley.example:8443/x"})
	for _, test := range []struct {
		header map[string]string
		status int
	}{
		{nil, http.StatusOK},
		{map[string]string{"Origin": s.http.URL}, http.StatusOK},
		{map[string]string{"Origin": "https://app.example"}, http.StatusOK},
		{map[string]string{"Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"}, http.StatusOK},
		{map[string]string{"Origin": "https://evil.example"}, http.StatusForbidden},
		{map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}, http.StatusForbidden},
		{map[string]string{"Origin": "null"}, http.StatusForbidden},
		{map[string]string{"Sec-Fetch-Site": "cross-site"}, http.StatusForbidden},
		{map[string]string{"Host": "evil.example"}, http.StatusForbidden}, // DNS rebinding
		{map[string]string{"Host": "parley.example.evil.example"}, http.StatusForbidden},
		{map[string]string{"Host": "evil.example:8443"}, http.StatusForbidden},
		{map[string]string{"Host": "parley.example"}, http.StatusOK}, // a proxy on this machine
		{map[string]string{"Host": "Parley.example:8443"}, http.StatusOK},
		{map[string]string{"Host": "parley.example", "Origin": "https://evil.example"}, http.StatusForbidden},
	} {
		c := newRawClient(t, false)
		c.initialize(s.http.URL)
		for name, value := range test.header {
			c.header.Set(name, value)
		}
		c.expect(test.status, http.MethodPost, s.http.URL, listMessage)
		if test.status == http.StatusForbidden {
			c.expect(test.status, http.MethodGet, s.http.URL, "")
			c.expect(test.status, http.MethodDelete, s.http.URL, "")
		}
		c.modern, c.session = true, ""
		c.expect(test.status, http.MethodPost, s.http.URL, c.callMessage("echo", 1))
	}
}

func TestARequestThatIsTooLargeIsRefused(t *testing.T) {
	store := parley.NewMemoryStore()
	a := newStage(t, store, &Options{MaxBodyBytes: 1000}).run(t)
	b := newStage(t, store, &Options{MaxBodyBytes: 1000}).run(t)
	c := newRawClient(t, false)
	large := `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"x":"` + strings.Repeat("x", 1000) + `"}}`
	c.expect(http.StatusRequestEntityTooLarge, http.MethodPost, a.http.URL, large)
	c.initialize(a.http.URL)
	c.expect(http.StatusRequestEntityTooLarge, http.MethodPost, a.http.URL, large)
	c.expect(http.StatusRequestEntityTooLarge, http.MethodPost, b.http.URL, large)
	c.modern = true
	c.expect(http.StatusRequestEntityTooLarge, http.MethodPost, a.http.URL, large)
}

// What one program reads as a no and another as a yes is no answer. The question stays
// open, for one that can be read.
func TestAnAnswerOfWhichThereAreTwoReadingsIsNotTaken(t *testing.T) {
	s := newStage(t, nil, nil)
	c := newRawClient(t, false)
	c.initialize(s.http.URL)
	ended := make(chan string, 1)
	go func() {
		_, body := c.send(http.MethodPost, s.http.URL, c.callMessage("ask", 1))
		ended <- body
	}()
	for _, result := range []string{
		`{"action":"decline","action":"accept","content":{"n":7}}`, `{"action":"accept","Action":"decline","content":{"n":7}}`,
		`{"action":"accept","content":{"n":8},"content":{"n":7}}`, `{"action":"accept","content":{"n":8,"n":7}}`, `{"action":"accept","content":{"n":"\ud800"}}`,
	} {
		if body := c.expect(http.StatusBadRequest, http.MethodPost, s.http.URL, `{"jsonrpc":"2.0","id":1,"result":`+result+`}`); !strings.Contains(body, "twice") {
			t.Errorf("%s: %s", result, body)
		}
	}
	// The question may come a moment after the call.
	for {
		c.expect(http.StatusAccepted, http.MethodPost, s.http.URL, acceptMessage)
		select {
		case body := <-ended:
			if !strings.Contains(body, `"7"`) {
				t.Errorf("the call ended with %s", body)
			}
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}
