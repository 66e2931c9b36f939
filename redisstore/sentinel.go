package redisstore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"
)

// sentinel is a sentinel as a server. They have neither TLS nor the user of the URL.
func (s server) sentinel() server {
	return server{network: s.network, dialTimeout: s.dialTimeout, timeout: s.timeout}
}

// toPrimary connects to the server that the sentinels name, which has to agree.
func (l *link) toPrimary(ctx context.Context) (*conn, error) {
	var last error
	for _, place := range l.places.all() {
		before := l.named()
		primary, err := l.askSentinel(ctx, place)
		if err == nil {
			var c *conn
			if c, err = l.server.dial(ctx, primary, isPrimary); err == nil {
				if l.agree(before, primary) {
					return c, nil
				}
				c.end()
				err = errMoved
			}
		}
		last = both(last, err)
	}
	return nil, last
}

// askSentinel returns the address of the primary, and notes the other sentinels.
func (l *link) askSentinel(ctx context.Context, place string) (primary string, err error) {
	sentinels := []string{place}
	c, err := l.server.sentinel().dial(ctx, place, func(c *conn) error {
		address, err := redis.Strings(c.Do("SENTINEL", "GET-MASTER-ADDR-BY-NAME", l.server.masterSet))
		if errors.Is(err, redis.ErrNil) || err == nil && len(address) != 2 {
			return fmt.Errorf("the sentinel at %s knows no master_set %q", place, l.server.masterSet)
		}
		if err != nil {
			return err
		}
		primary = net.JoinHostPort(address[0], address[1])
		others, _ := redis.Values(c.Do("SENTINEL", "SENTINELS", l.server.masterSet))
		for _, other := range others {
			if about, err := redis.StringMap(other, nil); err == nil && about["ip"] != "" {
				sentinels = append(sentinels, net.JoinHostPort(about["ip"], about["port"]))
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	c.end()
	l.places.prefer(place)
	l.places.know(sentinels)
	return primary, nil
}

// isPrimary asks a server whether it is. Who may not ask believes the sentinel: a replica
// takes no writes, and is left then.
func isPrimary(c *conn) error {
	role, err := redis.Values(c.Do("ROLE"))
	if isRefusal(err, "NOPERM") {
		return nil
	}
	if err != nil {
		return err
	}
	if is, _ := redis.String(append(role, "")[0], nil); is != "master" {
		return fmt.Errorf("%s, which the sentinels name, is no primary but a %s", c.address, is)
	}
	return nil
}

// follow leaves the server when a sentinel says that another one is the primary, which the
// server itself may not know when it is cut off from them. It ends when the store is closed.
func (l *link) follow() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	l.all.Go(func() {
		select {
		case <-l.closed:
			stop()
		case <-ctx.Done():
		}
	})
	again := time.NewTicker(time.Second)
	defer again.Stop()
	for ctx.Err() == nil {
		for _, place := range l.places.all() {
			if c, err := l.server.sentinel().dial(ctx, place, nil); err == nil {
				forget := context.AfterFunc(ctx, c.end)
				_ = l.hear(ctx, c)
				forget()
				c.end()
				break
			}
		}
		select {
		case <-again.C:
		case <-ctx.Done():
		}
	}
}

// hear listens to a sentinel. What it has said before is asked as soon as it is heard.
func (l *link) hear(ctx context.Context, c *conn) error {
	return c.listen("+switch-master", l.server.timeout, func() {
		if primary, err := l.askSentinel(ctx, c.address); err == nil {
			l.leaveFor(primary)
		}
	}, func(said string) { // the set, the old primary, the new one
		if words := strings.Fields(said); len(words) == 5 && words[0] == l.server.masterSet {
			l.leaveFor(net.JoinHostPort(words[3], words[4]))
		}
	})
}

// named is the primary that the sentinels named last, or nothing.
func (l *link) named() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.primary
}

// agree takes a server for the primary, unless a sentinel has named another one since it
// named that before.
func (l *link) agree(before, primary string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.primary != before && l.primary != primary {
		return false
	}
	l.adopt(primary)
	return true
}

// leaveFor ends all connections to another server than the primary, those too that are
// being made.
func (l *link) leaveFor(primary string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.adopt(primary)
}

// adopt is leaveFor. It needs mu.
func (l *link) adopt(primary string) {
	first := l.primary == ""
	if l.primary == primary {
		return
	}
	l.primary = primary
	if first {
		return
	}
	if l.pipe != nil && l.replaced(l.pipe.conn) {
		l.pipe.fail(fmt.Errorf("%s is the primary now", primary))
	}
	l.moves()
}
