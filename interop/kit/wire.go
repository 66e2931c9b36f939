package kit

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

func DigestOf(key string) string {
	digest := sha256.Sum256([]byte(key))
	return hex.EncodeToString(digest[:])
}

// HttpDo sends a request on a connection of its own and returns what comes back;
// status 0: nobody answered.
func HttpDo(t *testing.T, method, address string, header http.Header, body string) (int, http.Header, []byte) {
	t.Helper()
	status, got, data, err := HttpTry(t.Context(), method, address, header, body)
	if err != nil {
		t.Log(err)
	}
	return status, got, data
}

func HttpTry(ctx context.Context, method, address string, header http.Header, body string) (int, http.Header, []byte, error) {
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

// Headers are those of a request with a token, and more by twos.
func Headers(token string, more ...string) http.Header {
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

// WireAnswer is what came back for a call, as it is on the wire.
type WireAnswer struct {
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

func (a WireAnswer) String() string {
	said := a.Text()
	if a.Error != nil {
		said = fmt.Sprintf("error %d %s", a.Error.Code, a.Error.Message)
	}
	return fmt.Sprintf("%d %s %s", a.status, a.Result.Type, said)
}

func (a WireAnswer) Text() string {
	if len(a.Result.Content) == 0 {
		return ""
	}
	return a.Result.Content[0].Text
}

func (a WireAnswer) Code() int {
	if a.Error == nil {
		return 0
	}
	return a.Error.Code
}

// question is the only one's key.
func (a WireAnswer) question(t *testing.T) string {
	t.Helper()
	if a.Result.Type == "input_required" && len(a.Result.Requests) == 1 {
		for key := range a.Result.Requests {
			return key
		}
	}
	t.Fatalf("that is not one question: %s", a)
	return ""
}

// WireCall is a call of 2026-07-28 that nothing puts right on its way.
type WireCall struct{ Tool, Arguments, state, responses string }

// Continued is the call with the answer to its question.
func (c WireCall) Continued(t *testing.T, asked WireAnswer, answer string) WireCall {
	t.Helper()
	c.state = asked.Result.State
	if answer != "" {
		c.responses = fmt.Sprintf(`{%q:%s}`, asked.question(t), answer)
	}
	return c
}

// Send makes the call at a node.
func (c WireCall) Send(t *testing.T, base, token string) WireAnswer {
	t.Helper()
	a, err := c.Try(t.Context(), base, token)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (c WireCall) Try(ctx context.Context, base, token string) (a WireAnswer, err error) {
	params := fmt.Sprintf(`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}}}},"name":%q,"arguments":%s`, c.Tool, c.Arguments)
	if c.state != "" {
		params += fmt.Sprintf(`,"requestState":%q`, c.state)
	}
	if c.responses != "" {
		params += `,"inputResponses":` + c.responses
	}
	status, _, data, err := HttpTry(ctx, http.MethodPost, base+"/mcp",
		Headers(token, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", c.Tool),
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

// BeginSession begins a session of 2025-11-25 by hand.
func BeginSession(t *testing.T, base, token string) string {
	t.Helper()
	status, header, body := HttpDo(t, http.MethodPost, base+"/mcp", Headers(token),
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"by hand","version":"1"}}}`)
	session := header.Get("Mcp-Session-Id")
	if status != http.StatusOK || session == "" {
		t.Fatalf("initialize: %d %s", status, body)
	}
	status, _, body = InSession(t, base, token, session, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if status != http.StatusAccepted {
		t.Fatalf("initialized: %d %s", status, body)
	}
	return session
}

// InSession sends a message of a session.
func InSession(t *testing.T, base, token, session, message string) (int, http.Header, []byte) {
	t.Helper()
	return HttpDo(t, http.MethodPost, base+"/mcp", Headers(token, "Mcp-Session-Id", session, "Mcp-Protocol-Version", "2025-11-25"), message)
}

const ListTools = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`

// CallTool is the message of a call.
func CallTool(name string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":%q,"arguments":{}}}`, name)
}

// Link is where the only question sends the person.
func (a WireAnswer) Link(t *testing.T) string {
	t.Helper()
	var request struct {
		Params struct{ Mode, URL string } `json:"params"`
	}
	if err := json.Unmarshal(a.Result.Requests[a.question(t)], &request); err != nil || request.Params.Mode != "url" {
		t.Fatalf("that is no link: %s, %v", a.Result.Requests, err)
	}
	return request.Params.URL
}

// ToolsAt are the names of the tools that a node lists at this moment.
func ToolsAt(t *testing.T, base, token string) []string {
	t.Helper()
	status, _, data := HttpDo(t, http.MethodPost, base+"/mcp", Headers(token, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list"),
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
