package resources

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/parley-hq/parley/internal/testkit/servers"
)

// counted is a store whose writes are counted: what is sent to Redis, or what
// the process has the system write where it is SQLite.
type counted struct {
	url    string
	server *servers.Server
	proxy  net.Listener
	sent   atomic.Int64
	dir    string
}

func openCounted(ctx context.Context, kind, dir string) (*counted, error) {
	c := &counted{}
	var err error
	if kind == "sqlite" {
		c.dir, err = os.MkdirTemp(dir, "store-")
		c.url = "sqlite:" + filepath.Join(c.dir, "parley.db")
		return c, err
	}
	if kind != "redis" {
		return nil, fmt.Errorf("store %q: redis or sqlite", kind)
	}
	if c.server, err = servers.StartRedis(ctx, nil); err != nil {
		return nil, err
	}
	at, err := url.Parse(c.server.URL)
	if err != nil {
		return nil, err
	}
	if c.proxy, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	go c.relay(at.Host)
	at.Host = c.proxy.Addr().String()
	c.url = at.String()
	return c, nil
}

// relay passes on what comes, and counts it.
func (c *counted) relay(to string) {
	for {
		in, err := c.proxy.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", to)
		if err != nil {
			in.Close()
			continue
		}
		go func() {
			defer in.Close()
			_, _ = io.Copy(in, out)
		}()
		go func() {
			defer out.Close()
			_, _ = io.Copy(io.MultiWriter(out, tally{&c.sent}), in)
		}()
	}
}

// tally counts what is written to it.
type tally struct{ n *atomic.Int64 }

func (t tally) Write(p []byte) (int, error) {
	t.n.Add(int64(len(p)))
	return len(p), nil
}

// written is how much was written by the process.
func (c *counted) written(pid int) int64 {
	if c.proxy != nil {
		return c.sent.Load()
	}
	raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid))
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, "write_bytes:"); ok {
			n, _ := strconv.ParseInt(strings.TrimSpace(rest), 10, 64)
			return n
		}
	}
	return 0
}

func (c *counted) close() {
	if c.proxy != nil {
		c.proxy.Close()
		c.server.Close()
	}
	if c.dir != "" {
		os.RemoveAll(c.dir)
	}
}
