package chat

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

// unsupported refuses what a person sends besides text: an answer that passes
// over a picture is an answer to another question.
func unsupported(kind string) error {
	return &refusal{
		status: http.StatusBadRequest, code: "unsupported_content", param: "messages",
		text: fmt.Sprintf("A part of the type %.40q is not taken here: agents are sent text alone. Send the message without it.", kind),
	}
}

// spoken is what a message says, and what it shows besides, which is not taken.
type spoken struct {
	words
	other string // the type of a part that is no text
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *spoken) UnmarshalJSON(raw []byte) error {
	var parts []struct{ Type string }
	if json.Unmarshal(raw, &parts) == nil {
		for _, p := range parts {
			if p.Type != "text" && p.Type != "refusal" && p.Type != "" {
				s.other = p.Type
			}
		}
	}
	return s.words.UnmarshalJSON(raw)
}

// shownParts are the types of the AI SDK's parts with which a person shows something.
// Those of other types that we do not know say nothing to an agent.
var shownParts = []string{"file", "image", "audio", "video"}

// unsupported refuses a message of the person's with more than text in it.
func (m message) unsupported() error {
	if m.Role != "user" {
		return nil
	}
	if m.Content.other != "" {
		return unsupported(m.Content.other)
	}
	for _, p := range m.known {
		if slices.Contains(shownParts, p.Type) {
			return unsupported(p.Type)
		}
	}
	return nil
}
