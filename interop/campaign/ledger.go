package main

import (
	"fmt"
	"sync"
	"time"
)

// ledger is what the servers know about the calls, by key.
type ledger struct {
	striking sync.WaitGroup // strikes that have begun

	mu      sync.Mutex
	entries map[string]*entry
	calls   map[string]*call
}

// entry is what is true of a call: how often the server got it, how often it was
// carried out, how often the person said yes to it, and how often it was approved.
type entry struct {
	began, done, consents, allowed int
	story                          []event // that a person may read
}

// event is something that happened to a call.
type event struct {
	at   time.Time
	what string
}

func newLedger() *ledger { return &ledger{entries: map[string]*entry{}, calls: map[string]*call{}} }

// expect makes a call known before it is made.
func (l *ledger) expect(c *call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls[c.key], l.entries[c.key] = c, &entry{}
}

func (l *ledger) began(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.entries[key]; e != nil {
		e.began++
		e.tell("the server has it")
	}
}

func (l *ledger) carriedOut(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.entries[key]; e != nil {
		e.done++
		e.tell("the server carried it out")
	}
}

func (l *ledger) consented(key string) { l.count(key, 1, 0) }

// count counts yeses to a call and approvals of it; those that were not taken are
// below zero.
func (l *ledger) count(key string, consents, allowed int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.entries[key]; e != nil {
		e.consents += consents
		e.allowed += allowed
	}
}

// tell adds to the story of a call.
func (l *ledger) tell(key, format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.entries[key]; e != nil {
		e.tell(fmt.Sprintf(format, args...))
	}
}

func (e *entry) tell(what string) { e.story = append(e.story, event{time.Now(), what}) }

func (l *ledger) of(key string) entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return *l.entries[key]
}

// reach says that a call has come to a phase: what is to strike then does, before
// the call goes on.
func (l *ledger) reach(key, phase string) {
	l.mu.Lock()
	c := l.calls[key]
	var strike func()
	if c != nil {
		strike = c.strike[phase]
		delete(c.strike, phase)
	}
	if strike != nil {
		l.striking.Add(1)
	}
	l.mu.Unlock()
	if strike != nil {
		defer l.striking.Done()
		strike()
	}
}

// fated returns how the server's answer to a call ends, once, if it ends in this
// phase.
func (l *ledger) fated(key, phase string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.calls[key]
	if c == nil || c.fate == "" || c.fated != phase {
		return ""
	}
	fate := c.fate
	c.fate = ""
	return fate
}

// fate is how the server's next answer to a call will end.
func (l *ledger) fate(key string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.calls[key]; c != nil {
		return c.fate
	}
	return ""
}
