package strictjson

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// Decode is json.Unmarshal for what others send, where more may be sent than is read.
// In the objects that become structs a name is given once, and a field's name in its
// own letters: json.Unmarshal takes the last of several, in any letters, and others the
// first. What becomes a json.RawMessage, a map or an any is read as Read does. Members
// that no field has are passed over, whatever they hold, and so is what a type with an
// UnmarshalJSON of its own takes. Members of structs do not count as levels.
//
// An *Error says what two programs read differently; other errors are those of
// json.Unmarshal. After either, into is as json.Unmarshal leaves it.
func Decode(raw []byte, depth int, into any) error {
	err := json.Unmarshal(raw, into)
	var broken *json.SyntaxError
	if errors.As(err, &broken) {
		return err
	}
	t := &text{raw: raw, max: depth}
	if unclear := t.typed(reflect.TypeOf(into).Elem()); unclear != nil {
		return unclear
	}
	return err
}

var (
	rawMessage  = reflect.TypeFor[json.RawMessage]()
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
)

// typed goes past a value that is decoded into a type.
func (t *text) typed(typ reflect.Type) error {
	switch kind := typ.Kind(); {
	case typ == rawMessage, kind == reflect.Interface, kind == reflect.Map:
		from := t.at
		t.skip()
		_, err := Read(t.raw[from:t.at], t.max)
		return err
	case reflect.PointerTo(typ).Implements(unmarshaler):
	case kind == reflect.Pointer:
		return t.typed(typ.Elem())
	case kind == reflect.Struct && t.next() == '{':
		return t.fields(fieldsOf(typ))
	case (kind == reflect.Slice || kind == reflect.Array) && t.next() == '[':
		t.at++
		for i := 0; t.next() != ']'; i++ {
			if err := t.typed(typ.Elem()); err != nil {
				return within(Item("", i), err)
			}
			if t.next() == ',' {
				t.at++
			}
		}
		t.at++
		return nil
	}
	t.skip()
	return nil
}

// field is a field of a struct as JSON names it.
type field struct {
	name string
	typ  reflect.Type
}

// fieldsOf are the fields of a struct by their folded names.
func fieldsOf(typ reflect.Type) map[string]field {
	all := map[string]field{}
	for _, f := range reflect.VisibleFields(typ) {
		tag := f.Tag.Get("json")
		name, _, _ := strings.Cut(tag, ",")
		if !f.IsExported() || tag == "-" || f.Anonymous && name == "" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		all[Fold(name)] = field{name, f.Type}
	}
	return all
}

// fields goes past an object that is decoded into a struct.
func (t *text) fields(known map[string]field) error {
	seen := map[string]bool{}
	for t.at++; t.next() != '}'; {
		quoted, escaped := t.quoted()
		if !utf8.Valid(quoted) || !paired(quoted) {
			return &Error{Reason: "has a name that is not valid Unicode"}
		}
		name := unquoted(quoted, escaped)
		f, ours := known[Fold(name)]
		switch {
		case ours && f.name != name:
			return within(name, &Error{Reason: fmt.Sprintf("is %q in other letters, and some programs take one for the other", f.name)})
		case seen[name]:
			return within(name, &Error{Reason: "is given twice"})
		}
		seen[name] = true
		t.next()
		t.at++ // the colon
		if !ours {
			t.skip()
		} else if err := t.typed(f.typ); err != nil {
			return within(name, err)
		}
		if t.next() == ',' {
			t.at++
		}
	}
	t.at++
	return nil
}

// skip goes past the value that comes next.
func (t *text) skip() {
	for open := 0; ; {
		switch t.next() {
		case '{', '[':
			open++
			t.at++
		case '}', ']':
			open--
			t.at++
		case ',', ':':
			t.at++
		case '"':
			t.quoted()
		default:
			for t.at < len(t.raw) && inWord(t.raw[t.at]) {
				t.at++
			}
		}
		if open == 0 {
			return
		}
	}
}

// inWord reports whether a character is of a number, or of true, false and null.
func inWord(c byte) bool { return inNumber[c] || 'a' <= c && c <= 'z' }
