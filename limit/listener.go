package limit

import (
	"net"
	"time"
)

// listener counts the connections that it accepts.
type listener struct {
	net.Listener
	web  Web
	held *Held
}

// Accept returns the next connection for which there is room. Others are told
// that there is none.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		give, ok := l.held.Take(l.key(c))
		if !ok {
			l.web.Notices.Hit("connections", "address", c.RemoteAddr().String())
			refuse(c)
			continue
		}
		return &conn{Conn: c, within: l.web.Write, give: give}, nil
	}
}

// key is whose connection it is; empty for those who speak for many.
func (l *listener) key(c net.Conn) string {
	at, ok := parseAddress(c.RemoteAddr().String())
	if !ok || at.IsLoopback() || within(l.web.Trusted, at) {
		return ""
	}
	return addressKey(at)
}

const noRoom = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n" +
	"Content-Length: 49\r\n\r\nToo many connections are open. Try again shortly."

// refuse does not wait: what it writes fits into the buffer of a new connection.
func refuse(c net.Conn) {
	_ = c.SetWriteDeadline(time.Now().Add(time.Second))
	_, _ = c.Write([]byte(noRoom))
	_ = c.Close()
}

// conn cuts off a client that does not read. Each piece has its own time, so that
// a slow one gets a long answer too, and a stream lasts for as long as it is read.
type conn struct {
	net.Conn
	within time.Duration
	give   func()
}

const piece = 64 << 10

func (c *conn) Write(b []byte) (written int, err error) {
	if c.within < 0 {
		return c.Conn.Write(b)
	}
	for {
		next := b[written:min(written+piece, len(b))]
		if err := c.SetWriteDeadline(time.Now().Add(c.within)); err != nil {
			return written, err
		}
		n, err := c.Conn.Write(next)
		if written += n; err != nil || written == len(b) {
			return written, err
		}
	}
}

func (c *conn) Close() error {
	defer c.give()
	return c.Conn.Close()
}

// CloseWrite lets net/http end an answer before it closes the connection.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
