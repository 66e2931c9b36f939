package redisstore

import (
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/parley-hq/parley"
)

// What only tests need to see.
var (
	EncodeRequest = encodeRequest
	EncodeOutcome = encodeOutcome
	DecodeRequest = decodeRequest
	DecodeRecord  = decodeRecord
	Behind        = behind
	SlotOf        = slotOf
	ErrBounds     = errBounds
)

// MostCalls is how many calls of a connection have no answer yet.
const MostCalls = mostCalls

// OnSocket returns a store whose connection is a socket. When that breaks nobody answers.
func OnSocket(socket net.Conn) *Store {
	c := &conn{wire: newWire(socket)}
	c.Conn = redis.NewConn(c.wire, 0, 0)
	at := server{network: "tcp", addresses: []string{"127.0.0.1:1"}, dialTimeout: time.Second, timeout: time.Minute}
	s := &Store{link: newLink(at, 0), server: at, keys: keys{tag: "{socket}"}, scripts: newScripts(), retention: time.Hour}
	s.link.pipe = newPipe(c, s.link)
	s.close = sync.OnceFunc(s.link.close)
	return s
}

// Replies are those in what a server says, within bounds or as the library reads them.
func Replies(said io.Reader, within bool) (replies []any, err error) {
	var socket net.Conn = speaker{in: said}
	if within {
		socket = &bounds{Conn: socket}
	}
	for c := redis.NewConn(socket, 0, 0); ; {
		reply, err := c.Receive()
		if refused, ok := err.(redis.Error); ok {
			reply, err = refused, nil
		}
		if err != nil {
			return replies, err
		}
		replies = append(replies, reply)
	}
}

// speaker is a socket that only speaks.
type speaker struct {
	net.Conn
	in io.Reader
}

func (s speaker) Read(p []byte) (int, error)      { return s.in.Read(p) }
func (s speaker) SetReadDeadline(time.Time) error { return nil }
func (s speaker) Close() error                    { return nil }

// Addresses are those of a URL.
func Addresses(url string) (string, error) {
	s, err := parseURL(url, false)
	return s.address(), err
}

// Settled returns a stored request as the settle script leaves it.
func Settled(request, outcome string) string { return string(settledState) + request[1:] + outcome }

// Names returns every name that is made of a, b and c, by what it names.
func Names(prefix, a, b, c string) map[string]string {
	k := keys{tag: "{" + prefix + "}"}
	names := map[string]string{"due": k.due(), "dying": k.dying(), "tenants": k.tenants(), "channel": k.channel()}
	names[fmt.Sprintf("request %q", a)] = k.request(parley.ID(a))
	for _, set := range []string{openSet, pastSet} {
		names[fmt.Sprintf("%s of tenant %q", set, a)] = k.byTenant(set, a)
		names[fmt.Sprintf("%s of user %q %q", set, a, b)] = k.byUser(set, a, b)
		names[fmt.Sprintf("%s of session %q %q", set, a, b)] = k.bySession(set, a, b)
	}
	names[fmt.Sprintf("records %q %q", a, b)] = k.index(a, b)
	names[fmt.Sprintf("record %q %q %q", a, b, c)] = k.record(parley.Address{Tenant: a, Kind: b, Key: c})
	return names
}
