package redisstore

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
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

// parameters are those of a URL that the library reads. It passes over all others.
var parameters = []string{"addr", "client_cache", "client_name", "db", "dial_timeout", "master_set", "max_retries", "protocol", "skip_verify", "write_timeout"}

func parseURL(text string, cluster bool) (server, error) {
	option, err := rueidis.ParseURL(text)
	if err != nil || userinfo.Spills(text, userinfo.Last) {
		// The library's error repeats parts of the URL, and so of the password.
		return server{}, errors.New("redisstore: the URL cannot be read: write redis://user:password@host:6379/0, " +
			"or rediss:// with TLS, with special characters of the password percent-encoded: %40 for @, %2F for /, %3F for ?, %23 for #")
	}
	if err := checkParts(text); err != nil {
		return server{}, err
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

// checkParts refuses what of a URL the library would pass over without a word: whoever wrote
// it believes that it does something.
func checkParts(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Opaque != "" {
		return errors.New("redisstore: the URL names no server: write redis://user:password@host:6379/0")
	}
	if u.Fragment != "" {
		return errors.New("redisstore: the URL goes on behind a #, where nothing is read: leave that out, or write %23 for a # of the password")
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return errors.New("redisstore: what follows ? in the URL cannot be read: write NAME=VALUE, with & between two and other characters percent-encoded")
	}
	var unknown []string
	for name := range query {
		if !slices.Contains(parameters, name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	return fmt.Errorf("redisstore: %.40q: there is no such parameter of a URL; there are %s, and in parley's configuration space",
		slices.Min(unknown), strings.Join(parameters, ", "))
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
