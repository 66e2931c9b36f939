package redisstore

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"
)

// server is where to connect, and how.
type server struct {
	network        string   // tcp or unix
	addresses      []string // one at least; of a cluster or of sentinels any of them
	tls            *tls.Config
	user, password string
	db             int
	name           string // of our connections, for whoever looks at them
	masterSet      string // what the sentinels call the server; empty: there are none
	cluster        bool
	dialTimeout    time.Duration
	timeout        time.Duration // until an answer; negative: any time
}

// explain says what was being done when err came, and keeps the password out: a server
// that does not know a command repeats its arguments, of which Redis tells 128 bytes.
func (s server) explain(doing string, err error) error {
	how := "cannot be reached or does not answer"
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded),
		errors.Is(err, errClosed), errors.Is(err, errFormat):
		return fmt.Errorf("redisstore: %s: %w", doing, err)
	case isAnswer(err):
		how = "refuses"
	}
	told := isAnswer(err) || !strings.Contains(s.address(), s.password) // "lookup redis" tells no password that is redis
	if told && s.password != "" && strings.Contains(err.Error(), s.password[:min(len(s.password), recognized)]) {
		err = errors.New("its answer is withheld, for it repeats the password")
	}
	return fmt.Errorf("redisstore: %s: Redis at %s %s: %w", doing, s.address(), how, err)
}

func (s server) address() string { return strings.Join(s.addresses, ", ") }

// recognized is how much of a password is looked for.
const recognized = 16

// isAnswer reports whether err came from the server.
func isAnswer(err error) bool {
	var answer redis.Error
	return errors.As(err, &answer)
}

// isRefusal reports whether err is an answer of the server that begins so.
func isRefusal(err error, begins string) bool {
	var answer redis.Error
	return errors.As(err, &answer) && strings.HasPrefix(string(answer), begins)
}

// isReadOnly reports whether a server takes no writes, as a replica does not. Redis before 7
// says in the middle of an answer what a script was told.
func isReadOnly(answer redis.Error) bool {
	return strings.HasPrefix(string(answer), "READONLY") || strings.Contains(string(answer), ": -READONLY ")
}

// foreign returns err as it may be shown to a caller whose context goes on: the
// time-outs of connections look like those of a context.
func foreign(err error) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return fmt.Errorf("no answer in time: %v", err)
	}
	return err
}
