package redisstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/gomodule/redigo/redis"

	"github.com/parley-hq/parley"
)

// Put implements parley.Store. The limit is exact.
func (s *Store) Put(ctx context.Context, r parley.Request, maxPending int) error {
	n, err := s.run(ctx, s.scripts.put, s.keys.request(r.ID),
		string(r.ID), encodeRequest(r), strconv.Itoa(maxPending), milliseconds(r.Expires))
	switch {
	case err != nil:
		return s.server.explain("put request "+string(r.ID), err)
	case n == 0:
		return fmt.Errorf("request %s: %w", r.ID, parley.ErrExists)
	case n < 0:
		return fmt.Errorf("request %s: %w", r.ID, parley.ErrTooManyPending)
	}
	return nil
}

// Get implements parley.Store.
func (s *Store) Get(ctx context.Context, id parley.ID) (parley.Request, error) {
	stored, err := redis.String(s.link.one(ctx, "GET", s.keys.request(id)))
	if errors.Is(err, redis.ErrNil) {
		return parley.Request{}, fmt.Errorf("request %s: %w", id, parley.ErrNotFound)
	}
	if err != nil {
		return parley.Request{}, s.server.explain("get request "+string(id), err)
	}
	r, err := decodeRequest(id, stored)
	if err != nil {
		return parley.Request{}, fmt.Errorf("request %s: %w", id, err)
	}
	return r, nil
}

// Settle implements parley.Store.
func (s *Store) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	n, err := s.run(ctx, s.scripts.settle, s.keys.request(id),
		string(id), encodeOutcome(o), strconv.FormatInt(s.retention.Milliseconds(), 10))
	switch {
	case err != nil:
		return s.server.explain("settle request "+string(id), err)
	case n == 0:
		return fmt.Errorf("request %s: %w", id, parley.ErrNotFound)
	case n < 0:
		return fmt.Errorf("request %s: %w", id, parley.ErrSettled)
	}
	return nil
}
