package agent

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
)

// reservedInput is what every agent's tool takes besides its own input.
const reservedInput = "conversation"

// CheckInput reports whether a schema can be that of an agent's input. None can.
func CheckInput(schema json.RawMessage) error {
	if len(schema) == 0 {
		return nil
	}
	var s jsonschema.Schema
	err := json.Unmarshal(schema, &s)
	if err == nil {
		_, err = s.Resolve(nil)
	}
	if err != nil {
		return fmt.Errorf("the input is no JSON schema: %w", err)
	}
	if s.Type != "object" || len(s.Properties) == 0 {
		return errors.New("the input is not the schema of an object with properties")
	}
	if _, taken := s.Properties[reservedInput]; taken {
		return fmt.Errorf("the input has a property %q, by which callers go on with a conversation: call it something else", reservedInput)
	}
	return nil
}

// InputOf reads what an agent with an Input was given. It fails where the person
// wrote something else, as in a chat.
func InputOf[T any](t *Turn) (T, error) {
	var in T
	if err := json.Unmarshal([]byte(t.Text), &in); err != nil {
		return in, fmt.Errorf("the turn's text is not this agent's input: %w", err)
	}
	return in, nil
}
