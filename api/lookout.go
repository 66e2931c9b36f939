package api

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/quietlog"
)

const (
	// lookEvery is how often questions of other processes are looked for: no store
	// tells of them. Those that are opened here, and what is settled anywhere, is told
	// by the hub.
	lookEvery = 300 * time.Millisecond
	// lookBack is how much later than its id was made a question may come to the
	// store, or clocks of processes may be apart, and still be found at once.
	lookBack = 5 * time.Second
	// lookMost is how many new questions one look takes; more are for the readers to
	// look for.
	lookMost = parley.MaxLimit
	// newsRoom is how much waits for one slow reader before it has to look for itself.
	newsRoom = 256
	// lookers is how many questions are read at once.
	lookers = 16
)

// lookout learns of new and settled questions for everybody who follows theirs at
// this process: what that costs does not grow with how many they are. It works while
// there is somebody.
type lookout struct {
	hub      *parley.Hub
	requests Requests
	logger   *slog.Logger

	mu      sync.Mutex
	readers map[addressee]map[chan news]bool
	leaving func() // ends the work; nil: nobody follows
}

// addressee is whom questions are for.
type addressee struct{ tenant, user string }

// news is what a reader is told.
type news struct {
	question *parley.Request // that is new or settled; all readers have the same, and change nothing of it
	manyNew  bool            // there are too many new ones: look which of them are yours
	missed   bool            // anything may have changed
}

// follow returns news of a person's questions until leave is called. The same may come
// more than once.
func (l *lookout) follow(ctx context.Context, of addressee) (told <-chan news, leave func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.leaving == nil {
		if err := l.begin(ctx); err != nil {
			return nil, nil, err
		}
	}
	mine := make(chan news, newsRoom)
	if l.readers[of] == nil {
		l.readers[of] = map[chan news]bool{}
	}
	l.readers[of][mine] = true
	return mine, func() { l.leave(of, mine) }, nil
}

func (l *lookout) leave(of addressee, mine chan news) {
	l.mu.Lock()
	delete(l.readers[of], mine)
	if len(l.readers[of]) == 0 {
		delete(l.readers, of)
	}
	var end func()
	if len(l.readers) == 0 {
		end, l.leaving = l.leaving, nil
	}
	l.mu.Unlock()
	if end != nil {
		end()
	}
}

// begin sets out, from before the first reader looks. The caller holds the lock.
func (l *lookout) begin(ctx context.Context) error {
	r := &round{lookout: l}
	if err := r.start(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	hints := l.hub.Watch(ctx)
	var done sync.WaitGroup
	done.Go(func() { r.run(ctx, hints) })
	l.readers = map[addressee]map[chan news]bool{}
	l.leaving = func() { cancel(); done.Wait() }
	return nil
}

// tell tells the readers of a person's questions of one, if there are any.
func (l *lookout) tell(ctx context.Context, of addressee, id parley.ID) error {
	l.mu.Lock()
	some := len(l.readers[of]) > 0
	l.mu.Unlock()
	if !some {
		return nil
	}
	q, err := l.hub.Get(ctx, parley.OwnerOf(of.tenant, of.user), id)
	if errors.Is(err, parley.ErrNotFound) {
		return nil // forgotten
	}
	one := news{question: &q}
	if err != nil {
		one = news{missed: true}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for mine := range l.readers[of] {
		put(mine, one)
	}
	return err
}

// tellAll tells every reader.
func (l *lookout) tellAll(one news) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, all := range l.readers {
		for mine := range all {
			put(mine, one)
		}
	}
}

// put makes of what a slow reader has no room for one word that some was missed.
// Nobody else puts meanwhile.
func put(to chan news, one news) {
	select {
	case to <- one:
		return
	default:
	}
	for len(to) > 0 {
		select {
		case <-to:
		default: // the reader was faster
		}
	}
	to <- news{missed: true}
}

// round is the work of a lookout, from the first reader to the last.
type round struct {
	*lookout
	marks []mark             // how far was looked, and when, for as long as lookBack
	seen  map[parley.ID]bool // behind the first mark

	trouble quietlog.Trouble
}

type mark struct {
	id parley.ID
	at time.Time
}

// start makes the newest question the first mark.
func (r *round) start(ctx context.Context) error {
	newest, err := r.requests.List(ctx, parley.Query{Pending: true, Newest: true, Limit: 1})
	if err != nil {
		return err
	}
	r.marks, r.seen = []mark{{at: time.Now()}}, map[parley.ID]bool{}
	if len(newest) > 0 {
		r.marks[0].id = newest[0].ID
	}
	return nil
}

func (r *round) run(ctx context.Context, hints <-chan parley.ID) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	var reading sync.WaitGroup
	defer reading.Wait()
	room := make(chan struct{}, lookers)
	for {
		select {
		case <-ctx.Done():
			return
		case id := <-hints:
			room <- struct{}{}
			reading.Go(func() {
				defer func() { <-room }()
				r.note(ctx, r.changed(ctx, id))
			})
		case <-look.C:
			r.note(ctx, r.look(ctx))
		}
	}
}

func (r *round) note(ctx context.Context, err error) {
	r.trouble.Note(ctx, r.logger, "new questions not looked for", err)
}

// changed tells whose question was opened here, or settled.
func (r *round) changed(ctx context.Context, id parley.ID) error {
	if id == "" {
		r.tellAll(news{missed: true})
		return nil
	}
	q, err := r.requests.Get(ctx, id)
	switch {
	case errors.Is(err, parley.ErrNotFound):
		return nil // forgotten
	case err != nil:
		r.tellAll(news{missed: true})
		return err
	}
	return r.tell(ctx, addressee{q.Tenant, q.To}, id)
}

// look tells whose questions are new in the store.
func (r *round) look(ctx context.Context) error {
	found, err := r.requests.List(ctx, parley.Query{Pending: true, After: r.marks[0].id, Limit: lookMost})
	if err != nil {
		return err
	}
	if len(found) == lookMost {
		r.tellAll(news{manyNew: true})
		return r.start(ctx)
	}
	next := map[parley.ID]bool{}
	for _, q := range found {
		if next[q.ID] = true; r.seen[q.ID] {
			continue
		}
		if err := r.tell(ctx, addressee{q.Tenant, q.To}, q.ID); err != nil {
			return err // what was not told is looked for again
		}
	}
	r.seen = next
	if len(found) > 0 {
		r.marks = append(r.marks, mark{found[len(found)-1].ID, time.Now()})
	}
	for len(r.marks) > 1 && time.Since(r.marks[1].at) > lookBack {
		r.marks = r.marks[1:]
	}
	return nil
}
