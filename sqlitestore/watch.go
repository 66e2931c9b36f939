package sqlitestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/parley-hq/parley"
)

// The bell is a file next to the database. Who settles a request sets its time
// stamp after the commit, and the operating system tells whoever watches it.
//
// The -wal file would seem to do. But it changes before the commit that others
// can see: its last write comes, then the disk is waited for, then memory is
// flipped, and no file event follows. A watcher that looks when the -wal file
// changes sees nothing new and would have to look again and again. It also
// changes with every Put and Save. And on systems with kqueue a watcher opens
// what it watches, and closing a descriptor of a database file drops the locks
// that SQLite has on it.
const bellSuffix = "-bell"

// lookAgain is how often a Watch looks without being told: a process may die
// between its commit and the bell.
const lookAgain = 2 * time.Second

// newsBatch bounds one read transaction of a Watch.
const newsBatch = 500

const (
	lastSeq = `SELECT last FROM counter`
	newsOf  = `SELECT settled_seq, id FROM requests WHERE settled_seq > ?1 ORDER BY settled_seq LIMIT ?2 + 0`
)

// hangBell makes sure that there is a bell. Anybody may remove it at any time:
// hints are then late until the next Watch.
func (s *Store) hangBell() error {
	file, err := os.OpenFile(s.path+bellSuffix, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("sqlitestore: %w", err)
	}
	return file.Close()
}

// ring tells the watchers of this handle directly and everybody else by the
// bell. That it may fail is why watchers look again by themselves.
func (s *Store) ring() {
	s.mu.Lock()
	for wake := range s.watchers {
		select {
		case wake <- struct{}{}:
		default: // told already
		}
	}
	s.mu.Unlock()
	_ = os.Chtimes(s.path+bellSuffix, time.Time{}, time.Now())
}

// Watch calls settled for requests that this or another process settled.
func (s *Store) Watch(ctx context.Context, settled func(parley.ID)) error {
	if err := s.watch(ctx, settled); err != nil {
		return s.failed("watch", err)
	}
	return nil
}

func (s *Store) watch(ctx context.Context, settled func(parley.ID)) error {
	wake := make(chan struct{}, 1)
	s.mu.Lock()
	s.watchers[wake] = struct{}{}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.watchers, wake)
		s.mu.Unlock()
	}()

	bell, err := s.listen()
	if err != nil {
		return err
	}
	defer bell.Close()

	// Only now: what is settled from here on also rings.
	seen, err := collect(ctx, s.read, number, lastSeq)
	if err != nil {
		return err
	}
	settled("")

	timer := time.NewTicker(lookAgain)
	defer timer.Stop()
	for after := seen[0]; ; {
		if err := s.wait(ctx, wake, bell, timer.C); err != nil {
			return err
		}
		if after, err = s.news(ctx, after, settled); err != nil {
			return err
		}
	}
}

// listen watches the bell.
func (s *Store) listen() (*fsnotify.Watcher, error) {
	if err := s.hangBell(); err != nil {
		return nil, err
	}
	bell, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("cannot watch files (on Linux, is fs.inotify.max_user_instances reached?): %w", err)
	}
	if err := bell.Add(s.path + bellSuffix); err != nil {
		bell.Close()
		return nil, fmt.Errorf("cannot watch %s (on Linux, is fs.inotify.max_user_watches reached?): %w", s.path+bellSuffix, err)
	}
	return bell, nil
}

// wait returns when there may be news. However often the bell rang meanwhile,
// it is one look: the operating system merges equal events, and the few that
// it had handed out are taken here.
func (s *Store) wait(ctx context.Context, wake <-chan struct{}, bell *fsnotify.Watcher, again <-chan time.Time) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closed:
		return ErrClosed
	case <-wake:
	case <-again:
	case event, ok := <-bell.Events:
		if err := heard(event, ok); err != nil {
			return err
		}
	case err, ok := <-bell.Errors:
		if ok && !errors.Is(err, fsnotify.ErrEventOverflow) {
			return err
		}
	}
	for {
		select {
		case event, ok := <-bell.Events:
			if err := heard(event, ok); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

func heard(event fsnotify.Event, ok bool) error {
	if !ok {
		return fsnotify.ErrClosed
	}
	if event.Has(fsnotify.Remove) || event.Has(fsnotify.Rename) {
		return fmt.Errorf("%s was removed: watch again", event.Name)
	}
	return nil
}

// settlement is a settled request's place in the order of commits.
type settlement struct {
	seq int64
	id  parley.ID
}

// news reports what was settled behind after and returns how far it came. No
// read transaction is open while settled runs.
func (s *Store) news(ctx context.Context, after int64, settled func(parley.ID)) (int64, error) {
	for {
		batch, err := collect(ctx, s.read, scanSettlement, newsOf, after, newsBatch)
		if err != nil {
			return after, err
		}
		for _, one := range batch {
			after = one.seq
			settled(one.id)
		}
		if len(batch) < newsBatch {
			return after, nil
		}
	}
}

func scanSettlement(rows *sql.Rows) (one settlement, err error) {
	err = rows.Scan(&one.seq, &one.id)
	return one, err
}
