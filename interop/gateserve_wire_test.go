package interop_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

func digestOf(key string) string {
	digest := sha256.Sum256([]byte(key))
	return hex.EncodeToString(digest[:])
}

// httpDo sends a request on a connection of its own and returns what comes back;
// status 0: nobody answered.
func httpDo(t *testing.T, method, address string, header http.Header, body string) (int, http.Header, []byte) {
	t.Helper()
	status, got, data, err := httpTry(t.Context(), method, address, header, body)
	if err != nil {
		t.Log(err)
	}
	return status, got, data
}

func httpTry(ctx context.Context, method, address string, header http.Header, body string) (int, http.Header, []byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return 0, nil, nil, err
	}
	for name, values := range header {
		r.Header[name] = values
	}
	r.Close = true
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, nil, err
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		data = lastData(data)
	}
	return answer.StatusCode, answer.Header, data, err
}

// lastData is what the last event of a stream has.
func lastData(stream []byte) (last []byte) {
	for line := range bytes.Lines(stream) {
		if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
			last = bytes.TrimSpace(data)
		}
	}
	return last
}

// headers are those of a request with a token, and more by twos.
func headers(token string, more ...string) http.Header {
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json, text/event-stream")
	if token != "" {
		h.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(more); i += 2 {
		h.Set(more[i], more[i+1])
	}
	return h
}

// wireAnswer is what came back for a call, as it is on the wire.
type wireAnswer struct {
	status int
	Result struct {
		Type     string                     `json:"resultType"`
		State    string                     `json:"requestState"`
		Requests map[string]json.RawMessage `json:"inputRequests"`
		Content  []struct{ Text string }    `json:"content"`
		IsError  bool                       `json:"isError"`
	} `json:"result"`
	Error *struct {
		Code    int
		Message string
	} `json:"error"`
}

func (a wireAnswer) String() string {
	said := a.text()
	if a.Error != nil {
		said = fmt.Sprintf("error %d %s", a.Error.Code, a.Error.Message)
	}
	return fmt.Sprintf("%d %s %s", a.status, a.Result.Type, said)
}

func (a wireAnswer) text() string {
	if len(a.Result.Content) == 0 {
		return ""
	}
	return a.Result.Content[0].Text
}

func (a wireAnswer) code() int {
	if a.Error == nil {
		return 0
	}
	return a.Error.Code
}

// question is the only one's key.
func (a wireAnswer) question(t *testing.T) string {
	t.Helper()
	if a.Result.Type == "input_required" && len(a.Result.Requests) == 1 {
		for key := range a.Result.Requests {
			return key
		}
	}
	t.Fatalf("that is not one question: %s", a)
	return ""
}

// wireCall is a call of 2026-07-28 that nothing puts right on its way.
type wireCall struct{ tool, arguments, state, responses string }

// continued is the call with the answer to its question.
func (c wireCall) continued(t *testing.T, asked wireAnswer, answer string) wireCall {
	t.Helper()
	c.state = asked.Result.State
	if answer != "" {
		c.responses = fmt.Sprintf(`{%q:%s}`, asked.question(t), answer)
	}
	return c
}

// send makes the call at a node.
func (c wireCall) send(t *testing.T, base, token string) wireAnswer {
	t.Helper()
	a, err := c.try(t.Context(), base, token)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (c wireCall) try(ctx context.Context, base, token string) (a wireAnswer, err error) {
	params := fmt.Sprintf(`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}}}},"name":%q,"arguments":%s`, c.tool, c.arguments)
	if c.state != "" {
		params += fmt.Sprintf(`,"requestState":%q`, c.state)
	}
	if c.responses != "" {
		params += `,"inputResponses":` + c.responses
	}
	status, _, data, err := httpTry(ctx, http.MethodPost, base+"/mcp",
		headers(token, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", c.tool),
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+params+`}}`)
	if err != nil {
		return a, err
	}
	a.status = status
	if err := json.Unmarshal(data, &a); err != nil {
		return a, fmt.Errorf("%w: %d %s", err, status, data)
	}
	return a, nil
}

// beginSession begins a session of 2025-11-25 by hand.
func beginSession(t *testing.T, base, token string) string {
	t.Helper()
	status, header, body := httpDo(t, http.MethodPost, base+"/mcp", headers(token),
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"by hand","version":"1"}}}`)
	session := header.Get("Mcp-Session-Id")
	if status != http.StatusOK || session == "" {
		t.Fatalf("initialize: %d %s", status, body)
	}
	status, _, body = inSession(t, base, token, session, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if status != http.StatusAccepted {
		t.Fatalf("initialized: %d %s", status, body)
	}
	return session
}

// inSession sends a message of a session.
func inSession(t *testing.T, base, token, session, message string) (int, http.Header, []byte) {
	t.Helper()
	return httpDo(t, http.MethodPost, base+"/mcp", headers(token, "Mcp-Session-Id", session, "Mcp-Protocol-Version", "2025-11-25"), message)
}

const listTools = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`

// callTool is the message of a call.
func callTool(name string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":%q,"arguments":{}}}`, name)
}

// link is where the only question sends the person.
func (a wireAnswer) link(t *testing.T) string {
	t.Helper()
	var request struct {
		Params struct{ Mode, URL string } `json:"params"`
	}
	if err := json.Unmarshal(a.Result.Requests[a.question(t)], &request); err != nil || request.Params.Mode != "url" {
		t.Fatalf("that is no link: %s, %v", a.Result.Requests, err)
	}
	return request.Params.URL
}

// toolsAt are the names of the tools that a node lists at this moment.
func toolsAt(t *testing.T, base, token string) []string {
	t.Helper()
	status, _, data := httpDo(t, http.MethodPost, base+"/mcp", headers(token, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list"),
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
			`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}}}}}}`)
	var list struct {
		Result *struct {
			Tools []struct{ Name string }
		}
	}
	if err := json.Unmarshal(data, &list); err != nil || list.Result == nil {
		t.Fatalf("tools/list: %d %s: %v", status, data, err)
	}
	names := []string{}
	for _, tool := range list.Result.Tools {
		names = append(names, tool.Name)
	}
	return names
}
