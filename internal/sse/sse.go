// Package sse reads server-sent events, as clients of MCP servers and of models
// get them: by lines, with a limit on each event, and nothing kept of a stream
// but the event that is read.
//
//	events := sse.NewEvents(response.Body, limit)
//	defer events.Free()
//	data, err := events.Next()
//
// An Events is for one goroutine.
package sse

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"sync"
	"time"
)

// maxField is how long an event's id or name may be; longer ones are not kept.
const maxField = 1 << 10

// readers are the buffers of streams that are being read: most lines are short,
// and many streams only wait. A line that is longer goes on in a wide one, which
// takes more from the connection at a time.
var (
	readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 4<<10) }}
	wide    = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 64<<10) }}
)

// Events reads server-sent events. Lines end with a line feed, with or without
// a carriage return before it; a carriage return alone ends none, because it
// would mean to look at every byte of a message twice, and nobody sends it.
type Events struct {
	Last  string        // the id of the last complete event
	Retry time.Duration // what the server asked to wait before it is asked again; 0: it did not
	Name  string        // of the event that Next returned; "" where it has none

	Named bool // Next returns events of every name; default: messages alone
	Large int  // from how many bytes on Next leaves the rest of an event's only line to the caller; 0: never

	from  io.Reader
	r     *bufio.Reader // over from; nil after Free
	pool  *sync.Pool    // whose r is
	limit int64         // of an event's data
	begun bool
}

var (
	// ErrTooLarge: an event has more bytes than the limit.
	ErrTooLarge = errors.New("message too large")
	// ErrLarge is how Next leaves the rest of a line to the caller, with what was
	// read of it: [Events.Read] has the rest.
	ErrLarge = errors.New("the event is large")
)

// NewEvents reads the events of r; the data of each is at most limit bytes. Call
// Free in the end.
func NewEvents(r io.Reader, limit int64) *Events {
	e := &Events{from: r, limit: limit}
	e.use(&readers)
	return e
}

// use reads on with a buffer of another size. The one before is empty.
func (e *Events) use(pool *sync.Pool) {
	if e.pool == pool {
		return
	}
	e.Free()
	e.r, e.pool = pool.Get().(*bufio.Reader), pool
	e.r.Reset(e.from)
}

// Free gives the buffer back. It may be called twice.
func (e *Events) Free() {
	if e.r != nil {
		e.r.Reset(nil)
		e.pool.Put(e.r)
		e.r = nil
	}
}

// event is one event while it is read.
type event struct {
	data   []byte
	lines  int // of data
	id     string
	hasID  bool
	name   string
	ignore bool // it has a name that Next does not return
}

// Next returns the data of the next event that has some. At the end of the
// stream it is io.EOF, together with the data of an event that lacks only its
// last empty line. Data longer than the limit is ErrTooLarge.
func (e *Events) Next() ([]byte, error) {
	var ev event
	for {
		empty, err := e.line(&ev)
		if err != nil {
			if (errors.Is(err, io.EOF) || err == ErrLarge) && !ev.ignore && len(ev.data) > 0 {
				e.Name = ev.name
				return ev.data, err
			}
			return nil, err
		}
		if !empty {
			continue
		}
		if ev.hasID {
			e.Last = ev.id
		}
		if e.r.Buffered() == 0 {
			e.use(&readers) // a stream that waits keeps no wide one
		}
		if len(ev.data) > 0 && !ev.ignore {
			e.Name = ev.name
			return ev.data, nil
		}
		ev = event{}
	}
}

// line reads one line into the event. It reports whether it was empty.
func (e *Events) line(ev *event) (bool, error) {
	piece, err := e.r.ReadSlice('\n')
	if !e.begun && len(piece) > 0 {
		e.begun = true
		piece = bytes.TrimPrefix(piece, []byte("\xef\xbb\xbf"))
	}
	whole := err == nil
	if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
		if !errors.Is(err, io.EOF) || len(piece) == 0 {
			return false, err
		}
		whole = true // the last line, without an end; EOF comes again
	}
	if whole {
		if piece = trimEnd(piece); len(piece) == 0 {
			return true, nil
		}
	}
	name, value, _ := bytes.Cut(piece, []byte{':'})
	value = bytes.TrimPrefix(value, []byte{' '})
	if string(name) == "data" {
		return false, e.data(ev, value, whole)
	}
	if !whole {
		return false, e.rest(nil)
	}
	e.field(ev, name, value)
	return false, nil
}

func trimEnd(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'})
}

// data adds a line of data, which goes on in the reader if it is not whole.
func (e *Events) data(ev *event, value []byte, whole bool) error {
	if ev.lines++; ev.lines > 1 {
		ev.data = append(ev.data, '\n')
	}
	if int64(len(ev.data)+len(value)) > e.limit {
		return ErrTooLarge
	}
	if ev.data == nil && whole {
		ev.data = make([]byte, 0, len(value))
	}
	ev.data = append(ev.data, value...)
	if whole {
		return nil
	}
	return e.rest(ev)
}

// rest reads a line to its end, into the event's data if there is one.
func (e *Events) rest(ev *event) error {
	e.use(&wide) // the buffer was full, and all of it was taken
	for {
		piece, err := e.r.ReadSlice('\n')
		if ev != nil {
			if int64(len(ev.data)+len(piece)) > e.limit+2 {
				return ErrTooLarge
			}
			ev.data = append(ev.data, piece...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			if ev != nil && e.Large > 0 && ev.lines == 1 && !ev.ignore && len(ev.data) >= e.Large {
				return ErrLarge
			}
			continue
		}
		if ev != nil {
			ev.data = trimEnd(ev.data)
		}
		return err
	}
}

// Read reads on in the line that Next left, to its end.
func (e *Events) Read(p []byte) (int, error) {
	if e.r == nil {
		return 0, io.ErrUnexpectedEOF
	}
	if len(p) == 0 {
		return 0, nil
	}
	c, err := e.r.ReadByte()
	if err != nil {
		return 0, err
	}
	if c == '\n' {
		return 0, io.EOF
	}
	p[0] = c
	ahead, _ := e.r.Peek(min(e.r.Buffered(), len(p)-1))
	if end := bytes.IndexByte(ahead, '\n'); end >= 0 {
		ahead = ahead[:end]
	}
	n := copy(p[1:], ahead)
	_, _ = e.r.Discard(n)
	return n + 1, nil
}

func (e *Events) field(ev *event, name, value []byte) {
	if len(value) > maxField {
		return
	}
	switch string(name) {
	case "event":
		if ev.name = "message"; string(value) != ev.name { // which is what most have
			ev.name = string(value)
		}
		ev.ignore = !e.Named && ev.name != "" && ev.name != "message"
	case "id":
		if bytes.IndexByte(value, 0) < 0 {
			ev.id, ev.hasID = string(value), true
		}
	case "retry":
		if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
			e.Retry = time.Duration(ms) * time.Millisecond
		}
	}
}
