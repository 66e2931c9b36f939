package core

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/bench/kit"
	"github.com/parley-hq/parley/internal/backend"
)

var (
	asked  = parley.Principal{User: "alice", Method: "bench"}
	agreed = parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"confirmed":true}`), Via: "bench"}
)

func question(user string) parley.Request {
	return parley.Request{
		To: user, From: "bench", Message: "Delete account 7? This cannot be undone.",
		Schema: json.RawMessage(`{"type":"object","properties":{"confirmed":{"type":"boolean","description":"Confirm deletion"}},"required":["confirmed"]}`),
	}
}

// operations times Open, Answer and the wake-up of a waiter in this process.
func operations(ctx context.Context, s *kit.Site, rounds int) (b Backend, err error) {
	store, err := s.Open(ctx, "operations")
	if err != nil {
		return b, err
	}
	defer store.Close()
	hub := parley.New(store, nil)
	stop := kit.RunHub(ctx, hub)
	defer stop()
	var opens, answers, wakes kit.Samples
	for range rounds {
		began := time.Now()
		r, err := hub.Open(ctx, question(asked.User))
		if err != nil {
			return b, err
		}
		opens.Add(time.Since(began))
		answer, wake, err := resolveOne(ctx, hub, r.ID)
		if err != nil {
			return b, err
		}
		answers.Add(answer)
		wakes.Add(wake)
	}
	return Backend{Name: s.Name, Open: opens.Median(), Answer: answers.Median(), Wake: wakes.Median()}, nil
}

// resolveOne answers a question that a goroutine waits for. It returns how long
// Answer took, and how long it was from its beginning to the return of Wait.
func resolveOne(ctx context.Context, hub *parley.Hub, id parley.ID) (answer, wake time.Duration, err error) {
	waiting, woken := make(chan struct{}), make(chan time.Time, 1)
	var waitErr error
	go func() {
		close(waiting)
		_, waitErr = hub.Wait(ctx, id)
		woken <- time.Now()
	}()
	<-waiting
	time.Sleep(time.Millisecond) // so that the waiter waits: it is the wake-up that is timed
	began := time.Now()
	if err := hub.Answer(ctx, asked, id, agreed); err != nil {
		return 0, 0, err
	}
	answer = time.Since(began)
	wake = (<-woken).Sub(began)
	return answer, wake, waitErr
}

// otherProcess times the wake-up from an answer given in another process.
func otherProcess(ctx context.Context, s *kit.Site, rounds int) (wakes kit.Samples, err error) {
	kit.Progress("%s: wake-ups from another process", s.Name)
	const space = "processes"
	store, err := s.Open(ctx, space)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	hub := parley.New(store, nil)
	stop := kit.RunHub(ctx, hub)
	defer stop()
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, "core-answerer", s.URL(space), space)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	replies := json.NewDecoder(out)
	for range rounds {
		r, err := hub.Open(ctx, question(asked.User))
		if err != nil {
			return nil, err
		}
		woken := make(chan time.Time, 1)
		go func() {
			_, _ = hub.Wait(ctx, r.ID)
			woken <- time.Now()
		}()
		time.Sleep(time.Millisecond)
		fmt.Fprintln(in, r.ID)
		var began time.Time
		if err := replies.Decode(&began); err != nil {
			return nil, err
		}
		wakes.Add((<-woken).Sub(began))
	}
	in.Close()
	return wakes, cmd.Wait()
}

// Answerer is the other process: it answers each id it reads and says when it
// began.
func Answerer(ctx context.Context, args []string) error {
	store, err := backend.Open(ctx, args[0], &backend.Options{Space: args[1]})
	if err != nil {
		return err
	}
	defer store.Close()
	hub := parley.New(store, nil)
	out := json.NewEncoder(os.Stdout)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		began := time.Now()
		if err := hub.Answer(ctx, asked, parley.ID(in.Text()), agreed); err != nil {
			return err
		}
		if err := out.Encode(began); err != nil {
			return err
		}
	}
	return nil
}
