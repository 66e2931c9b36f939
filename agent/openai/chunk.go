package openai

import (
	"encoding/json"
	"fmt"
	"strings"
)

// chunk is an event of a stream. Servers differ in what they leave out, put in
// and write in another type, so what is in a piece is read when it is needed.
type chunk struct {
	Choices []struct {
		Index  json.RawMessage `json:"index"`
		Delta  piece           `json:"delta"`
		Finish json.RawMessage `json:"finish_reason"`
	} `json:"choices"`
	Error json.RawMessage `json:"error"`
}

func readChunk(data []byte) (chunk, error) {
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		return c, fmt.Errorf("an event is no JSON of a message: %w", err)
	}
	return c, nil
}

// piece is an object of which parts are taken; the rest is what its server adds
// to the format.
type piece map[string]json.RawMessage

func (p piece) take(name string) json.RawMessage {
	raw := p[name]
	delete(p, name)
	return raw
}

// size is how long all members are.
func (p piece) size() (n int) {
	for _, raw := range p {
		n += len(raw)
	}
	return n
}

func isSet(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// text is a text. What is none, such as arguments that a server forgot to quote,
// is taken as it is written.
func text(raw json.RawMessage) string {
	var s string
	if !isSet(raw) || json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// index is an index. It is 0 where there is none.
func index(raw json.RawMessage) string {
	if !isSet(raw) {
		return "0"
	}
	return strings.Trim(string(raw), `"`)
}
