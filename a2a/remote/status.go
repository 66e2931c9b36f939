package remote

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/parley-hq/parley/agent"
)

const (
	// statusTime is how long somebody waits who wants to know how the agent is.
	statusTime = 5 * time.Second
	// brokenFresh is how long it is believed that a card cannot be used, by those who
	// only want to know.
	brokenFresh = 15 * time.Second
)

// Status is how the agent is, by its card: nil, or why nobody can give it a task, in
// words for administrators. It is looked at now unless that was done a moment ago.
func (r *Remote) Status(ctx context.Context) (since time.Time, problem error) {
	r.mu.Lock()
	broken := r.broken
	r.mu.Unlock()
	if broken.err == nil || time.Since(broken.at) > brokenFresh {
		ctx, cancel := context.WithTimeout(ctx, statusTime)
		defer cancel()
		if known, err := r.readCard(ctx); err == nil && r.whole() {
			return known.read, nil
		}
		r.mu.Lock()
		broken = r.broken
		r.mu.Unlock()
	}
	if broken.err == nil {
		return time.Time{}, ctx.Err()
	}
	var public *agent.PublicError
	text := r.opts.Title + " has a card that cannot be read."
	if errors.As(broken.err, &public) {
		reason, advice := ofCard(public)
		text = reason + advice
	}
	return broken.before, errors.New(text)
}

// ofCard is what is wrong with a card, and what to do about it, without what it means for
// a task.
func ofCard(e *agent.PublicError) (reason, advice string) {
	for _, fate := range []string{"; the task was not sent", "; the call was not sent"} {
		if reason, advice, found := strings.Cut(e.Text, fate); found {
			return reason, advice
		}
	}
	return strings.TrimSuffix(e.Text, "."), "."
}

// whole reports whether the card was read when that was last tried.
func (r *Remote) whole() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.broken.err == nil
}
