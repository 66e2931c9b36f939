package a2a

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
)

// translated is an answer whose results are put into the words of another version on their
// way: that of a whole answer at its end, those of a stream as they come.
type translated struct {
	http.ResponseWriter
	// result returns what is sent instead of a result. Errors are not results.
	result func(json.RawMessage) (any, error)
	// wrapped says that a result is a member of the answer, as JSON-RPC has it, and not all
	// of it.
	wrapped bool

	status int
	whole  bytes.Buffer
}

func (t *translated) Unwrap() http.ResponseWriter { return t.ResponseWriter }

func (t *translated) streams() bool {
	return strings.HasPrefix(t.Header().Get("Content-Type"), "text/event-stream")
}

func (t *translated) WriteHeader(status int) {
	t.status = status
	if t.streams() {
		t.ResponseWriter.WriteHeader(status)
	}
}

// Write takes an event, which the transports write at once, or a part of the answer.
func (t *translated) Write(b []byte) (int, error) {
	if !t.streams() {
		return t.whole.Write(b)
	}
	data, isEvent := bytes.CutPrefix(b, []byte("data: "))
	if !isEvent {
		return t.ResponseWriter.Write(b)
	}
	_, err := t.ResponseWriter.Write(append(append([]byte("data: "), t.translate(bytes.TrimSpace(data))...), "\n\n"...))
	return len(b), err
}

// Flush implements http.Flusher.
func (t *translated) Flush() {
	if t.streams() {
		_ = http.NewResponseController(t.ResponseWriter).Flush()
	}
}

// finish sends an answer that is no stream.
func (t *translated) finish() {
	if t.streams() {
		return
	}
	body := t.whole.Bytes()
	if t.status == 0 || t.status == http.StatusOK {
		body = append(t.translate(bytes.TrimSpace(body)), '\n')
	}
	if t.status != 0 {
		t.ResponseWriter.WriteHeader(t.status)
	}
	_, _ = t.ResponseWriter.Write(body)
}

// translate is an answer in the other words. What cannot be read stays as it is.
func (t *translated) translate(raw []byte) []byte {
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &members); err != nil || members["error"] != nil || t.result == nil {
		return raw
	}
	result := json.RawMessage(raw)
	if t.wrapped {
		result = members["result"]
	}
	other, err := t.result(result)
	if err != nil {
		return raw
	}
	text, err := json.Marshal(other)
	if t.wrapped && err == nil {
		members["result"] = text
		text, err = json.Marshal(members)
	}
	if err != nil {
		return raw
	}
	return text
}
