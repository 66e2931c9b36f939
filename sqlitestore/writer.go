package sqlitestore

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-hq/parley"
)

// together is how many writes share a commit at most. It bounds how long other
// processes wait for the lock.
const together = 64

// walLimit is how long the WAL may get, in bytes: some four times of what it
// gets with short readers.
const walLimit = 16 << 20

// writer is the one connection that writes. A commit waits for the disk, so
// writes that arrive meanwhile are done together in the next one: a crowd that
// answers at once waits for a few commits instead of one each.
//
// No context interrupts a write: it ends the waiting for it. What the caller
// then knows is what Store says of errors: it may or may not have been done.
type writer struct {
	db       *sql.DB
	conn     *sql.Conn
	path     string
	patience time.Duration

	runs       sync.WaitGroup       // one at a time, to which belong:
	statements map[string]*sql.Stmt // prepared on conn
	tidyAt     int64                // the size of the WAL at which it is emptied
	lax        bool                 // commits do not wait for the disk
	unflushed  bool                 // the disk may not have them yet
	flusher    *time.Timer          // calls flush then

	mu      sync.Mutex
	queue   []*job
	running bool
	closed  bool
	more    chan struct{} // has one when the queue is no longer empty, or closed
}

// linger is how long the goroutine that writes waits for more: a new one would have
// to grow its stack again.
const linger = time.Second

// job is one statement that waits for its turn.
type job struct {
	text   string
	args   []any
	later  bool        // it need not be on the disk when it is done
	left   atomic.Bool // nobody waits for it any more
	result []int64     // once done is closed
	err    error       // likewise
	done   chan struct{}
}

func newWriter(ctx context.Context, path string, patience time.Duration) (*writer, error) {
	db, err := connect(path, writing)
	if err != nil {
		return nil, err
	}
	w := &writer{db: db, path: path, patience: patience, statements: make(map[string]*sql.Stmt), tidyAt: walLimit, more: make(chan struct{}, 1)}
	w.flusher = time.AfterFunc(time.Hour, w.flush)
	w.flusher.Stop()
	err = patiently(ctx, patience, func() error {
		w.conn, err = db.Conn(ctx)
		return err
	})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return w, nil
}

// finish lets the writes in progress end, takes no more, and empties the WAL
// unless another process is using it: then the last one to leave does that.
func (w *writer) finish() error {
	w.mu.Lock()
	w.closed = true
	w.wake()
	w.mu.Unlock()
	w.runs.Wait()
	w.flusher.Stop()
	return w.exec("PRAGMA wal_checkpoint(TRUNCATE)")
}

func (w *writer) close() error {
	for _, statement := range w.statements {
		statement.Close() // what it could report, closing the connection reports too
	}
	return errors.Join(w.conn.Close(), w.db.Close())
}

// do runs a statement with a RETURNING clause of one number, and returns the
// numbers. The arguments must not share memory with the caller's: do may
// return before they are used.
func (w *writer) do(ctx context.Context, text string, args ...any) ([]int64, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	j := &job{text: text, args: args, later: parley.FlushesLater(ctx), done: make(chan struct{})}
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return nil, ErrClosed
	}
	w.queue = append(w.queue, j)
	if !w.running {
		w.running = true
		w.runs.Go(w.run)
	}
	w.wake()
	w.mu.Unlock()
	select {
	case <-j.done:
		return j.result, j.err
	case <-ctx.Done():
		j.left.Store(true)
		return nil, ctx.Err()
	}
}

func (w *writer) wake() {
	select {
	case w.more <- struct{}{}:
	default:
	}
}

// run works off the queue and ends when it has been empty for a while.
func (w *writer) run() {
	idle := time.NewTimer(linger)
	defer idle.Stop()
	for batch := w.next(idle); len(batch) > 0; batch = w.next(idle) {
		if err := w.level(batch); err != nil {
			for _, j := range batch {
				j.err = err
			}
		} else if len(batch) == 1 || !w.commit(batch) {
			for _, j := range batch {
				j.err = patiently(context.Background(), w.patience, func() error { return w.step(j) })
			}
		}
		w.committed(batch)
		for _, j := range batch {
			close(j.done)
		}
		w.tidy()
	}
}

// flushWithin is how long a commit that did not wait for the disk may be without it.
const flushWithin = 20 * time.Millisecond

