package strictjson

import "slices"

// canonical adds the canonical form of the value that comes next to b. No value is kept:
// a list of a million numbers takes as much memory as its text.
func (t *text) canonical(b []byte, depth int) ([]byte, error) {
	switch c := t.next(); c {
	case '{', '[':
		if depth++; depth > t.max {
			return nil, tooDeep(depth, t.max)
		}
		if c == '[' {
			return t.canonicalList(b, depth)
		}
		from := len(b)
		b, members, err := t.members(b, depth)
		if err != nil {
			return nil, err
		}
		return t.sort(b, from, members), nil
	case '"':
		quoted, escaped := t.quoted()
		if !escaped { // as few as JSON allows
			return append(b, quoted...), nil
		}
		return AppendString(b, unquoted(quoted, true), nil), nil
	case 't':
		t.at += len("true")
		return append(b, "true"...), nil
	case 'f':
		t.at += len("false")
		return append(b, "false"...), nil
	case 'n':
		t.at += len("null")
		return append(b, "null"...), nil
	}
	n, err := t.digits()
	if err != nil {
		return nil, err
	}
	return append(b, n...), nil
}

func (t *text) canonicalList(b []byte, depth int) (_ []byte, err error) {
	b = append(b, '[')
	n := 0
	for t.at++; t.next() != ']'; n++ {
		if n > 0 {
			b = append(b, ',')
		}
		if b, err = t.canonical(b, depth); err != nil {
			return nil, within(Item("", n), err)
		}
		if t.next() == ',' {
			t.at++
		}
	}
	t.at++
	return append(b, ']'), nil
}

// written is where a member stands in what was written.
type written struct {
	name              string
	start, value, end int
}

// members adds an object whose members are in the order of the text.
func (t *text) members(b []byte, depth int) (_ []byte, members []written, err error) {
	var names names
	b = append(b, '{')
	for t.at++; t.next() != '}'; {
		if len(members) > 0 {
			b = append(b, ',')
		}
		m := written{start: len(b)}
		quoted, escaped := t.quoted()
		if m.name = unquoted(quoted, escaped); escaped {
			b = AppendString(b, m.name, nil)
		} else {
			b = append(b, quoted...)
		}
		if err := names.add(m.name); err != nil {
			return nil, nil, within(m.name, err)
		}
		t.next()
		t.at++ // the colon
		b = append(b, ':')
		m.value = len(b)
		if b, err = t.canonical(b, depth); err != nil {
			return nil, nil, within(m.name, err)
		}
		m.end = len(b)
		members = append(members, m)
		if t.next() == ',' {
			t.at++
		}
	}
	t.at++
	return append(b, '}'), members, nil
}

// sort puts the members of the object that b has from there on into their order.
func (t *text) sort(b []byte, from int, members []written) []byte {
	order := func(a, b written) int { return compareUTF16(a.name, b.name) }
	if slices.IsSortedFunc(members, order) {
		return b
	}
	t.spare = append(t.spare[:0], b[from:]...)
	slices.SortFunc(members, order)
	b = b[:from+1] // behind the brace
	for i, m := range members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, t.spare[m.start-from:m.end-from]...)
	}
	return append(b, '}')
}
