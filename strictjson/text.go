package strictjson

import (
	"encoding/json"
	"fmt"
)

// text is read from its beginning. It is known to be JSON, so that every step
// finds what the grammar says must be there.
type text struct {
	raw []byte
	at  int
	max int

	spare []byte // of sort
}

// next skips white space and returns the byte behind it.
func (t *text) next() byte {
	for {
		switch c := t.raw[t.at]; c {
		case ' ', '\t', '\r', '\n':
			t.at++
		default:
			return c
		}
	}
}

func (t *text) value(depth int) (any, error) {
	switch t.next() {
	case '{':
		if depth++; depth > t.max {
			return nil, tooDeep(depth, t.max)
		}
		o, err := t.object(depth)
		if err != nil {
			return nil, err
		}
		return o, nil
	case '[':
		if depth++; depth > t.max {
			return nil, tooDeep(depth, t.max)
		}
		l, err := t.list(depth)
		if err != nil {
			return nil, err
		}
		return l, nil
	case '"':
		return t.string(), nil
	case 't':
		t.at += len("true")
		return true, nil
	case 'f':
		t.at += len("false")
		return false, nil
	case 'n':
		t.at += len("null")
		return nil, nil
	}
	return t.number()
}

func (t *text) number() (any, error) {
	n, err := t.digits()
	if err != nil {
		return nil, err
	}
	return json.Number(n), nil
}

// digits is a number as it is written.
func (t *text) digits() ([]byte, error) {
	from := t.at
	for t.at < len(t.raw) && inNumber[t.raw[t.at]] {
		t.at++
	}
	n := t.raw[from:t.at]
	if !ordinary(n) {
		return nil, &Error{Reason: "is a number too large or too long to work with"}
	}
	return n, nil
}

// inNumber has the characters of numbers.
var inNumber = func() (all [256]bool) {
	for _, c := range []byte("+-.0123456789Ee") {
		all[c] = true
	}
	return all
}()

// string reads a string.
func (t *text) string() string {
	quoted, escaped := t.quoted()
	return unquoted(quoted, escaped)
}

// quoted is a string as it is written, and whether it has escapes.
func (t *text) quoted() (quoted []byte, escaped bool) {
	from := t.at
	end := from + 1
	for t.raw[end] != '"' {
		if t.raw[end] == '\\' {
			escaped = true
			end++
		}
		end++
	}
	t.at = end + 1
	return t.raw[from:t.at], escaped
}

// unquoted is what a string says. Most have no escape; the others are the library's.
func unquoted(quoted []byte, escaped bool) string {
	if !escaped {
		return string(quoted[1 : len(quoted)-1])
	}
	var s string
	if err := json.Unmarshal(quoted, &s); err != nil {
		panic(fmt.Sprintf("strictjson: a string of valid JSON is not one: %v", err))
	}
	return s
}

func (t *text) list(depth int) ([]any, error) {
	list := []any{}
	for t.at++; t.next() != ']'; {
		v, err := t.value(depth)
		if err != nil {
			return nil, within(Item("", len(list)), err)
		}
		list = append(list, v)
		if t.next() == ',' {
			t.at++
		}
	}
	t.at++
	return list, nil
}

func (t *text) object(depth int) (Object, error) {
	members := Object{}
	var names names
	for t.at++; t.next() != '}'; {
		name := t.string()
		if err := names.add(name); err != nil {
			return nil, within(name, err)
		}
		t.next()
		t.at++ // the colon
		v, err := t.value(depth)
		if err != nil {
			return nil, within(name, err)
		}
		members = append(members, Member{name, v})
		if t.next() == ',' {
			t.at++
		}
	}
	t.at++
	return members, nil
}

// names are those of one object, folded. A few are compared one by one.
type names struct {
	few  []folded
	many map[string]string
}

type folded struct{ fold, name string }

func (n *names) add(name string) error {
	const few = 8
	fold := Fold(name)
	other, there := n.many[fold]
	for _, f := range n.few {
		if f.fold == fold {
			other, there = f.name, true
		}
	}
	switch {
	case there && other == name:
		return &Error{Reason: "is given twice"}
	case there:
		return &Error{Reason: fmt.Sprintf("stands beside %.60q, and some programs take one for the other", other)}
	case len(n.few) < few:
		n.few = append(n.few, folded{fold, name})
	default:
		if n.many == nil {
			n.many = map[string]string{}
		}
		n.many[fold] = name
	}
	return nil
}
