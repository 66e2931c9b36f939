package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
)

// book is what the servers know about their calls, by token.
type book struct {
	mu     sync.Mutex
	calls  map[string]*entry
	states map[string]round // by requestState; each is good once
}

// entry is one call of a client's, however often it was sent.
type entry struct {
	Began   int `json:"began"`   // how often the tool was entered
	Done    int `json:"done"`    // how often it came to its end with the person's consent, or without a question
	Refused int `json:"refused"` // how often the person's no ended it
	Expired int `json:"expired"` // how often the server waited no longer
	Stopped int `json:"stopped"` // how often its client cancelled it

	visited bool
	over    bool   // nobody waits for its answer any more
	stop    func() // ends the question that waits
	stopped chan struct{}
}

// round is what a requestState stands for.
type round struct {
	tool, token string
	stage       int
	name        string
}

func newBook() *book { return &book{calls: map[string]*entry{}, states: map[string]round{}} }

func (b *book) at(token string) *entry {
	if b.calls[token] == nil {
		b.calls[token] = &entry{stopped: make(chan struct{})}
	}
	return b.calls[token]
}

func (b *book) change(token string, change func(*entry)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change(b.at(token))
}

func (b *book) began(token string) { b.change(token, func(e *entry) { e.Began++ }) }

// ended writes down how a call ended.
func (b *book) ended(token, action string) {
	b.change(token, func(e *entry) {
		if action == "accept" {
			e.Done++
		} else {
			e.Refused++
		}
	})
}

// stopped writes down that a call was cancelled.
func (b *book) stopped(token string) { b.change(token, func(e *entry) { e.Stopped++ }) }

// limited returns a context for a question that /expire ends.
func (b *book) limited(ctx context.Context, token string) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	b.change(token, func(e *entry) { e.stop = cancel })
	return ctx, cancel
}

// late reports whether nobody waits for an answer any more, and writes it down.
func (b *book) late(token string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.at(token)
	if e.over {
		if e.Expired++; e.Expired == 1 {
			close(e.stopped)
		}
	}
	return e.over
}

func (b *book) visited(token string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.at(token).visited
}

// mint returns the requestState for a round.
func (b *book) mint(r round) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	state := rand.Text()
	b.states[state] = r
	return state
}

// redeem returns the round that a requestState stands for, once.
func (b *book) redeem(state string) (round, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r, ok := b.states[state]
	delete(b.states, state)
	return r, ok
}

func (b *book) show(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(b.at(r.FormValue("token")))
}

func (b *book) visit(w http.ResponseWriter, r *http.Request) {
	b.change(r.PathValue("token"), func(e *entry) { e.visited = true })
	fmt.Fprintln(w, "Thank you. You may close this page.")
}

// expire ends the server's patience. Where a question waits on an open call it
// returns when the server has taken the question back.
func (b *book) expire(w http.ResponseWriter, r *http.Request) {
	var stop func()
	var stopped chan struct{}
	b.change(r.FormValue("token"), func(e *entry) { e.over, stop, stopped = true, e.stop, e.stopped })
	if stop == nil {
		return
	}
	stop()
	select {
	case <-stopped:
	case <-r.Context().Done():
	}
}
