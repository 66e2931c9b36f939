package mcpclient

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
)

// valueScan finds the end of one JSON value that comes in pieces. It sees that
// brackets and strings match and that nothing else stands between them than JSON
// has there: what was scanned cannot be taken for more than one value.
type valueScan struct {
	open    []byte // the brackets that are to come, innermost last
	text    bool   // within a string
	escaped bool   // after a backslash
	word    bool   // within a number, true, false or null that stands alone
}

var errNoValue = fmt.Errorf("%w: this is no JSON", ErrProtocol)

// feed takes the next piece. It returns how many of its bytes belong to the value,
// and whether the value is over.
func (s *valueScan) feed(b []byte) (n int, over bool, err error) {
	for i := 0; i < len(b); {
		c := b[i]
		switch {
		case s.text:
			if i, err = s.string(b, i); err != nil {
				return i, false, err
			}
			if !s.text && len(s.open) == 0 {
				return i, true, nil
			}
			continue
		case c == '"':
			s.text = true
		case c == '{' || c == '[':
			if len(s.open) == maxDepth {
				return i, false, errNoValue
			}
			s.open = append(s.open, c+2) // its counterpart in ASCII
		case c == '}' || c == ']':
			if s.word && len(s.open) == 0 {
				return i, true, nil
			}
			if len(s.open) == 0 || s.open[len(s.open)-1] != c {
				return i, false, errNoValue
			}
			if s.open = s.open[:len(s.open)-1]; len(s.open) == 0 {
				return i + 1, true, nil
			}
		case blank(c) || c == ',' || c == ':':
			if s.word && len(s.open) == 0 {
				return i, true, nil
			}
			if len(s.open) == 0 && !blank(c) {
				return i, false, errNoValue
			}
		case plain(c):
			s.word = s.word || len(s.open) == 0
		default:
			return i, false, errNoValue
		}
		i++
	}
	return len(b), false, nil
}

// string goes on within a string, to behind its end if that comes.
func (s *valueScan) string(b []byte, i int) (int, error) {
	for i < len(b) {
		if s.escaped {
			s.escaped = false
			i++
			continue
		}
		for i+8 <= len(b) {
			if m := special(binary.LittleEndian.Uint64(b[i:])); m != 0 {
				i += bits.TrailingZeros64(m) / 8
				break
			}
			i += 8
		}
		if i >= len(b) {
			break
		}
		switch c := b[i]; {
		case c == '"':
			s.text = false
			return i + 1, nil
		case c == '\\':
			s.escaped = true
		case c < 0x20:
			return i, errNoValue
		}
		i++
	}
	return i, nil
}

func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// plain reports whether c may be a part of a number, true, false or null.
func plain(c byte) bool {
	return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c >= 'a' && c <= 'z' || c == 'E'
}

// Value reads one JSON value from a stream, to its end: then Read returns io.EOF,
// and the stream goes on behind the value. Spaces before it are a part of it.
type Value struct {
	from *bufio.Reader
	scan valueScan
	over bool
}

// NewValue reads the next value of a stream.
func NewValue(from *bufio.Reader) *Value { return &Value{from: from} }

// Read implements io.Reader.
func (v *Value) Read(p []byte) (int, error) {
	if v.over {
		return 0, io.EOF
	}
	if _, err := v.from.Peek(1); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return 0, err
	}
	ahead, _ := v.from.Peek(v.from.Buffered())
	n, over, err := v.scan.feed(ahead[:min(len(ahead), len(p))])
	copy(p, ahead[:n])
	_, _ = v.from.Discard(n)
	if v.over = over; over && n == 0 {
		err = io.EOF
	}
	return n, err
}
