package mcpclient

import (
	"bytes"
	"encoding/json"
)

// object is a JSON object whose members can be changed one by one: the others
// stay as they came, and in their order.
type object struct {
	raw     json.RawMessage
	names   []string
	values  map[string]json.RawMessage
	changed bool
}

// readObject returns nil for what is no object, or has a name twice: that means
// one thing to this reader and another to the next.
func readObject(raw json.RawMessage) *object {
	o := &object{raw: raw, values: map[string]json.RawMessage{}}
	once := true
	ok := visit(raw, func(quoted, value []byte) bool {
		name := text(quoted)
		_, twice := o.values[name]
		once = !twice
		o.names = append(o.names, name)
		o.values[name] = value
		return once
	})
	if !ok || !once {
		return nil
	}
	return o
}

// get returns a member, or nil.
func (o *object) get(name string) json.RawMessage { return o.values[name] }

// text returns a member that is a text, or "".
func (o *object) text(name string) string {
	if value := o.get(name); len(value) > 0 && value[0] == '"' {
		return text(value)
	}
	return ""
}

// truth returns a member that is true or false, or nil.
func (o *object) truth(name string) *bool {
	switch string(o.get(name)) {
	case "true":
		return new(true)
	case "false":
		return new(false)
	}
	return nil
}

// set changes a member; nil leaves it out.
func (o *object) set(name string, value json.RawMessage) {
	before, there := o.values[name]
	switch {
	case value == nil && !there, there && bytes.Equal(before, value):
		return
	case !there:
		o.names = append(o.names, name)
	}
	o.values[name], o.changed = value, true
}

// clone is for another set of changes.
func (o *object) clone() *object {
	c := &object{raw: o.raw, names: append([]string(nil), o.names...), values: make(map[string]json.RawMessage, len(o.values)), changed: o.changed}
	for name, value := range o.values {
		c.values[name] = value
	}
	return c
}

// json is the object as it is now: as it came, where nothing was changed.
func (o *object) json() json.RawMessage {
	if !o.changed {
		return o.raw
	}
	b := make([]byte, 0, len(o.raw)+64)
	b = append(b, '{')
	for _, name := range o.names {
		value := o.values[name]
		if value == nil {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(appendText(b, name), ':'), value...)
	}
	return append(b, '}')
}
