package pgstore

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"github.com/parley-hq/parley"
)

// Load implements parley.Records.
func (s *Store) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	r, err := scanRecord(s.pool.QueryRow(ctx, s.sql.load, present(at)...))
	switch {
	case nothing(err):
		return parley.Record{}, about(at, parley.ErrNotFound)
	case err != nil:
		return parley.Record{}, explained("load "+at.Kind, err)
	}
	return r, nil
}

// Save implements parley.Records.
func (s *Store) Save(ctx context.Context, r parley.Record) (version int64, err error) {
	var expires *int64
	if !r.Expires.IsZero() {
		ms := r.Expires.UnixMilli()
		expires = &ms
	}
	query, missing := s.sql.create, parley.ErrExists
	args := append(present(r.Address), r.Owner, orNil(r.Data), expires)
	if r.Version != 0 {
		query, missing = s.sql.replace, parley.ErrConflict
		args = append(args, r.Version)
	}
	err = s.pool.QueryRow(ctx, query, args...).Scan(&version)
	switch {
	case unstorable(err):
		return 0, about(r.Address, fmt.Errorf("a text is not UTF-8 or holds a NUL: %w", parley.ErrInvalid))
	case nothing(err):
		return 0, about(r.Address, missing)
	case err != nil:
		return 0, explained("save "+r.Kind, err)
	}
	return version, nil
}

// Delete implements parley.Records.
func (s *Store) Delete(ctx context.Context, at parley.Address, version int64) error {
	query, args := s.sql.remove, present(at)
	if version != 0 {
		query, args = s.sql.removeVersion, append(args, version)
	}
	tag, err := s.pool.Exec(ctx, query, args...)
	switch {
	case err == nil && tag.RowsAffected() == 1:
		return nil
	case unstorable(err), err == nil && version == 0:
		return about(at, parley.ErrNotFound)
	case err != nil:
		return explained("delete "+at.Kind, err)
	}
	var alive bool
	if err := s.pool.QueryRow(ctx, s.sql.alive, present(at)...).Scan(&alive); err != nil {
		return explained("delete "+at.Kind, err)
	}
	if alive {
		return about(at, parley.ErrConflict)
	}
	return about(at, parley.ErrNotFound)
}

// Scan implements parley.Records.
func (s *Store) Scan(ctx context.Context, from parley.Address, after string, limit int) ([]parley.Record, error) {
	query := s.sql.scan
	args := append(present(from), after, parley.ScanLimit(limit))
	if next, ok := successor(from.Key); ok {
		query, args = s.sql.scanBelow, append(args, next)
	}
	rows, err := s.pool.Query(ctx, query, args...)
	if err != nil {
		return nil, explained("scan "+from.Kind, err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (parley.Record, error) { return scanRecord(row) })
	switch {
	case unstorable(err):
		return nil, about(from, fmt.Errorf("a text is not UTF-8 or holds a NUL: %w", parley.ErrQuery))
	case err != nil:
		return nil, explained("scan "+from.Kind, err)
	}
	return list, nil
}

// successor returns the least text behind everything that begins with prefix, if
// there is one. It counts up the last character, not the last byte: the byte
// order of UTF-8 is the order of its characters, and the server takes no text
// that is not UTF-8.
func successor(prefix string) (string, bool) {
	for prefix != "" {
		last, size := utf8.DecodeLastRuneInString(prefix)
		prefix = prefix[:len(prefix)-size]
		switch {
		case last == utf8.MaxRune: // nothing behind it: count up the one before
		case last == 0xD7FF: // the surrogates behind it are no characters
			return prefix + "\uE000", true
		default:
			return prefix + string(last+1), true
		}
	}
	return "", false
}

// present returns the first arguments of every statement on records: the address
// and the time that decides what has expired.
func present(at parley.Address) []any {
	return []any{at.Tenant, at.Kind, at.Key, time.Now().UnixMilli()}
}

func about(at parley.Address, err error) error {
	return fmt.Errorf("%s %q: %w", at.Kind, at.Key, err)
}

func scanRecord(row pgx.Row) (parley.Record, error) {
	var (
		r       parley.Record
		data    []byte
		expires *int64
	)
	if err := row.Scan(&r.Tenant, &r.Kind, &r.Key, &r.Owner, &data, &r.Version, &expires); err != nil {
		return parley.Record{}, err
	}
	r.Data = orNil(data)
	if expires != nil {
		r.Expires = fromMillis(*expires)
	}
	return r, nil
}
