package quietlog

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// often is how often trouble that lasts is told of.
const often = time.Minute

// Trouble tells of work that is done again and again: when it begins to fail, then once
// a minute while it does, and when it is done again. The zero value is ready. It is safe
// for concurrent use.
type Trouble struct {
	mu    sync.Mutex
	told  time.Time // zero: there is no trouble
	since time.Time
	times int // failures
}

// Note takes what came of the work: nil, it was done. message says what was not. When
// ctx is over nothing is told: what fails then is no trouble, and no work is done that could end one.
func (t *Trouble) Note(ctx context.Context, logger *slog.Logger, message string, err error) {
	if ctx.Err() != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	switch {
	case err == nil && t.told.IsZero():
	case err == nil:
		logger.InfoContext(ctx, "trouble over", "was", message, "failures", t.times, "lasted", now.Sub(t.since).Round(time.Millisecond).String())
		t.told, t.times = time.Time{}, 0
	default:
		if t.told.IsZero() {
			t.since = now
		}
		if t.times++; t.told.IsZero() || now.Sub(t.told) >= often {
			t.told = now
			logger.WarnContext(ctx, message, "failures", t.times, "err", err)
		}
	}
}
