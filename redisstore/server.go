package redisstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/redis/rueidis"

	"github.com/parley-hq/parley/internal/userinfo"
)

const (
	dialTimeout = 5 * time.Second

	// writeTimeout bounds a command without an answer; an idle connection is
	// asked every second and given up after as long.
	writeTimeout = 5 * time.Second

	bufferSize = 64 << 10 // of each connection; the library's default is eight times that
)

// server is where to connect, and how.
type server struct {
	option rueidis.ClientOption
}

func parseURL(url string, cluster bool) (server, error) {
	option, err := rueidis.ParseURL(url)
	if err != nil || userinfo.Spills(url, userinfo.Last) {
		// The library's error repeats parts of the URL, and so of the password.
		return server{}, errors.New("redisstore: the URL cannot be read: write redis://user:password@host:6379/0, " +
			"or rediss:// with TLS, with special characters of the password percent-encoded: %40 for @, %2F for /, %3F for ?, %23 for #")
	}
	option.ForceSingleClient = !cluster
	option.DisableCache = true
	// The library repeats what only reads. It would do so without end while the
	// server is away; the hub has its own patience.
	option.DisableRetry = true
	// A connection that has a reader all the time is known to be broken at once,
	// not only to the next call.
	option.AlwaysPipelining = true
	option.ReadBufferEachConn, option.WriteBufferEachConn = bufferSize, bufferSize
	if option.Dialer.Timeout == 0 {
		option.Dialer.Timeout = dialTimeout
	}
	if option.ConnWriteTimeout == 0 {
		option.ConnWriteTimeout = writeTimeout
	}
	return server{option}, nil
}

// connect returns a client that has reached the server. The library takes no
// context to connect, so an attempt that is given up ends by its own time-out.
func connect(ctx context.Context, option rueidis.ClientOption) (rueidis.Client, error) {
	type result struct {
		client rueidis.Client
		err    error
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	done := make(chan result, 1)
	go func() {
		client, err := rueidis.NewClient(option)
		if err != nil && client != nil { // it would go on trying
			client.Close()
			client = nil
		}
		done <- result{client, err}
	}()
	select {
	case r := <-done:
		return r.client, foreign(r.err)
	case <-ctx.Done():
		go func() {
			if r := <-done; r.client != nil {
				r.client.Close()
			}
		}()
		return nil, ctx.Err()
	}
}

// explain says what was being done when err came, and keeps the password out:
// a server that does not know a command repeats its arguments.
func (s server) explain(doing string, err error) error {
	how := "cannot be reached or does not answer"
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded),
		errors.Is(err, errClosed), errors.Is(err, errFormat):
		return fmt.Errorf("redisstore: %s: %w", doing, err)
	case isAnswer(err):
		how = "refuses"
	}
	if secret := s.option.Password; secret != "" && strings.Contains(err.Error(), secret) {
		err = errors.New("its answer is withheld, for it repeats the password")
	}
	return fmt.Errorf("redisstore: %s: Redis at %s %s: %w", doing, s.address(), how, err)
}

func (s server) address() string { return strings.Join(s.option.InitAddress, ", ") }

// isAnswer reports whether err came from the server.
func isAnswer(err error) bool {
	_, ok := rueidis.IsRedisErr(err)
	return ok
}
