package mcpbridge

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// line is one line of input. Of one that is too long only the envelope is known.
type line struct {
	text    []byte
	tooLong bool
	found   envelope // when tooLong
}

// lineReader splits input into lines of limited length.
type lineReader struct {
	in  *bufio.Reader
	max int64
}

func newLineReader(in io.Reader, maxBytes int64) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(in, 64<<10), max: maxBytes}
}

// next returns the next line that is not blank. The last one needs no newline.
func (r *lineReader) next() (line, error) {
	for {
		l, err := r.read()
		if err != nil || l.tooLong || len(l.text) > 0 {
			return l, err
		}
	}
}

func (r *lineReader) read() (line, error) {
	var text []byte
	var scan *envelopeScanner // set once the line is too long
	for {
		part, err := r.in.ReadSlice('\n')
		switch {
		case scan != nil:
			scan.write(part)
		case int64(len(text))+int64(len(bytes.TrimRight(part, "\r\n"))) > r.max:
			scan = new(envelopeScanner)
			scan.write(text)
			scan.write(part)
			text = nil
		default:
			text = append(text, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if scan != nil && (err == nil || errors.Is(err, io.EOF)) {
			return line{tooLong: true, found: scan.found}, nil
		}
		text = bytes.TrimSpace(text)
		if errors.Is(err, io.EOF) && len(text) > 0 {
			err = nil
		}
		return line{text: text}, err
	}
}

// writeLines writes each message with a newline until messages is closed.
func writeLines(out io.Writer, messages <-chan []byte) error {
	for m := range messages {
		if _, err := out.Write(append(m, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// envelope is what must be known of a message to refuse it.
type envelope struct {
	id     []byte // raw JSON; nil if there is none
	method bool   // it has a method: it is no response
}

// envelopeScanner finds the envelope of a message of any size, which it is given
// in parts and does not keep. It expects JSON and on anything else finds
// something or nothing, but never fails.
type envelopeScanner struct {
	found envelope

	depth   int
	quoted  bool   // inside a string
	escaped bool   // after a backslash in it
	value   bool   // after a colon at depth 1
	token   []byte // what was read of a key, or of the id
	key     string
}

// maxToken is the length of the longest id that is found.
const maxToken = 256

func (s *envelopeScanner) write(part []byte) {
	for _, c := range part {
		s.step(c)
	}
}

func (s *envelopeScanner) step(c byte) {
	switch {
	case s.quoted:
		s.keep(c)
		s.quoted = s.escaped || c != '"'
		s.escaped = c == '\\' && !s.escaped
	case c == '"':
		s.quoted = true
		s.keep(c)
	case c == '{' || c == '[':
		s.depth++
		s.keep(c)
	case c == '}' || c == ']':
		if s.depth == 1 {
			s.endMember()
		}
		s.depth--
	case s.depth == 1 && c == ':':
		s.key, s.value, s.token = string(s.token), true, s.token[:0]
		s.found.method = s.found.method || s.key == `"method"`
	case s.depth == 1 && c == ',':
		s.endMember()
	case c == ' ' || c == '\t' || c == '\r' || c == '\n':
	default:
		s.keep(c)
	}
}

// keep adds a byte of a key or value of the message itself, not of what is in it.
func (s *envelopeScanner) keep(c byte) {
	if s.depth == 1 && len(s.token) <= maxToken {
		s.token = append(s.token, c)
	}
}

func (s *envelopeScanner) endMember() {
	if s.value && s.key == `"id"` && len(s.token) <= maxToken {
		if id := rawID(s.token); id != nil {
			s.found.id = bytes.Clone(id)
		}
	}
	s.value, s.token = false, s.token[:0]
}
