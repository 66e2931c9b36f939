package limit

import (
	"log/slog"
	"sync"
	"time"
)

// Notices tells an operator that a limit is reached: at once, and then once in a
// while with how often since. Whoever sends requests does not decide how much is
// logged. Make it with NewNotices; nil ones log nothing.
type Notices struct {
	logger *slog.Logger
	every  time.Duration

	mu  sync.Mutex
	hit map[string]*hits // by the limit's name, of which there are few
}

type hits struct {
	told  time.Time
	since int // hits that no line has told of
}

// NewNotices logs each limit once in every; zero means a minute.
func NewNotices(logger *slog.Logger, every time.Duration) *Notices {
	if every == 0 {
		every = time.Minute
	}
	return &Notices{logger: logger, every: every, hit: map[string]*hits{}}
}

// Hit notes that the limit of this name, as the configuration calls it, has
// refused somebody. Attrs say whom; those of a hit that is not told are lost.
func (n *Notices) Hit(name string, attrs ...any) {
	n.tell(name, "limit reached", append([]any{"limit", name}, attrs...))
}

// Tell logs something else that may happen as often as others like, in the same
// way: once in a while, by its message.
func (n *Notices) Tell(message string, attrs ...any) { n.tell(message, message, attrs) }

// TellOf is Tell for something that happens to several, of which there are few: each has
// its own once in a while.
func (n *Notices) TellOf(whom, message string, attrs ...any) {
	n.tell(message+" "+whom, message, attrs)
}

func (n *Notices) tell(name, message string, attrs []any) {
	if n == nil {
		return
	}
	now := time.Now()
	n.mu.Lock()
	h := n.hit[name]
	if h == nil {
		h = &hits{}
		n.hit[name] = h
	}
	h.since++
	tell, times := h.told.IsZero() || now.Sub(h.told) >= n.every, h.since
	if tell {
		h.told, h.since = now, 0
	}
	n.mu.Unlock()
	if tell {
		n.logger.Warn(message, append([]any{"times", times}, attrs...)...)
	}
}