// toDisk is a commit for the sake of the disk, which has all then that was committed
// before. What changes nothing would write nothing, and wait for nothing.
const toDisk = `UPDATE counter SET last = last + 1 RETURNING last`

// flush commits what the disk may not have.
func (w *writer) flush() {
	if _, err := w.do(context.Background(), toDisk); err != nil && !errors.Is(err, ErrClosed) {
		w.flusher.Reset(time.Second)
	}
}

// level has the commits of a batch wait for the disk, unless none of it needs to.
func (w *writer) level(batch []*job) error {
	lax := !slices.ContainsFunc(batch, func(j *job) bool { return !j.later })
	if lax == w.lax {
		return nil
	}
	text := "PRAGMA synchronous = full"
	if lax {
		text = "PRAGMA synchronous = normal"
	}
	// It is done when it is prepared, and so each time anew.
	_, err := w.conn.ExecContext(context.Background(), text)
	if err == nil {
		w.lax = lax
	}
	return err
}

// committed sees to it that the disk gets a batch that did not wait for it: with the
// next one that does and that wrote something, or soon.
func (w *writer) committed(batch []*job) {
	wrote := slices.ContainsFunc(batch, func(j *job) bool { return j.err == nil && len(j.result) > 0 })
	switch {
	case !wrote || w.lax == w.unflushed:
	case w.lax:
		w.unflushed = true
		w.flusher.Reset(flushWithin)
	default:
		w.unflushed = false
		w.flusher.Stop()
	}
}

// tidy empties the WAL when it has grown too long. SQLite copies it into the
// main file by itself after every thousand pages, but starts it over only in a
// moment without readers, and busy programs have none. A checkpoint that may
// wait makes one: it holds writers off, and readers that come after it has
// copied the last page no longer need the WAL.
func (w *writer) tidy() {
	info, err := os.Stat(w.path + "-wal")
	if err != nil || info.Size() < w.tidyAt {
		return
	}
	_ = w.exec("PRAGMA busy_timeout = 1000")
	_ = w.exec("PRAGMA wal_checkpoint(TRUNCATE)")
	_ = w.exec("PRAGMA busy_timeout = 0")
	w.tidyAt = walLimit
	if info, err = os.Stat(w.path + "-wal"); err == nil {
		w.tidyAt += info.Size() // 0, unless a reader stayed too long
	}
}

// next returns what is to be committed together; nothing at the end.
func (w *writer) next(idle *time.Timer) []*job {
	late := false
	for {
		w.mu.Lock()
		n := min(len(w.queue), together)
		if n > 0 || late || w.closed {
			batch := slices.Clone(w.queue[:n])
			w.queue = slices.Delete(w.queue, 0, n)
			w.running = n > 0
			w.mu.Unlock()
			return batch
		}
		w.mu.Unlock()
		idle.Reset(linger)
		select {
		case <-w.more:
		case <-idle.C:
			late = true
		}
	}
}

// commit runs the batch in one transaction. It reports false, and nothing is
// done, when one of them failed and each must be tried on its own.
func (w *writer) commit(batch []*job) bool {
	err := patiently(context.Background(), w.patience, func() error { return w.exec("BEGIN IMMEDIATE") })
	if err == nil {
		for _, j := range batch {
			if w.step(j) != nil {
				_ = w.exec("ROLLBACK") // fails when the error has done it already
				return false
			}
		}
		if err = w.exec("COMMIT"); err != nil {
			_ = w.exec("ROLLBACK")
		}
	}
	for _, j := range batch {
		j.err = err
	}
	return true
}

// step runs one statement. It reads to the end, where a statement on its own
// commits.
func (w *writer) step(j *job) error {
	if j.left.Load() {
		return nil
	}
	statement, err := w.prepare(j.text)
	if err != nil {
		return err
	}
	rows, err := statement.Query(j.args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	j.result = nil
	for rows.Next() {
		n, err := number(rows)
		if err != nil {
			return err
		}
		j.result = append(j.result, n)
	}
	return errors.Join(rows.Err(), rows.Close())
}

func (w *writer) exec(text string) error {
	statement, err := w.prepare(text)
	if err != nil {
		return err
	}
	_, err = statement.Exec()
	return err
}

func (w *writer) prepare(text string) (*sql.Stmt, error) {
	statement, ok := w.statements[text]
	if !ok {
		var err error
		if statement, err = w.conn.PrepareContext(context.Background(), text); err != nil {
			return nil, err
		}
		w.statements[text] = statement
	}
	return statement, nil
}
