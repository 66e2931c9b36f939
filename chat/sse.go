package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// writeWait is how long a client may take to receive something before it counts
// as gone. It replaces the server's own limit, which would end every stream.
const writeWait = 30 * time.Second

// errGone says that nobody receives what is sent.
var errGone = errors.New("the client is gone")

const streamHeader = "x-vercel-ai-ui-message-stream"

// eventStream writes server-sent events.
type eventStream struct {
	w   http.ResponseWriter
	rc  *http.ResponseController
	buf bytes.Buffer

	more func() bool // the next value is at hand, and may go out with this one; nil: it never is
}

// full is how much is held back at most.
const full = 16 << 10

// openStream begins to answer with events.
func openStream(w http.ResponseWriter, r *http.Request) *eventStream {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no")
	if r.ProtoMajor == 1 {
		h.Set("Connection", "keep-alive")
	}
	return &eventStream{w: w, rc: http.NewResponseController(w)}
}

// send writes one event for each value, and lets the client have them.
func (s *eventStream) send(values ...any) error {
	for _, v := range values {
		s.buf.WriteString("data: ")
		if err := encode(&s.buf, v); err != nil {
			return err
		}
		s.buf.WriteByte('\n')
	}
	if s.more != nil && s.more() && s.buf.Len() < full {
		return nil
	}
	return s.flush()
}

// encode writes a value as one line of JSON that people can read: it never goes
// into a page as it is.
func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// beat writes a comment, so that nobody on the way takes the stream for dead.
func (s *eventStream) beat() error {
	s.buf.WriteString(": keep-alive\n\n")
	return s.flush()
}

// done writes the end that clients of AI APIs look for.
func (s *eventStream) done() error {
	s.buf.WriteString("data: [DONE]\n\n")
	return s.flush()
}

func (s *eventStream) flush() error {
	if s.buf.Len() == 0 {
		return nil
	}
	_ = s.rc.SetWriteDeadline(time.Now().Add(writeWait)) // where that is not possible, the server's limit holds
	_, err := s.w.Write(s.buf.Bytes())
	s.buf.Reset()
	if err == nil {
		err = s.rc.Flush()
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errGone, err)
	}
	return nil
}
