package sqlitestore

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/parley-hq/parley"
)

// Who attends has a lock on a byte of a file next to the database, which the
// operating system takes from a process that dies. Its place in the file, beyond
// any end, is made of the node's name; nothing is ever written.
const nodesSuffix = "-nodes"

// stillThere is how often who attends makes sure that others look at the same
// file: anybody may remove it.
const stillThere = 2 * time.Second

var _ parley.Attendance = (*Store)(nil)

// Attend implements parley.Attendance.
func (s *Store) Attend(ctx context.Context, node string, there func()) error {
	file, err := os.OpenFile(s.path+nodesSuffix, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("sqlitestore: %w", err)
	}
	defer file.Close() // and the lock with it
	if err := lockByte(file, placeOf(node)); err != nil {
		return fmt.Errorf("sqlitestore: %s: %w", file.Name(), err)
	}
	there()
	tick := time.NewTicker(stillThere)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.closed:
			return ErrClosed
		case <-tick.C:
		}
		ours, err := file.Stat()
		if err != nil {
			return fmt.Errorf("sqlitestore: %w", err)
		}
		if theirs, err := os.Stat(file.Name()); err != nil || !os.SameFile(ours, theirs) {
			return fmt.Errorf("sqlitestore: %s was removed", file.Name())
		}
	}
}

// Absent implements parley.Attendance. It is sure at once.
func (s *Store) Absent(_ context.Context, node string) (bool, error) {
	file, err := os.OpenFile(s.path+nodesSuffix, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil // it was removed: whoever attends will make it again
	}
	if err != nil {
		return false, fmt.Errorf("sqlitestore: %w", err)
	}
	defer file.Close()
	locked, err := byteLocked(file, placeOf(node))
	if err != nil {
		return false, fmt.Errorf("sqlitestore: %s: %w", file.Name(), err)
	}
	return !locked, nil
}

func placeOf(node string) int64 {
	digest := sha256.Sum256([]byte(node))
	return int64(binary.BigEndian.Uint64(digest[:8]) >> 2)
}
