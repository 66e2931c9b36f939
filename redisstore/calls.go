package redisstore

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/rueidis"
)

//go:embed scripts/*.lua
var sources embed.FS

// scripts are the changes that the store makes.
type scripts struct {
	put, settle, save, delete, sweep, rewrite *rueidis.Lua
}

func newScripts() scripts {
	return scripts{
		put:    script("put"),
		settle: script("settle"),
		save:   script("save"),
		delete: script("delete"),
		sweep:  script("sweep"),

		rewrite: script("rewrite"),
	}
}

// script is sent by its hash, and whole when the server does not know it. The
// library never repeats it otherwise: a settle whose reply was lost would find
// its own work and report that somebody else had been first.
func script(name string) *rueidis.Lua { return rueidis.NewLuaScript(source("names") + source(name)) }

func source(name string) string {
	text, err := sources.ReadFile("scripts/" + name + ".lua")
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(text)
}

// run runs a script about key.
func (s *Store) run(ctx context.Context, script *rueidis.Lua, key string, args ...string) (int64, error) {
	args = append([]string{s.keys.tag}, args...)
	return call(ctx, s, func(ctx context.Context) (int64, error) {
		return script.Exec(ctx, s.client, []string{key}, args).AsInt64()
	})
}

// call runs do, and leaves it alone when ctx ends or the store is closed.
//
// do itself runs without an end. Callers share connections: one that gave up
// while connecting would make others fail with its context's error, and the
// library does not look at a context while it waits for somebody else to
// connect or for room in a full queue. What is left alone ends by time-out.
func call[T any](ctx context.Context, s *Store, do func(context.Context) (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	select {
	case <-s.closed:
		return none, errClosed
	default:
	}
	done := make(chan result, 1)
	go func() {
		value, err := do(context.WithoutCancel(ctx))
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, foreign(r.err)
	case <-ctx.Done():
		return none, ctx.Err()
	case <-s.closed:
		return none, errClosed
	}
}

// foreign returns err as it may be shown to a caller whose context goes on: the
// library reports its own time-outs as those of a context.
func foreign(err error) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return fmt.Errorf("no answer in time: %v", err)
	}
	return err
}

func milliseconds(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }
