package mcpclient

import (
	"encoding/json"
	"slices"
)

// input checks the input schema of a tool. Arguments are always an object, so one
// that does not say so can be made to.
func (m *mender) input() (reason string) {
	raw := m.object.get("inputSchema")
	if raw == nil || isNull(raw) {
		m.object.set("inputSchema", json.RawMessage(`{"type":"object"}`))
		return ""
	}
	schema := readObject(raw)
	if schema == nil {
		return "its input schema is none"
	}
	if !takesObjects(schema.get("type")) {
		return "its input schema takes no object"
	}
	schema.set("type", json.RawMessage(`"object"`))
	for _, part := range []struct {
		member string
		check  checker
	}{{"$schema", aText}, {"properties", properties}, {"required", listOf(aText)}} {
		value := schema.get(part.member)
		if value == nil {
			continue
		}
		mended, wrong := part.check(value)
		if wrong != "" && !isNull(value) {
			m.leaveOut("inputSchema."+part.member, wrong)
		}
		schema.set(part.member, mended)
	}
	m.object.set("inputSchema", schema.json())
	if spelled := spelledOut(schema); spelled != nil {
		m.forOlder().set("inputSchema", spelled.json())
	}
	return ""
}

// forOlder is the entry for clients of older eras.
func (m *mender) forOlder() *object {
	if m.older == nil {
		m.older = m.object.clone()
	}
	return m.older
}

// takesObjects reports whether a schema with this type may take an object.
func takesObjects(kind json.RawMessage) bool {
	if kind == nil || kind[0] == '"' && equals(kind, "object") {
		return true
	}
	takes := false
	ok := elements(kind, func(one []byte) bool {
		takes = takes || one[0] == '"' && equals(one, "object")
		return true
	})
	return ok && takes
}

// properties checks those of a schema. What is no schema says nothing.
func properties(raw json.RawMessage) (json.RawMessage, string) {
	o := readObject(raw)
	if o == nil {
		return nil, "they are no object, or have a name twice"
	}
	wrong := ""
	for _, name := range slices.Clone(o.names) {
		if value := o.get(name); !isSchema(value) {
			o.set(name, json.RawMessage("{}"))
			wrong = "one of them is no schema"
		}
	}
	return o.json(), wrong
}

func isSchema(raw json.RawMessage) bool {
	return len(raw) > 0 && (raw[0] == '{' || string(raw) == "true" || string(raw) == "false")
}

// spelledOut returns a schema whose properties have no true and false for
// schemas, which older clients do not take, or nil if it has none.
func spelledOut(schema *object) *object {
	o := readObject(schema.get("properties"))
	if o == nil {
		return nil
	}
	for _, name := range slices.Clone(o.names) {
		switch string(o.get(name)) {
		case "true":
			o.set(name, json.RawMessage("{}"))
		case "false":
			o.set(name, json.RawMessage(`{"not":{}}`))
		}
	}
	if !o.changed {
		return nil
	}
	spelled := schema.clone()
	spelled.set("properties", o.json())
	return spelled
}

// output checks the output schema of a tool. Older clients compile those of all
// tools at once, and one that does not compile costs them the list: they get
// only what surely does, and only objects.
func (m *mender) output() {
	raw := m.object.get("outputSchema")
	if raw == nil || isNull(raw) {
		m.dropOutput()
		return
	}
	schema := readObject(raw)
	if schema == nil {
		m.leaveOut("outputSchema", "it is no object, or has a name twice")
		m.dropOutput()
		return
	}
	switch flaw := flawOf(raw); {
	case flaw.broken:
		m.leaveOut("outputSchema", flaw.reason)
		m.dropOutput()
	case flaw.reason != "":
		m.leaveOut("outputSchema for older clients", flaw.reason)
		m.forOlder().set("outputSchema", nil)
	case schema.get("type") != nil && schema.get("type")[0] == '"' && equals(schema.get("type"), "object"):
		if spelled := spelledOut(schema); spelled != nil {
			m.forOlder().set("outputSchema", spelled.json())
		}
	default:
		m.Wraps = true
		m.forOlder().set("outputSchema", wrapSchema(schema))
	}
}

func (m *mender) dropOutput() {
	m.object.set("outputSchema", nil)
	if m.older != nil {
		m.older.set("outputSchema", nil)
	}
}
