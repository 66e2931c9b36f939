package anthropic

import (
	"encoding/json"
	"fmt"

	"github.com/parley-hq/parley/agent/internal/modelserver"
)

// event is an event of a stream. Types and fields that are not here are ignored:
// the format says that there may be more.
type event struct {
	Type  string          `json:"type"`
	Index json.RawMessage `json:"index"`
	Block json.RawMessage `json:"content_block"`
	Delta json.RawMessage `json:"delta"`
}

// delta is what an event adds to a block, or to the message.
type delta struct {
	Type        string          `json:"type"`
	Text        string          `json:"text"`
	PartialJSON string          `json:"partial_json"`
	Thinking    string          `json:"thinking"`
	Signature   string          `json:"signature"`
	Citation    json.RawMessage `json:"citation"`
	StopReason  string          `json:"stop_reason"`
}

// fields are the members of a block, as its server wrote them.
type fields map[string]json.RawMessage

func (f fields) text(name string) string {
	var s string
	_ = json.Unmarshal(f[name], &s) // what is no text is none
	return s
}

func (f fields) set(name string, value any) {
	f[name], _ = json.Marshal(value) // texts, and lists of JSON that was read
}

func readEvent(came modelserver.Event) (event, error) {
	var e event
	if err := json.Unmarshal(came.Data, &e); err != nil {
		return e, fmt.Errorf("an event is no JSON of a message: %w", err)
	}
	if e.Type == "" {
		e.Type = came.Name
	}
	return e, nil
}

// read reads a part of an event.
func read(raw json.RawMessage, into any) error {
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("a part of an event is no JSON of a message: %w", err)
	}
	return nil
}
