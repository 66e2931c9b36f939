package sqlitestore

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// code returns SQLite's primary result code in err, or 0.
func code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

// busy reports whether err means that another connection has what we need.
// SQLITE_PROTOCOL is a lost race for the locks of the WAL.
func busy(err error) bool {
	c := code(err)
	return c == sqlite3.SQLITE_BUSY || c == sqlite3.SQLITE_PROTOCOL
}

// explain adds what to do about an error of the file at path.
func explain(path string, err error) error {
	var advice string
	switch code(err) {
	case sqlite3.SQLITE_NOTADB:
		advice = "is not a SQLite database: name another file, or move this one away"
	case sqlite3.SQLITE_CORRUPT:
		advice = "is damaged: stop its users and restore a backup, or try `sqlite3 FILE .recover`"
	case sqlite3.SQLITE_FULL:
		advice = "cannot grow: free space on its disk"
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN:
		advice = "cannot be written: check that it is still there and that this user may write it and its directory"
	case sqlite3.SQLITE_IOERR:
		advice = "cannot be read or written: check its disk"
	default:
		return err
	}
	return fmt.Errorf("sqlitestore: %s %s: %w", path, advice, err)
}
