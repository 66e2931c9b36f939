package stdiobridge

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// steady is how long a stream without events must last to count as one that
// works, and not as one that is refused each time.
const steady = 10 * time.Second

// startListening opens the stream on which a server up to 2025-11-25 sends what
// belongs to no call.
func (b *bridge) startListening(ctx context.Context, s session) {
	if s.version >= modernVersion {
		return
	}
	ctx, stop := context.WithCancel(ctx)
	b.session.mu.Lock()
	if b.session.now.number != s.number {
		b.session.mu.Unlock()
		stop()
		return
	}
	if b.session.stop != nil {
		b.session.stop()
	}
	b.session.stop = stop
	b.session.mu.Unlock()
	b.background.Go(func() {
		defer stop()
		b.listen(ctx, s)
	})
}

// listen reads the stream of a session and opens it again when it ends, until
// the session does or the server has no such stream.
func (b *bridge) listen(ctx context.Context, s session) {
	var at position
	var pause backoff
	for ctx.Err() == nil {
		resp, err := b.get(ctx, s, at)
		if err == nil {
			err = b.hear(ctx, s, resp, &at, &pause)
		}
		var status *statusError
		switch {
		case ctx.Err() != nil:
			return
		case !errors.As(err, &status) || status.code >= 500 || status.code == http.StatusConflict || status.code == http.StatusTooManyRequests:
		case status.code == http.StatusBadRequest && at.lastID != "":
			at.lastID = "" // the server cannot take the stream up there
		default:
			b.stopListening(s, status)
			return
		}
		if err != nil {
			b.opts.Logger.Debug("the stream of the session ended", "err", err)
		}
		pause.sleep(ctx, at.retry)
	}
}

// hear passes on what comes on one stream.
func (b *bridge) hear(ctx context.Context, s session, resp *http.Response, at *position, pause *backoff) error {
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return &statusError{resp.StatusCode, ""}
	}
	began := time.Now()
	defer func() {
		if time.Since(began) > steady {
			pause.reset()
		}
	}()
	return readEvents(resp.Body, b.opts.MaxMessage, at, func(data []byte) bool {
		pause.reset()
		m, err := parseMessage(oneLine(data))
		if err != nil || m.response() {
			b.opts.Logger.Warn("dropped what came on the stream of the session", "err", err)
			return true
		}
		b.send(ctx, forClient(s.number, m))
		return true
	})
}

func (b *bridge) stopListening(s session, status *statusError) {
	switch status.code {
	case http.StatusMethodNotAllowed: // the server has no such stream, which is fine
	case http.StatusNotFound:
		if s.id != "" {
			b.session.lose(s)
		}
	default:
		b.opts.Logger.Warn("messages of the server that belong to no call are not received", "err", status)
	}
}
