package mcptool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// schemas check what goes into a tool and what comes out. The SDK does the same
// for its own typed tools, but lets nobody else use it.
type schemas struct {
	in, out *jsonschema.Resolved // out is nil for a tool without structured output
}

// newSchemas fills in the tool's schemas from the types where it has none.
func newSchemas[In, Out any](t *mcp.Tool) (*schemas, error) {
	s := &schemas{}
	var err error
	if reflect.TypeFor[In]() == reflect.TypeFor[any]() && t.InputSchema == nil {
		t.InputSchema = &jsonschema.Schema{Type: "object"}
	}
	if t.InputSchema, s.in, err = resolve(t.InputSchema, reflect.TypeFor[In]()); err != nil {
		return nil, fmt.Errorf("input schema: %w", err)
	}
	if t.OutputSchema == nil && reflect.TypeFor[Out]() == reflect.TypeFor[any]() {
		return s, nil
	}
	if t.OutputSchema, s.out, err = resolve(t.OutputSchema, reflect.TypeFor[Out]()); err != nil {
		return nil, fmt.Errorf("output schema: %w", err)
	}
	return s, nil
}

func resolve(given any, typ reflect.Type) (any, *jsonschema.Resolved, error) {
	var schema *jsonschema.Schema
	switch g := given.(type) {
	case nil:
		for typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		var err error
		if schema, err = jsonschema.ForType(typ, &jsonschema.ForOptions{}); err != nil {
			return nil, nil, err
		}
		given = schema
	case *jsonschema.Schema:
		schema = g
	default:
		raw, err := json.Marshal(g)
		if err == nil {
			err = json.Unmarshal(raw, &schema)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	return given, resolved, err
}

// decode checks arguments, fills in defaults and decodes them into in.
func (s *schemas) decode(arguments json.RawMessage, in any) error {
	values := map[string]any{}
	if len(bytes.TrimSpace(arguments)) > 0 {
		if err := json.Unmarshal(arguments, &values); err != nil {
			return fmt.Errorf(`validating "arguments": %w`, err)
		}
	}
	if values == nil {
		values = map[string]any{} // arguments were null
	}
	if err := s.in.ApplyDefaults(&values); err != nil {
		return fmt.Errorf(`validating "arguments": %w`, err)
	}
	if err := s.in.Validate(values); err != nil {
		return fmt.Errorf(`validating "arguments": %w`, err)
	}
	raw, err := json.Marshal(values)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, in)
}

// encode makes a result of what a handler returned. One that is a result already
// stays as it is.
func (s *schemas) encode(out any) (*mcp.CallToolResult, error) {
	switch out := out.(type) {
	case nil:
		return &mcp.CallToolResult{Content: []mcp.Content{}}, nil
	case *mcp.CallToolResult:
		return out, nil
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("marshaling output: %w", err)
	}
	if s.out != nil {
		var value any
		if err := json.Unmarshal(raw, &value); err != nil {
			return nil, err
		}
		if err := s.out.Validate(value); err != nil {
			return nil, fmt.Errorf("validating tool output: %w", err)
		}
	}
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: string(raw)}},
		StructuredContent: json.RawMessage(raw),
	}, nil
}
