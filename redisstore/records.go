package redisstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/parley-hq/parley"
)

// Load implements parley.Records.
func (s *Store) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	stored, err := redis.String(s.link.one(ctx, "GET", s.keys.record(at)))
	if errors.Is(err, redis.ErrNil) {
		return parley.Record{}, named(at, parley.ErrNotFound)
	}
	if err != nil {
		return parley.Record{}, s.server.explain("load "+title(at), err)
	}
	r, err := decodeRecord(at, stored)
	if err != nil {
		return parley.Record{}, named(at, err)
	}
	if expired(r, time.Now()) {
		return parley.Record{}, named(at, parley.ErrNotFound)
	}
	return r, nil
}

// Save implements parley.Records.
func (s *Store) Save(ctx context.Context, r parley.Record) (int64, error) {
	version, err := s.run(ctx, s.scripts.save, s.keys.record(r.Address),
		r.Tenant, r.Kind, r.Key, encodeVersion(r.Version), milliseconds(time.Now()),
		strconv.FormatInt(expiry(r), 10), encodeRecord(r))
	switch {
	case err != nil:
		return 0, s.server.explain("save "+title(r.Address), err)
	case version == 0:
		return 0, named(r.Address, parley.ErrExists)
	case version < 0:
		return 0, named(r.Address, parley.ErrConflict)
	}
	return version, nil
}

// Delete implements parley.Records.
func (s *Store) Delete(ctx context.Context, at parley.Address, version int64) error {
	n, err := s.run(ctx, s.scripts.delete, s.keys.record(at),
		at.Tenant, at.Kind, at.Key, encodeVersion(version), milliseconds(time.Now()))
	switch {
	case err != nil:
		return s.server.explain("delete "+title(at), err)
	case n == 0:
		return named(at, parley.ErrNotFound)
	case n < 0:
		return named(at, parley.ErrConflict)
	}
	return nil
}

// Scan implements parley.Records.
func (s *Store) Scan(ctx context.Context, from parley.Address, after string, limit int) ([]parley.Record, error) {
	limit = parley.ScanLimit(limit)
	var list []parley.Record
	for {
		n := max(limit-len(list), leastBatch)
		found, err := s.recordKeys(ctx, from, after, n)
		if err != nil {
			return nil, s.server.explain("scan "+title(from), err)
		}
		records, err := s.loadRecords(ctx, from, found)
		if err != nil {
			return nil, s.server.explain("scan "+title(from), err)
		}
		list = append(list, records...)
		if len(list) >= limit {
			return list[:limit], nil
		}
		if len(found) < n {
			return list, nil
		}
		after = found[len(found)-1]
	}
}

func (s *Store) recordKeys(ctx context.Context, from parley.Address, after string, n int) ([]string, error) {
	first := "[" + from.Key
	if after >= from.Key {
		first = "(" + after
	}
	last := "+"
	if end := behind(from.Key); end != "" {
		last = "(" + end
	}
	return redis.Strings(s.link.one(ctx, "ZRANGEBYLEX", s.keys.index(from.Tenant, from.Kind), first, last, "LIMIT", 0, n))
}

// loadRecords returns the records that are there and have not expired.
func (s *Store) loadRecords(ctx context.Context, from parley.Address, found []string) ([]parley.Record, error) {
	if len(found) == 0 {
		return nil, nil
	}
	at := func(key string) parley.Address { return parley.Address{Tenant: from.Tenant, Kind: from.Kind, Key: key} }
	names := make([]any, len(found))
	for i, key := range found {
		names[i] = s.keys.record(at(key))
	}
	values, err := s.values(ctx, names)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	records := make([]parley.Record, 0, len(found))
	for i, value := range values {
		if value == nil {
			continue
		}
		stored, err := redis.String(value, nil)
		if err != nil {
			return nil, err
		}
		r, err := decodeRecord(at(found[i]), stored)
		if err != nil {
			return nil, named(at(found[i]), err)
		}
		if !expired(r, now) {
			records = append(records, r)
		}
	}
	return records, nil
}

// behind returns the first string after all that begin with prefix, or none.
func behind(prefix string) string {
	end := []byte(prefix)
	for len(end) > 0 {
		if end[len(end)-1]++; end[len(end)-1] != 0 {
			return string(end)
		}
		end = end[:len(end)-1]
	}
	return ""
}

func expired(r parley.Record, now time.Time) bool {
	return !r.Expires.IsZero() && !r.Expires.After(now)
}

func title(at parley.Address) string { return fmt.Sprintf("%s %q", at.Kind, at.Key) }

func named(at parley.Address, err error) error { return fmt.Errorf("%s: %w", title(at), err) }
