package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// modernClient is a client of 2026-07-28, by hand: what it sends nobody puts right,
// and nobody repeats it but itself.
type modernClient struct {
	call   *call
	ledger *ledger
	web    *http.Client

	state     string
	responses map[string]any
}

func (m *modernClient) anew() { m.state, m.responses = "", nil }

// attempt implements client.
func (m *modernClient) attempt(ctx context.Context) answer {
	for {
		got, err := m.send(ctx)
		switch {
		case err != nil:
			return answer{err: err, held: m.state != ""}
		case got.Error != nil:
			return answer{words: fmt.Sprintf("error %d: %s", got.Error.Code, got.Error.Message), failed: true}
		case got.Result.Type != "input_required":
			return answer{words: got.text(), failed: got.Result.IsError}
		}
		m.ledger.reach(m.call.key, asked)
		time.Sleep(m.call.think)
		m.state, m.responses = got.Result.State, map[string]any{}
		if m.call.elsewhere { // the person answers on another surface
			if !sleep(ctx, pause) {
				return answer{err: ctx.Err(), held: m.state != ""}
			}
			continue
		}
		for key, request := range got.Result.Requests {
			if link := urlOf(request); link != "" {
				m.call.visit(ctx, link)
				m.responses[key] = map[string]any{"action": "accept"}
				continue
			}
			m.responses[key] = map[string]any{"action": "accept", "content": m.ledger.consent(m.call, string(request))}
		}
		m.ledger.reach(m.call.key, answered)
	}
}

// onWire is what came back.
type onWire struct {
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

func (a onWire) text() string {
	if len(a.Result.Content) == 0 {
		return ""
	}
	return a.Result.Content[0].Text
}

func (m *modernClient) send(ctx context.Context) (got onWire, err error) {
	params := map[string]any{
		"name": m.call.server + "__" + m.call.tool, "arguments": map[string]any{"key": m.call.key},
		"_meta": map[string]any{
			"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
			"io.modelcontextprotocol/clientCapabilities": map[string]any{"elicitation": map[string]any{"form": struct{}{}, "url": struct{}{}}},
		},
	}
	if m.state != "" {
		params["requestState"] = m.state
		if len(m.responses) > 0 {
			params["inputResponses"] = m.responses
		}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
	if err != nil {
		return got, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://parley/mcp", bytes.NewReader(body))
	if err != nil {
		return got, err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": m.call.server + "__" + m.call.tool,
	} {
		r.Header.Set(name, value)
	}
	r.Close = true
	go m.ledger.reach(m.call.key, sent)
	response, err := m.web.Do(r)
	if err != nil {
		return got, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return got, err
	}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		data = lastData(data)
	}
	if err := json.Unmarshal(data, &got); err != nil {
		return got, fmt.Errorf("%w: %s %.200s", errNoAnswer, response.Status, data)
	}
	return got, nil
}

// urlOf is where a question sends the person, if it does.
func urlOf(request json.RawMessage) string {
	var q struct{ Params struct{ Mode, URL string } }
	if json.Unmarshal(request, &q) != nil || q.Params.Mode != "url" {
		return ""
	}
	return q.Params.URL
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
