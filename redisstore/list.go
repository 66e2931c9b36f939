package redisstore

import (
	"context"
	"fmt"
	"slices"

	"github.com/gomodule/redigo/redis"

	"github.com/parley-hq/parley"
)

const (
	// leastBatch keeps a query that finds little among many candidates from
	// asking for them one by one.
	leastBatch = 100

	// mostDue is how many due requests are sorted here. Beyond it, walking the
	// pending ones in order is cheaper.
	mostDue = 10_000

	// mostTogether is how many indexes are asked in one message.
	mostTogether = 256
)

// candidates returns ids behind after, in the list's order, at most n: fewer
// only when there are no more.
type candidates func(ctx context.Context, after parley.ID, n int) ([]parley.ID, error)

// List implements parley.Store.
func (s *Store) List(ctx context.Context, q parley.Query) ([]parley.Request, error) {
	q, err := q.Normal()
	if err != nil {
		return nil, err
	}
	list, err := s.list(ctx, q)
	if err != nil {
		return nil, s.server.explain("list requests", err)
	}
	return list, nil
}

func (s *Store) list(ctx context.Context, q parley.Query) ([]parley.Request, error) {
	next, err := s.candidates(ctx, q)
	if err != nil {
		return nil, err
	}
	var list []parley.Request
	for after := q.After; ; {
		n := max(q.Limit-len(list), leastBatch)
		ids, err := next(ctx, after, n)
		if err != nil {
			return nil, err
		}
		requests, err := s.load(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, r := range requests {
			if q.Matches(r) {
				list = append(list, r)
			}
		}
		if len(list) >= q.Limit {
			return list[:q.Limit], nil
		}
		if len(ids) < n {
			return list, nil
		}
		after = ids[len(ids)-1]
	}
}

// load returns the requests that are there. An index entry can outlive its
// request for a while.
func (s *Store) load(ctx context.Context, ids []parley.ID) ([]parley.Request, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	names := make([]any, len(ids))
	for i, id := range ids {
		names[i] = s.keys.request(id)
	}
	values, err := s.values(ctx, names)
	if err != nil {
		return nil, err
	}
	requests := make([]parley.Request, 0, len(ids))
	for i, value := range values {
		if value == nil {
			continue
		}
		stored, err := redis.String(value, nil)
		if err != nil {
			return nil, err
		}
		r, err := decodeRequest(ids[i], stored)
		if err != nil {
			return nil, fmt.Errorf("request %s: %w", ids[i], err)
		}
		requests = append(requests, r)
	}
	return requests, nil
}

// values returns what keys have; nil is nothing.
func (s *Store) values(ctx context.Context, names []any) ([]any, error) {
	values, err := redis.Values(s.link.one(ctx, "MGET", names...))
	if err == nil && len(values) != len(names) {
		err = errFormat
	}
	return values, err
}

// candidates chooses the smallest index for q.
func (s *Store) candidates(ctx context.Context, q parley.Query) (candidates, error) {
	if q.Soonest {
		return s.soonest(q), nil
	}
	if q.Pending && !q.ExpiresBefore.IsZero() && q.To == "" && q.Session == "" {
		ids, err := s.due(ctx, q, 0, mostDue+1)
		if err != nil {
			return nil, err
		}
		if len(ids) <= mostDue {
			return inOrder(ids, q.Newest), nil
		}
	}
	tenants := []string{q.Tenant}
	if q.Tenant == "" {
		var err error
		if tenants, err = s.tenants(ctx); err != nil {
			return nil, err
		}
	}
	sets := []string{openSet, pastSet} // in this order: a request that settles meanwhile is seen twice, not never
	if q.Pending {
		sets = sets[:1]
	}
	var names []string
	for _, set := range sets {
		for _, tenant := range tenants {
			switch {
			case q.Session != "":
				names = append(names, s.keys.bySession(set, tenant, q.Session))
			case q.To != "":
				names = append(names, s.keys.byUser(set, tenant, q.To))
			default:
				names = append(names, s.keys.byTenant(set, tenant))
			}
		}
	}
	return func(ctx context.Context, after parley.ID, n int) ([]parley.ID, error) {
		return s.merged(ctx, names, after, q.Newest, n)
	}, nil
}

// merged returns the first n ids of several sets together.
func (s *Store) merged(ctx context.Context, names []string, after parley.ID, newest bool, n int) ([]parley.ID, error) {
	if len(names) == 0 {
		return nil, nil
	}
	var ids []parley.ID
	for some := range slices.Chunk(names, mostTogether) {
		commands, replies := make([]command, len(some)), make([]any, len(some))
		for i, name := range some {
			commands[i] = slice(name, after, newest, n)
		}
		if err := s.link.do(ctx, commands, replies); err != nil {
			return nil, err
		}
		for _, reply := range replies {
			members, err := redis.Strings(reply, nil)
			if err != nil {
				return nil, err
			}
			ids = append(ids, identifiers(members)...)
		}
	}
	ids = sorted(ids, newest)
	return ids[:min(n, len(ids))], nil
}

// slice asks for the first n ids of one set.
func slice(name string, after parley.ID, newest bool, n int) command {
	bound := "(" + string(after)
	if newest {
		if after == "" {
			bound = "+"
		}
		return command{"ZREVRANGEBYLEX", []any{name, bound, "-", "LIMIT", 0, n}}
	}
	return command{"ZRANGEBYLEX", []any{name, bound, "+", "LIMIT", 0, n}}
}

// soonest goes through what is due by its expiry.
func (s *Store) soonest(q parley.Query) candidates {
	from := 0
	return func(ctx context.Context, _ parley.ID, n int) ([]parley.ID, error) {
		ids, err := s.due(ctx, q, from, n)
		from += len(ids)
		return ids, err
	}
}

// due returns n of the pending requests that expire at q.ExpiresBefore or earlier,
// by their expiry.
func (s *Store) due(ctx context.Context, q parley.Query, from, n int) ([]parley.ID, error) {
	members, err := redis.Strings(s.link.one(ctx, "ZRANGEBYSCORE", s.keys.due(),
		"-inf", milliseconds(q.ExpiresBefore), "LIMIT", from, n))
	return identifiers(members), err
}

var _ parley.Counter = (*Store)(nil) // else its test would be left out

// CountPending implements parley.Counter.
func (s *Store) CountPending(ctx context.Context) (int, error) {
	n, err := redis.Int(s.link.one(ctx, "ZCARD", s.keys.due()))
	if err != nil {
		return 0, s.server.explain("count requests", err)
	}
	return n, nil
}

func (s *Store) tenants(ctx context.Context) ([]string, error) {
	return redis.Strings(s.link.one(ctx, "ZRANGE", s.keys.tenants(), 0, -1))
}

func inOrder(ids []parley.ID, newest bool) candidates {
	ids = sorted(ids, newest)
	return func(_ context.Context, after parley.ID, n int) ([]parley.ID, error) {
		behind := func(id parley.ID) bool { return after == "" || id != after && (id > after) != newest }
		from := slices.IndexFunc(ids, behind)
		if from < 0 {
			return nil, nil
		}
		return ids[from:min(from+n, len(ids))], nil
	}
}

func identifiers(members []string) []parley.ID {
	ids := make([]parley.ID, len(members))
	for i, member := range members {
		ids[i] = parley.ID(member)
	}
	return ids
}

// sorted orders ids and drops repetitions.
func sorted(ids []parley.ID, newest bool) []parley.ID {
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if newest {
		slices.Reverse(ids)
	}
	return ids
}
