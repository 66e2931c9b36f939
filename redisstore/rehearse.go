package redisstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gomodule/redigo/redis"

	"github.com/parley-hq/parley"
)

// Rehearse finds out whether Open would succeed, and whether its store could be used: whether
// Redis takes writes, and lets the user of the URL do all that the store does. It leaves nothing
// behind. without names rights that are missing where the store goes on, and learns ten seconds
// late that a node was killed.
func Rehearse(ctx context.Context, url string, opts *Options) (without string, err error) {
	s, err := Open(ctx, url, opts)
	if err != nil {
		return "", err
	}
	defer s.Close()
	lacks, err := s.refusals(ctx)
	if err != nil {
		return "", err
	}
	if err := s.hears(ctx, &lacks); err != nil {
		return "", err
	}
	if len(lacks.needed) > 0 {
		return "", fmt.Errorf("redisstore: the user %s of Redis at %s lacks %s: run ACL SETUSER %s %s as an administrator of it",
			s.server.who(), s.server.address(), lacks.said(), s.server.who(), strings.Join(append(lacks.needed, lacks.wanted...), " "))
	}
	return strings.Join(lacks.wanted, " "), nil
}

// rights are what Redis's access lists call what a user lacks.
type rights struct{ needed, wanted []string }

// said is what is needed, in words.
func (r rights) said() string {
	var commands, places []string
	for _, right := range r.needed {
		switch right[0] {
		case '+':
			commands = append(commands, strings.ToUpper(right[1:]))
		case '~':
			places = append(places, "full access to the keys "+right[1:])
		default:
			places = append(places, "access to the channels "+right[1:])
		}
	}
	if len(commands) > 0 {
		places = append([]string{"the right to run " + strings.Join(commands, ", ")}, places...)
	}
	return strings.Join(places, ", ")
}

// tries are the commands that the scripts and the store run, each so that it makes nothing of
// a key that is not there, but INCR.
func (s *Store) tries(key string) []command {
	of := func(name string, args ...any) command { return command{name, append([]any{key}, args...)} }
	bare := func(name string, args ...any) command { return command{name, args} }
	return []command{
		of("DEL"), of("INCR"),
		of("SET", "", "XX"), of("GET"), of("MGET"), of("GETRANGE", "0", "0"), of("EXISTS"), of("PEXPIREAT", "1"),
		of("ZADD", "XX", "0", ""), of("ZREM", ""), of("ZCARD"), of("ZRANGE", "0", "-1"),
		of("ZRANGEBYSCORE", "-inf", "0"), of("ZRANGEBYLEX", "-", "+"), of("ZREVRANGEBYLEX", "+", "-"),
		bare("EVAL", "return 1", "0"), bare("EVALSHA", strings.Repeat("0", 40), "0"),
		bare("TIME"), bare("PUBLISH", s.keys.node(key), ""), bare("PUBSUB", "NUMSUB"), bare("INFO", "server"),
	}
}

// refusals are the rights that are missing for commands. An error is about all of them.
func (s *Store) refusals(ctx context.Context) (lacks rights, err error) {
	key := s.keys.tag + ":rehearsal:" + string(parley.NewID())
	for _, try := range s.tries(key) {
		name := strings.ToLower(try.name)
		sent := []command{try}
		if name == "incr" {
			if slices.Contains(lacks.needed, "+del") {
				continue // it would stay
			}
			sent = append(sent, command{"DEL", []any{key}}) // in one message: no end of ctx comes between
		}
		replies := make([]any, len(sent))
		err := s.link.do(ctx, sent, replies)
		if refused, ok := replies[0].(redis.Error); ok {
			err = refused
		}
		if err := s.note(&lacks, name, err); err != nil {
			return lacks, err
		}
	}
	return lacks, nil
}

// hears finds out whether the user may subscribe.
func (s *Store) hears(ctx context.Context, lacks *rights) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	stands := false
	err := s.receive(ctx, s.keys.channel(), func() { stands = true; stop() }, func(string) {})
	if stands {
		return nil
	}
	return s.note(lacks, "subscribe", err)
}

// note takes what Redis says of a command. It returns what is no lack of a right.
func (s *Store) note(lacks *rights, command string, err error) error {
	var said redis.Error
	refused := errors.As(err, &said)
	switch {
	case err == nil || isRefusal(err, "NOSCRIPT"):
		return nil
	case isRefusal(err, "READONLY"):
		return fmt.Errorf("redisstore: Redis at %s takes no writes: it is a replica. Name the primary", s.server.address())
	case !refused || !strings.HasPrefix(said.Error(), "NOPERM"):
		return s.server.explain("rehearse "+strings.ToUpper(command), err)
	}
	right := "+" + command
	switch _, what, _ := strings.Cut(said.Error(), "o permissions"); { // before it a newer Redis has the user's name
	case strings.Contains(what, " command"):
	case strings.Contains(what, "channel"):
		right = "&" + literal(s.keys.tag) + ":*"
	default:
		right = "~" + literal(s.keys.tag) + ":*"
	}
	list := &lacks.needed
	switch command {
	case "info":
		list = &lacks.wanted
	case "pubsub":
		list, right = &lacks.wanted, "+pubsub|numsub"
	}
	if !slices.Contains(*list, right) {
		*list = append(*list, right)
	}
	return nil
}

// who connects.
func (s server) who() string { return cmp.Or(s.user, "default") }
