package redisstore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gomodule/redigo/redis"

	"github.com/parley-hq/parley"
)

var _ parley.Rewriter = (*Store)(nil)

// Walk implements parley.Rewriter. In a cluster it is not supported: names are looked
// for on one server.
func (s *Store) Walk(ctx context.Context, visit func(parley.Record) error) error {
	if s.server.cluster {
		return fmt.Errorf("redisstore: sealing anew in a cluster: %w", errors.ErrUnsupported)
	}
	shelves, err := s.shelves(ctx)
	if err != nil {
		return s.server.explain("walk", err)
	}
	for _, from := range shelves {
		for after := ""; ; {
			batch, err := s.Scan(ctx, from, after, parley.MaxLimit)
			if err != nil {
				return err
			}
			for _, r := range batch {
				if err := visit(r); err != nil {
					return err
				}
				after = r.Key
			}
			if len(batch) < parley.MaxLimit {
				break
			}
		}
	}
	return nil
}

// literal is a text as a pattern of itself.
func literal(text string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `]`, `\]`).Replace(text)
}

// Empty reports whether the server has nothing of this store. In a cluster it is not
// supported, as Walk is not.
func (s *Store) Empty(ctx context.Context) (bool, error) {
	if s.server.cluster {
		return false, fmt.Errorf("redisstore: looking for keys in a cluster: %w", errors.ErrUnsupported)
	}
	for cursor := "0"; ; {
		next, names, err := s.page(ctx, cursor, literal(s.keys.tag)+":*")
		if err != nil {
			return false, s.server.explain("look for keys", err)
		}
		if len(names) > 0 {
			return false, nil
		}
		if cursor = next; cursor == "0" {
			return true, nil
		}
	}
}

// page returns some of the names of keys, and where to go on: "0" is the end.
func (s *Store) page(ctx context.Context, cursor, pattern string) (next string, names []string, err error) {
	told, err := redis.Values(s.link.one(ctx, "SCAN", cursor, "MATCH", pattern, "COUNT", 1000))
	if err == nil && len(told) != 2 {
		err = errFormat
	}
	if err != nil {
		return "", nil, err
	}
	if next, err = redis.String(told[0], nil); err != nil {
		return "", nil, err
	}
	names, err = redis.Strings(told[1], nil)
	return next, names, err
}

// shelves are the tenants and kinds that have records, by their indexes.
func (s *Store) shelves(ctx context.Context) ([]parley.Address, error) {
	prefix := s.keys.tag + ":keys:"
	pattern := literal(prefix) + "*"
	names := map[string]bool{} // the server may name one twice
	for cursor := "0"; ; {
		next, found, err := s.page(ctx, cursor, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range found {
			names[name] = true
		}
		if cursor = next; cursor == "0" {
			break
		}
	}
	var all []parley.Address
	for name := range names {
		length, rest, _ := strings.Cut(strings.TrimPrefix(name, prefix), ":")
		n, err := strconv.Atoi(length)
		if err != nil || n < 0 || n >= len(rest) {
			return nil, errFormat
		}
		all = append(all, parley.Address{Tenant: rest[:n], Kind: rest[n+1:]})
	}
	slices.SortFunc(all, func(a, b parley.Address) int {
		return strings.Compare(measured(a.Tenant)+a.Kind, measured(b.Tenant)+b.Kind)
	})
	return all, nil
}

// RewriteRecord implements parley.Rewriter.
func (s *Store) RewriteRecord(ctx context.Context, r parley.Record, data []byte) error {
	value := func(data []byte) string {
		r.Data = data
		return string(binary.BigEndian.AppendUint64([]byte{format}, uint64(r.Version))) + encodeRecord(r)
	}
	done, err := s.run(ctx, s.scripts.rewrite, s.keys.record(r.Address), value(r.Data), value(data))
	switch {
	case err != nil:
		return s.server.explain("rewrite "+title(r.Address), err)
	case done == 0:
		return named(r.Address, parley.ErrConflict)
	}
	return nil
}

// RewriteRequest implements parley.Rewriter.
func (s *Store) RewriteRequest(ctx context.Context, was, is parley.Request) error {
	key := s.keys.request(was.ID)
	stored, err := redis.String(s.link.one(ctx, "GET", key))
	if err != nil && !errors.Is(err, redis.ErrNil) {
		return s.server.explain("rewrite request "+string(was.ID), err)
	}
	now, wrong := decodeRequest(was.ID, stored)
	if err != nil || wrong != nil || now.Message != was.Message || now.Pending() != was.Pending() || !now.Pending() && string(now.Outcome.Content) != string(was.Outcome.Content) {
		return fmt.Errorf("request %s: %w", was.ID, parley.ErrConflict)
	}
	now.Message = is.Message
	value := encodeRequest(now)
	if !now.Pending() {
		outcome := *now.Outcome
		outcome.Content = is.Outcome.Content
		value = string(settledState) + value[1:] + encodeOutcome(outcome)
	}
	done, err := s.run(ctx, s.scripts.rewrite, key, stored, value)
	switch {
	case err != nil:
		return s.server.explain("rewrite request "+string(was.ID), err)
	case done == 0:
		return fmt.Errorf("request %s: %w", was.ID, parley.ErrConflict)
	}
	return nil
}
