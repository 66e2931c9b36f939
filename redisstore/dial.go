package redisstore

import (
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"
)

// conn is a connection to a server. One may send and another receive at the same time.
type conn struct {
	redis.Conn // writes commands and reads replies
	wire       *wire
	address    string
}

// end closes the socket itself: TLS would say good-bye first, to a server that may be silent.
func (c *conn) end() { _ = c.wire.Conn.Close() }

// dial connects and says who we are. check asks what else is to be known, and is bounded
// with all of that; nil asks nothing.
func (s server) dial(ctx context.Context, address string, check func(*conn) error) (*conn, error) {
	dialer := net.Dialer{Timeout: s.dialTimeout}
	began := time.Now()
	socket, err := dialer.DialContext(ctx, s.network, address)
	if err != nil {
		return nil, err
	}
	c := &conn{wire: newWire(socket), address: address}
	forget := context.AfterFunc(ctx, c.end)
	err = s.prepare(c, began, check)
	if !forget() {
		err = ctx.Err()
	}
	if err != nil {
		c.end()
		return nil, err
	}
	return c, nil
}

// prepare makes a socket a connection: TLS within what is left of the time to connect,
// everything else within as much again.
func (s server) prepare(c *conn, began time.Time, check func(*conn) error) error {
	var top net.Conn = c.wire
	if s.tls != nil {
		secure := tls.Client(c.wire, s.tls)
		_ = c.wire.SetDeadline(began.Add(s.dialTimeout))
		if err := secure.Handshake(); err != nil {
			return err
		}
		top = secure
	}
	c.Conn = redis.NewConn(&bounds{Conn: top}, 0, 0)
	_ = c.wire.SetDeadline(time.Now().Add(s.dialTimeout))
	if err := s.greet(c); err != nil {
		return err
	}
	if check != nil {
		if err := check(c); err != nil {
			return err
		}
	}
	return c.wire.SetDeadline(time.Time{})
}

// greet signs in. HELLO does all of it and needs no right, which CLIENT SETNAME would; what
// stands between us and Redis may not know it.
func (s server) greet(c *conn) error {
	said := []any{"2"}
	if s.user != "" || s.password != "" {
		said = append(said, "AUTH", cmp.Or(s.user, "default"), s.password)
	}
	if s.name != "" {
		said = append(said, "SETNAME", s.name)
	}
	_, err := c.Do("HELLO", said...)
	if isAnswer(err) && strings.Contains(strings.ToLower(err.Error()), "unknown command") {
		err = s.greetOld(c)
	}
	if err == nil && s.db != 0 {
		_, err = c.Do("SELECT", s.db)
	}
	return err
}

func (s server) greetOld(c *conn) error {
	var err error
	switch {
	case s.user != "":
		_, err = c.Do("AUTH", s.user, s.password)
	case s.password != "":
		_, err = c.Do("AUTH", s.password)
	}
	if err == nil && s.name != "" {
		_, err = c.Do("CLIENT", "SETNAME", s.name)
	}
	return err
}
