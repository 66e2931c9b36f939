package mcpclient

import (
	"encoding/binary"
	"encoding/json"
	"math/bits"
)

// maxDepth is how deep arrays and objects may nest.
const maxDepth = 1000

// space returns the index of the first byte from i on that is no white space.
func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// skip returns the index after the value that starts at i, or -1 if there is no
// valid one.
func skip(b []byte, i, depth int) int {
	if i >= len(b) || depth > maxDepth {
		return -1
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{':
		return skipAll(b, i, depth, '}', true)
	case '[':
		return skipAll(b, i, depth, ']', false)
	case 't':
		return skipWord(b, i, "true")
	case 'f':
		return skipWord(b, i, "false")
	case 'n':
		return skipWord(b, i, "null")
	}
	return skipNumber(b, i)
}

// skipAll skips an array or an object.
func skipAll(b []byte, i, depth int, end byte, named bool) int {
	if i = space(b, i+1); i < len(b) && b[i] == end {
		return i + 1
	}
	for {
		if named {
			if i >= len(b) || b[i] != '"' {
				return -1
			}
			if i = skipString(b, i); i < 0 {
				return -1
			}
			if i = space(b, i); i >= len(b) || b[i] != ':' {
				return -1
			}
			i = space(b, i+1)
		}
		if i = skip(b, i, depth+1); i < 0 {
			return -1
		}
		if i = space(b, i); i >= len(b) {
			return -1
		}
		if b[i] == end {
			return i + 1
		}
		if b[i] != ',' {
			return -1
		}
		i = space(b, i+1)
	}
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special marks, by its lowest set bit, the first of eight bytes that is a
// quote, a backslash or a control character. Higher marks may be wrong, because
// a borrow reaches them.
func special(w uint64) uint64 {
	quote := w ^ ones*'"'
	slash := w ^ ones*'\\'
	return ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*0x20)&^w) & highs
}

// skipString skips the string whose quote is at i. Long texts are most of what
// is relayed, so it looks at eight bytes at a time.
func skipString(b []byte, i int) int {
	for i++; ; {
		for i+8 <= len(b) {
			if m := special(binary.LittleEndian.Uint64(b[i:])); m != 0 {
				i += bits.TrailingZeros64(m) / 8
				break
			}
			i += 8
		}
		if i >= len(b) {
			return -1
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1
		case c == '\\':
			if i = skipEscape(b, i+1); i < 0 {
				return -1
			}
		case c < 0x20:
			return -1
		default:
			i++
		}
	}
}

func skipEscape(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1
	case 'u':
		if i+5 > len(b) {
			return -1
		}
		for _, c := range b[i+1 : i+5] {
			if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
				return -1
			}
		}
		return i + 5
	}
	return -1
}

func skipWord(b []byte, i int, word string) int {
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return -1
	}
	return i + len(word)
}

func skipDigits(b []byte, i int) int {
	start := i
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

func skipNumber(b []byte, i int) int {
	if b[i] == '-' {
		i++
	}
	if i < len(b) && b[i] == '0' {
		i++
	} else if i = skipDigits(b, i); i < 0 {
		return -1
	}
	if i < len(b) && b[i] == '.' {
		if i = skipDigits(b, i+1); i < 0 {
			return -1
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		return skipDigits(b, i)
	}
	return i
}

// visit calls each for every member of the object in b, in order, until it
// returns false. It reports whether b, as far as it looked, is one valid object.
// The name has its quotes; equals compares it.
func visit(b []byte, each func(name, value []byte) bool) bool {
	end, left := members(b, space(b, 0), func(_ []byte, i int) int { return skip(b, i, 1) }, each)
	return left || end >= 0 && space(b, end) == len(b)
}

// members is visit for the object that starts at i, whose values skip skips. It
// returns the index after it, or -1 where there is none; left: each has returned false.
func members(b []byte, i int, skip func(name []byte, i int) int, each func(name, value []byte) bool) (end int, left bool) {
	if i >= len(b) || b[i] != '{' {
		return -1, false
	}
	if i = space(b, i+1); i < len(b) && b[i] == '}' {
		return i + 1, false
	}
	for {
		if i >= len(b) || b[i] != '"' {
			return -1, false
		}
		end := skipString(b, i)
		if end < 0 {
			return -1, false
		}
		name := b[i:end]
		if i = space(b, end); i >= len(b) || b[i] != ':' {
			return -1, false
		}
		i = space(b, i+1)
		if end = skip(name, i); end < 0 {
			return -1, false
		}
		if !each(name, b[i:end]) {
			return -1, true
		}
		if i = space(b, end); i >= len(b) {
			return -1, false
		}
		if b[i] == '}' {
			return i + 1, false
		}
		if b[i] != ',' {
			return -1, false
		}
		i = space(b, i+1)
	}
}

// elements calls each for every element of the array in b, in order, until it
// returns false. It reports whether b, as far as it looked, is one valid array.
func elements(b []byte, each func(value []byte) bool) bool {
	i := space(b, 0)
	if i >= len(b) || b[i] != '[' {
		return false
	}
	if i = space(b, i+1); i < len(b) && b[i] == ']' {
		return space(b, i+1) == len(b)
	}
	for {
		end := skip(b, i, 1)
		if end < 0 {
			return false
		}
		if !each(b[i:end]) {
			return true
		}
		if i = space(b, end); i >= len(b) {
			return false
		}
		if b[i] == ']' {
			return space(b, i+1) == len(b)
		}
		if b[i] != ',' {
			return false
		}
		i = space(b, i+1)
	}
}

// text decodes a valid JSON string.
func text(quoted []byte) string {
	plain := quoted[1 : len(quoted)-1]
	for _, c := range plain {
		if c == '\\' || c >= 0x80 {
			var s string
			_ = json.Unmarshal(quoted, &s) // it was scanned
			return s
		}
	}
	return string(plain)
}

// equals compares a valid JSON string with a plain one.
func equals(quoted []byte, plain string) bool {
	inner := quoted[1 : len(quoted)-1]
	if string(inner) == plain {
		return true
	}
	if len(inner) <= len(plain) { // an escape is longer than what it stands for
		return false
	}
	for _, c := range inner {
		if c == '\\' {
			return text(quoted) == plain
		}
	}
	return false
}
