package resources

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/parley-hq/parley/bench/kit"
)

// handClient is a person's client of 2026-07-28 at the gateway, by hand: it sends what
// is wanted and nothing else.
type handClient struct {
	url, token string
}

// callReply is what a call came back with.
type callReply struct {
	Result struct {
		ResultType   string                     `json:"resultType"`
		Content      []struct{ Text string }    `json:"content"`
		Requests     map[string]json.RawMessage `json:"inputRequests"`
		RequestState string                     `json:"requestState"`
	} `json:"result"`
	Error struct{ Message string } `json:"error"`
}

// text is the reply in a few words.
func (r callReply) text() string {
	switch {
	case r.Error.Message != "":
		return short(r.Error.Message)
	case len(r.Result.Requests) > 0:
		return fmt.Sprintf("%d questions were asked", len(r.Result.Requests))
	case len(r.Result.Content) > 0:
		return short(r.Result.Content[0].Text)
	}
	return "a result"
}

func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 90 {
		return fmt.Sprintf("%s… (%s)", text[:60], kit.Size(int64(len(text))))
	}
	return text
}

// call calls the attacker's tool. further are members of its parameters.
func (c handClient) call(ctx context.Context, further map[string]any) (reply callReply, err error) {
	params := map[string]any{"name": "attacker__hit", "arguments": map[string]any{}, "_meta": map[string]any{
		"io.modelcontextprotocol/protocolVersion":    kit.ModernEra,
		"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "bench", "version": "1"},
		"io.modelcontextprotocol/clientCapabilities": map[string]any{"elicitation": map[string]any{"form": map[string]any{}, "url": map[string]any{}}},
	}}
	for name, value := range further {
		params[name] = value
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
	if err != nil {
		return reply, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/mcp", bytes.NewReader(body))
	if err != nil {
		return reply, err
	}
	for name, value := range map[string]string{
		"Authorization": "Bearer " + c.token, "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": kit.ModernEra, "Mcp-Method": "tools/call", "Mcp-Name": "attacker__hit",
	} {
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return reply, err
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		return reply, err
	}
	if strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		raw = lastEvent(raw)
	}
	if err := json.Unmarshal(raw, &reply); err != nil {
		return reply, fmt.Errorf("%s: %.200s", answer.Status, raw)
	}
	return reply, nil
}

// lastEvent is what the last event of a stream has.
func lastEvent(stream []byte) (data []byte) {
	for line := range bytes.Lines(stream) {
		if rest, ok := bytes.CutPrefix(line, []byte("data:")); ok && len(bytes.TrimSpace(rest)) > 0 {
			data = bytes.TrimSpace(rest)
		}
	}
	return data
}

// chatOnce says something to the agent and returns how its stream goes on: at a
// question it is left.
func chatOnce(ctx context.Context, url, token string) (string, error) {
	body := `{"id":"c1","messages":[{"id":"m","role":"user","parts":[{"type":"text","text":"Go on, please."}]}]}`
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/run/api/chat", strings.NewReader(body))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("x-supports-elicitation", "true")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(io.LimitReader(answer.Body, 500))
		return "", fmt.Errorf("%s: %s", answer.Status, said)
	}
	lines, seen := bufio.NewReaderSize(answer.Body, 64<<10), 0
	var failure string
	for {
		line, err := lines.ReadString('\n')
		seen += len(line)
		if i := strings.Index(line, `"errorText":"`); i >= 0 {
			failure = line[i+len(`"errorText":"`):]
			failure, _, _ = strings.Cut(failure, `"`)
		}
		switch {
		case strings.Contains(line[:min(len(line), 200)], "data-elicitation-request"):
			return "questions were asked", nil
		case err == io.EOF && failure != "":
			return short(failure), nil
		case err == io.EOF:
			return "the run ended, stream of " + kit.Size(int64(seen)), nil
		case err != nil:
			return "", err
		}
	}
}

// anonymous is a client whose requests are hostile: what it sends is counted.
func anonymous(a *attacker) *http.Client {
	dialer := net.Dialer{Timeout: 10 * time.Second}
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := dialer.DialContext(ctx, network, address)
			return hostileConn{c, &a.hostile}, err
		}},
	}
}
