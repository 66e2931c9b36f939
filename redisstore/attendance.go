package redisstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/patience"
)

// Who attends subscribes to a channel of its own, on which nothing is ever said.
// When the process dies its machine closes the connection, and the channel has no
// subscriber. A connection may also break by itself: the node then attends again
// within the time that Absent takes to be sure, and so it does after the server
// has started anew, when nobody has subscribed. Another server may have taken its
// place that has been running for long, so our own connection must stand as long.
const young = 10 * time.Second // after that a server knows nobody yet

var _ parley.Attendance = (*Store)(nil)

func (k keys) node(name string) string { return k.tag + ":node:" + name }

// Attend implements parley.Attendance. It has a connection of its own. The nodes of
// a cluster count their own subscribers only, so there it is not supported.
func (s *Store) Attend(ctx context.Context, node string, there func()) error {
	if s.server.cluster {
		return fmt.Errorf("redisstore: attendance in a cluster: %w", errors.ErrUnsupported)
	}
	return s.subscribe(ctx, "attend", s.keys.node(node), there, func(string) {})
}

// Absent implements parley.Attendance.
func (s *Store) Absent(ctx context.Context, node string) (bool, error) {
	return patience.Missed(ctx, func(ctx context.Context) (bool, error) {
		subscribers, err := s.subscribers(ctx, s.keys.node(node))
		up := time.Duration(0)
		if err == nil && subscribers == 0 {
			up, err = s.uptime(ctx)
			up = min(up, time.Since(s.link.lastLost()))
		}
		switch {
		case err != nil:
			return false, s.server.explain("absent", err)
		case subscribers > 0:
			return false, nil
		case up < young:
			return false, parley.ErrUnsure
		}
		return true, nil
	})
}

func (s *Store) subscribers(ctx context.Context, channel string) (int64, error) {
	told, err := redis.Values(s.link.one(ctx, "PUBSUB", "NUMSUB", channel)) // its name, and how many
	if err != nil || len(told) != 2 {
		return 1, err
	}
	return redis.Int64(told[1], nil)
}

// uptime is how long the server has been running.
func (s *Store) uptime(ctx context.Context) (time.Duration, error) {
	told, err := redis.String(s.link.one(ctx, "INFO", "server"))
	if err != nil {
		return 0, err
	}
	for line := range strings.SplitSeq(told, "\n") {
		if seconds, ok := strings.CutPrefix(strings.TrimSpace(line), "uptime_in_seconds:"); ok {
			n, err := strconv.Atoi(seconds)
			return time.Duration(n) * time.Second, err
		}
	}
	return 0, errors.New("the server does not say since when it runs")
}
