package redisstore

import (
	"bytes"
	"errors"
	"net"
	"strconv"
)

// What a reply may announce.
const (
	mostBytes = 512 << 20 // of a value: what Redis itself takes at most
	mostParts = 4 << 20   // of a list
	mostDeep  = 8         // lists in lists; a cluster's nodes are told in four
	mostLine  = 64 << 10  // bytes of what is neither
)

var errBounds = errors.New("a length in a reply is none, or more than Redis has")

// bounds reads the lengths in what a server says before the library does, which makes room
// for whatever is announced: ten bytes would end the process, where memory is short of it.
type bounds struct {
	net.Conn
	line []byte // one whose end is still to come
	rest int    // bytes of a value that are still to come
	open []int  // parts that the lists still lack which have begun, the innermost last
}

func (b *bounds) Read(p []byte) (int, error) {
	n, err := b.Conn.Read(p)
	if wrong := b.pass(p[:n]); wrong != nil {
		return 0, wrong
	}
	return n, err
}

func (b *bounds) pass(p []byte) error {
	for len(p) > 0 {
		if skip := min(b.rest, len(p)); skip > 0 {
			b.rest, p = b.rest-skip, p[skip:]
			continue
		}
		line, rest, whole := bytes.Cut(p, []byte("\n"))
		if len(b.line)+len(line) > mostLine {
			return errBounds
		}
		if !whole || len(b.line) > 0 {
			b.line = append(b.line, line...)
			line = b.line
		}
		if p = rest; !whole {
			return nil
		}
		if err := b.begins(line); err != nil {
			return err
		}
		b.line = b.line[:0]
	}
	return nil
}

// begins takes the first line of a reply, or of a part of one. What is wrong in another way
// the library sees itself.
func (b *bounds) begins(line []byte) error {
	if len(line) > 0 && (line[0] == '$' || line[0] == '*') {
		n, err := strconv.Atoi(string(bytes.TrimSuffix(line[1:], []byte("\r"))))
		list := line[0] == '*'
		switch {
		case err != nil, !list && n > mostBytes, list && n > mostParts, list && len(b.open) == mostDeep:
			return errBounds
		case list && n > 0:
			b.open = append(b.open, n)
			return nil
		case !list && n >= 0:
			b.rest = n + len("\r\n")
		}
	}
	for last := len(b.open) - 1; last >= 0; last-- {
		if b.open[last]--; b.open[last] > 0 {
			break
		}
		b.open = b.open[:last]
	}
	return nil
}
