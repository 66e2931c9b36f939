package audit

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/parley-hq/parley"
)

// due is an entry that is not in the chain yet, or the question that it will be about.
type due struct {
	Question parley.ID `json:"question,omitempty"`
	Tenant   string    `json:"tenant,omitempty"` // of the question
	To       string    `json:"to,omitempty"`     // whose it is
	Entry    *Entry    `json:"entry,omitempty"`
	Begun    bool      `json:"begun,omitempty"` // nobody knows yet whether it was done
	Since    time.Time `json:"since"`

	key     string
	version int64
}

func dueAt(key string) parley.Address { return parley.Address{Kind: dueKind, Key: key} }

func decodeDue(r parley.Record) (d due, err error) {
	err = json.Unmarshal(r.Data, &d)
	d.key, d.version = r.Key, r.Version
	if err == nil && d.Entry == nil && !d.Question.Valid() {
		err = errors.New("it is about nothing")
	}
	return d, err
}

// keepDue stores a due. One that is there already stays as it is.
func (l *Log) keepDue(ctx context.Context, key string, d due) (version int64, err error) {
	d.Since = now()
	err = persistent(ctx, func() (err error) {
		version, err = l.records.Save(ctx, parley.Record{Address: dueAt(key), Data: encode(d)})
		if errors.Is(err, parley.ErrExists) {
			err = nil // as it was, or by an attempt whose reply was lost
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("audit: %w", err)
	}
	return version, nil
}

// Hooks see to it that each question that is settled has its entry: give them to the
// hub, outside of its other hooks. A question is not settled while its due cannot be
// stored.
func (l *Log) Hooks() []parley.Hook {
	return []parley.Hook{parley.Around(parley.AnsweringPublish, func(ctx context.Context, a *parley.Answering, next parley.Step[parley.Answering]) error {
		key := questionDue(a.ID)
		d := due{Question: a.ID, Tenant: a.Request.Tenant, To: a.Request.To, key: key}
		if _, err := l.keepDue(ctx, key, d); err != nil {
			return err
		}
		err := next(ctx, a)
		l.hint(d) // also after an error: it may be settled all the same
		return err
	})}
}

func questionDue(id parley.ID) string { return "question." + string(id) }

// Record takes a deed down: it is a parley.Recorder. When it returns nil the deed
// will be in the chain, whatever happens to this process.
func (l *Log) Record(ctx context.Context, d parley.Deed) error {
	e, key := entry(d), rand.Text()
	written := due{Entry: &e, key: key}
	if _, err := l.keepDue(ctx, key, written); err != nil {
		return err
	}
	l.hint(written)
	return nil
}

// End says how something ended that was begun.
type End = parley.DeedEnd

// Begin takes down that something is about to be done, of which it is not known whether
// it will be: it is a parley.Beginner. Whoever does it calls end afterwards. Where a process
// dies before that, the chain has it with the outcome "unknown".
func (l *Log) Begin(ctx context.Context, d parley.Deed) (end End, err error) {
	e, key := entry(d), rand.Text()
	version, err := l.keepDue(ctx, key, due{Entry: &e, Begun: true})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, target string, done bool) error {
		if target != "" {
			e.Target = parley.KeptName(target)
		}
		err := persistent(ctx, func() error {
			if !done {
				return ignore(l.records.Delete(ctx, dueAt(key), 0), parley.ErrNotFound)
			}
			_, err := l.records.Save(ctx, parley.Record{Address: dueAt(key), Version: version, Data: encode(due{Entry: &e, Since: now()})})
			return ignore(err, parley.ErrConflict) // it took so long that it is unknown, or its reply was lost
		})
		if err != nil {
			return fmt.Errorf("audit: %w", err)
		}
		if done {
			l.hint(due{key: key}) // another process may have dealt with it
		}
		return nil
	}, nil
}

// hint has Run look at a due at once. One with nothing but its key is read first.
func (l *Log) hint(d due) {
	l.mu.Lock()
	if len(l.fresh) >= mostKept {
		d = due{key: d.key}
	}
	if len(l.fresh) < mostFresh { // others are found by looking for all
		l.fresh = append(l.fresh, d)
	}
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// How many dues a process remembers: as they are, and by their keys.
const (
	mostKept  = 1000
	mostFresh = 100_000
)

// resolve makes the entry of a due. ok is false while there is none.
func (l *Log) resolve(ctx context.Context, d due) (e Entry, ok bool, err error) {
	if d.Entry != nil {
		e = *d.Entry
		if d.Begun {
			e.Outcome = "unknown"
		}
		return e, !d.Begun || time.Since(d.Since) >= l.opts.Unknown, nil
	}
	if d.To != "" {
		r, err := l.hub.Get(ctx, parley.OwnerOf(d.Tenant, d.To), d.Question)
		if err == nil {
			return l.settled(r, &r)
		}
	}
	r, err := l.store.Get(ctx, d.Question)
	switch {
	case errors.Is(err, parley.ErrNotFound):
		// Nothing is forgotten but what was settled, a long time after: no process
		// has run since.
		return entry(parley.Deed{
			Tenant: d.Tenant, At: d.Since, What: questionWhat, Question: d.Question, Outcome: "unknown", Reason: "forgotten",
		}), true, nil
	case err != nil || r.Pending():
		return e, false, err
	}
	plain, err := l.hub.Get(ctx, parley.OwnerOf(r.Tenant, r.To), r.ID)
	var shown *parley.Request
	switch {
	case err == nil:
		r, shown = plain, &plain
	case !unreadable(err):
		return e, false, err
	}
	return l.settled(r, shown)
}

// settled makes the entry of a question; there is none while it is pending: whoever was
// about to settle it has not, or not yet.
func (l *Log) settled(r parley.Request, shown *parley.Request) (e Entry, ok bool, err error) {
	if r.Pending() {
		return e, false, nil
	}
	var about parley.Deed
	if l.opts.About != nil {
		about = l.opts.About(r)
	}
	return outcome(r, shown, about), true, nil
}

func ignore(err, harmless error) error {
	if errors.Is(err, harmless) {
		return nil
	}
	return err
}
