package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// answer sends the answer to a request of the server's.
func (c *Conn) answer(ctx context.Context, id, result json.RawMessage, fail *Error) error {
	c.settled(id)
	body, err := answerBody(id, result, fail)
	if err != nil {
		return err
	}
	return c.wire.send(ctx, body, "")
}

// answerTime bounds what the connection sends by itself.
const answerTime = 10 * time.Second

// answerLater answers beside the caller, who is reading and got a token of
// asking.
func (c *Conn) answerLater(id json.RawMessage, work func() (json.RawMessage, *Error)) {
	c.spawn(func() {
		defer func() { <-c.asking }()
		result, fail := work()
		ctx, cancel := context.WithTimeout(c.life.Context(), answerTime)
		defer cancel()
		if err := c.answer(ctx, id, result, fail); err != nil && !errors.Is(err, context.Canceled) {
			c.notices.Tell("server request not answered", "error", err)
		}
	})
}

// maxAside is how long a request of no call may be: some wait at a time, and
// keep all that came with them.
const maxAside = 64 << 10

// ask answers a request of so many bytes that belongs to no call.
func (c *Conn) ask(m Message, size int) {
	if size > maxAside {
		c.notices.Tell("server question too large", "bytes", size)
		c.answerAside(m.ID, func() (json.RawMessage, *Error) {
			return nil, &Error{Code: codeInvalid, Message: fmt.Sprintf("a request that belongs to no call has %d KiB at most", maxAside>>10)}
		})
		return
	}
	c.answerAside(m.ID, func() (json.RawMessage, *Error) {
		if m.Method == "ping" {
			return nil, nil
		}
		return c.opts.Request(m)
	})
}

// answerAside answers beside the caller, who is reading. Of too many at a time the last have
// no answer.
func (c *Conn) answerAside(id json.RawMessage, work func() (json.RawMessage, *Error)) {
	select {
	case c.asking <- struct{}{}:
		c.answerLater(id, work)
	default:
		c.notices.Tell("server questions too many")
	}
}
