package sqlitestore

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/parley-hq/parley"
)

// live is what an expired record is not. Its parameter is the present.
const live = `(expires IS NULL OR expires > ?4)`

const (
	loadRecord = `SELECT tenant, kind, key, owner, data, version, expires FROM records
WHERE tenant = ?1 AND kind = ?2 AND key = ?3 AND ` + live

	createRecord = `
INSERT INTO records (tenant, kind, key, owner, data, expires, version)
VALUES (?1, ?2, ?3, ?5, ?6, ?7, (SELECT last + 1 FROM counter))
ON CONFLICT (tenant, kind, key) DO UPDATE
SET owner = excluded.owner, data = excluded.data, expires = excluded.expires, version = excluded.version
WHERE records.expires <= ?4
RETURNING version`

	replaceRecord = `
UPDATE records SET owner = ?5, data = ?6, expires = ?7, version = (SELECT last + 1 FROM counter)
WHERE tenant = ?1 AND kind = ?2 AND key = ?3 AND ` + live + ` AND version = ?8
RETURNING version`

	deleteRecord = `DELETE FROM records
WHERE tenant = ?1 AND kind = ?2 AND key = ?3 AND ` + live + ` AND (?5 = 0 OR version = ?5)
RETURNING version`

	recordVersion = `SELECT version FROM records WHERE tenant = ?1 AND kind = ?2 AND key = ?3 AND ` + live

	// The limit is no bare parameter: SQLite plans by the value of one, and so
	// prepares the statement anew each time it is bound.
	scanRecords = `SELECT tenant, kind, key, owner, data, version, expires FROM records
WHERE tenant = ?1 AND kind = ?2 AND ` + live + ` AND %s ORDER BY key LIMIT ?5 + 0`
)

// Load returns the record.
func (s *Store) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	found, err := collect(ctx, s.read, scanRecord, loadRecord, here(at)...)
	if err == nil && len(found) == 0 {
		err = parley.ErrNotFound
	}
	if err != nil {
		return parley.Record{}, s.failed("load "+name(at), err)
	}
	return found[0], nil
}

// Save stores r and returns its new version.
func (s *Store) Save(ctx context.Context, r parley.Record) (version int64, err error) {
	text, otherwise := createRecord, parley.ErrExists
	args := append(here(r.Address), r.Owner, slices.Clone(r.Data), optional(r.Expires))
	if r.Version != 0 {
		text, otherwise = replaceRecord, parley.ErrConflict
		args = append(args, r.Version)
	}
	saved, err := s.write.do(ctx, text, args...)
	if err == nil && len(saved) == 0 {
		err = otherwise
	}
	if err != nil {
		return 0, s.failed("save "+name(r.Address), err)
	}
	return saved[0], nil
}

// Delete removes the record at that version, or at any when it is 0.
func (s *Store) Delete(ctx context.Context, at parley.Address, version int64) error {
	gone, err := s.write.do(ctx, deleteRecord, append(here(at), version)...)
	if err == nil && len(gone) == 0 {
		err = s.whyKept(ctx, at)
	}
	if err != nil {
		return s.failed("delete "+name(at), err)
	}
	return nil
}

// whyKept tells a record that is not there from one with another version.
func (s *Store) whyKept(ctx context.Context, at parley.Address) error {
	there, err := collect(ctx, s.read, number, recordVersion, here(at)...)
	switch {
	case err != nil:
		return err
	case len(there) > 0:
		return parley.ErrConflict
	}
	return parley.ErrNotFound
}

// Scan lists the records whose key begins with from.Key and comes after after.
func (s *Store) Scan(ctx context.Context, from parley.Address, after string, limit int) ([]parley.Record, error) {
	args := append(here(from), parley.ScanLimit(limit))
	args[2] = max(from.Key, after)
	keys, end := between(from.Key, after)
	if end != "" {
		args = append(args, end)
	}
	found, err := collect(ctx, s.read, scanRecord, fmt.Sprintf(scanRecords, keys), args...)
	if err != nil {
		return nil, s.failed("scan "+name(from), err)
	}
	return found, nil
}

// between returns the condition for keys that begin with prefix and come after
// after: that they lie between ?3, the greater of the two, and ?6, the end if
// there is one. Given two lower bounds SQLite would seek the one and test the
// other row by row.
func between(prefix, after string) (condition, end string) {
	condition = "key >= ?3"
	if after >= prefix {
		condition = "key > ?3"
	}
	if end = beyond(prefix); end != "" {
		condition += " AND key < ?6"
	}
	return condition, end
}

// beyond returns the first string, in byte order, behind all that begin with
// prefix; none when there is no such string.
func beyond(prefix string) string {
	end := []byte(prefix)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i] < 0xff {
			end[i]++
			return string(end[:i+1])
		}
	}
	return ""
}

// here returns the arguments that every statement on records begins with.
func here(at parley.Address) []any {
	return []any{at.Tenant, at.Kind, at.Key, millis(time.Now())}
}

func name(at parley.Address) string {
	return fmt.Sprintf("record %s/%s/%s", at.Tenant, at.Kind, at.Key)
}

func scanRecord(rows *sql.Rows) (parley.Record, error) {
	var r parley.Record
	var expires sql.NullInt64
	err := rows.Scan(&r.Tenant, &r.Kind, &r.Key, &r.Owner, &r.Data, &r.Version, &expires)
	if expires.Valid {
		r.Expires = moment(expires.Int64)
	}
	return r, err
}
