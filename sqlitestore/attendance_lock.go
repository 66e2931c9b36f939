//go:build linux || darwin

package sqlitestore

import (
	"io"
	"os"
	"syscall"
)

// The locks are those of open files, not the older ones of processes: two handles
// of one process are told apart, and closing another descriptor of the file drops
// nothing. Package syscall has no names for them.

// lockByte takes the lock of one byte until file is closed.
func lockByte(file *os.File, at int64) error {
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: at, Len: 1}
	return syscall.FcntlFlock(file.Fd(), setLock, &lock)
}

// byteLocked reports whether somebody has the lock of a byte.
func byteLocked(file *os.File, at int64) (bool, error) {
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: at, Len: 1}
	err := syscall.FcntlFlock(file.Fd(), getLock, &lock)
	return lock.Type != syscall.F_UNLCK, err
}
