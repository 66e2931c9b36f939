package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// exchange is a request of a client and all that came of it. In a file it is a
// line for each message, and an empty line ends it:
//
//	> {"jsonrpc":"2.0","id":3,"method":"tools/call",…}  the request
//	= 200 text/event-stream                            over HTTP: how it is answered
//	< {"jsonrpc":"2.0","id":0,"method":"elicitation/create",…}
//	> {"jsonrpc":"2.0","id":0,"result":{"action":"decline"}}
//	< {"jsonrpc":"2.0","id":3,"result":…}
//
// What the server says on the session's own stream instead of the call's begins
// with <<. A first message of the server without any text is the event with which a stream
// begins that can be resumed.
type exchange struct {
	request message
	asked   string // the request as it came
	reply   reply
	steps   []step
}

// reply is how an HTTP server answers.
type reply struct {
	status  int
	kind    string // its Content-Type
	session bool   // it gives a session
}

// step is a message after the request.
type step struct {
	server bool // says it
	aside  bool // on the session's own stream
	raw    string
}

func (s step) message() message { return readMessage([]byte(s.raw)) }

// message is a JSON-RPC message.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

func readMessage(raw []byte) (m message) {
	if json.Unmarshal(raw, &m) != nil {
		return message{}
	}
	return m
}

func (m message) isRequest() bool { return m.Method != "" && m.ID != nil }
func (m message) isAnswer() bool  { return m.Method == "" && m.ID != nil }

// meta are the parts of a request that say how it is made.
type meta struct {
	Era          string                     `json:"io.modelcontextprotocol/protocolVersion"` // from 2026-07-28 on
	Progress     json.RawMessage            `json:"progressToken"`
	Capabilities map[string]json.RawMessage `json:"io.modelcontextprotocol/clientCapabilities"`
}

func (m message) meta() (told meta) {
	var params struct {
		Meta meta `json:"_meta"`
	}
	_ = json.Unmarshal(m.Params, &params)
	return params.Meta
}

// key is what makes two requests the same: the method and the parameters, but for
// what a client says of itself, and those that are left out.
func (m message) key(out ...string) string {
	params := map[string]any{}
	_ = json.Unmarshal(m.Params, &params)
	delete(params, "_meta")
	for _, name := range out {
		delete(params, name)
	}
	if m.Method == "initialize" {
		params = map[string]any{"protocolVersion": params["protocolVersion"]}
	}
	if arguments, ok := params["arguments"].(map[string]any); ok && len(arguments) == 0 {
		delete(params, "arguments")
	}
	return strings.TrimSpace(m.Method + " " + m.meta().Era + " " + canonical(params))
}

// manner is how a request is made: the same one may be answered differently.
func (m message) manner() string {
	if m.Method != "tools/call" && m.Method != "prompts/get" {
		return ""
	}
	told := m.meta()
	return fmt.Sprint(told.Progress != nil, slices.Sorted(maps.Keys(told.Capabilities)))
}

func canonical(v any) string {
	b, err := json.Marshal(v) // with the keys in order
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// said is what an answer of a client says.
func (m message) said() string {
	var v any
	_ = json.Unmarshal(append(m.Result, m.Error...), &v)
	return canonical(v)
}

// readFile reads the exchanges of a file.
func readFile(name string) ([]*exchange, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var all []*exchange
	var e *exchange
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		mark, rest, _ := strings.Cut(lines.Text(), " ")
		switch {
		case mark == "#":
		case mark == "":
			e = nil
		case mark == ">" && e == nil:
			e = &exchange{request: readMessage([]byte(rest)), asked: rest}
			all = append(all, e)
		case mark == "=" && e != nil:
			e.reply = readReply(rest)
		case (mark == ">" || mark == "<" || mark == "<<") && e != nil:
			e.steps = append(e.steps, step{mark != ">", mark == "<<", rest})
		default:
			return nil, fmt.Errorf("%s:%d: no line of an exchange", name, n)
		}
	}
	return all, lines.Err()
}

func readReply(text string) (r reply) {
	words := strings.Fields(text)
	if len(words) > 0 {
		_, _ = fmt.Sscan(words[0], &r.status)
	}
	for _, w := range words[min(1, len(words)):] {
		if w == "session" {
			r.session = true
		} else {
			r.kind = w
		}
	}
	return r
}

func (r reply) String() string {
	s := strings.TrimSpace(fmt.Sprintf("= %d %s", r.status, r.kind))
	if r.session {
		s += " session"
	}
	return s
}

// text is the exchange as a file has it.
func (e *exchange) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "> %s\n", e.asked)
	if e.reply.status != 0 {
		fmt.Fprintln(&b, e.reply)
	}
	for _, s := range e.steps {
		mark := ">"
		if s.server {
			mark = "<"
		}
		if s.aside {
			mark = "<<"
		}
		fmt.Fprintf(&b, "%s %s\n", mark, s.raw)
	}
	return b.String() + "\n"
}
