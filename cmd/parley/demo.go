package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/sqlitestore"
)

// you is who answers in the demo: the person at this terminal.
var you = parley.Principal{User: "you", Method: "demo"}

// deletion is the form that the demo asks for.
type deletion struct {
	Confirmed bool   `json:"confirmed" jsonschema:"Confirm deletion"`
	Reason    string `json:"reason,omitempty" jsonschema:"Why, if you like"`
}

// demo shows the point of it all: a process asks and is killed, the question
// stays, a person answers it in another process, and a third one goes on with
// the answer.
func demo(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("parley demo", flag.ContinueOnError)
	headless := flags.Bool("headless", false, "answer without asking")
	if err := flags.Parse(args); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "parley-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "parley.db")
	store, err := sqlitestore.Open(ctx, file, nil)
	if err != nil {
		return err
	}
	defer store.Close()
	person := terminal{in: bufio.NewReader(os.Stdin), headless: *headless}
	return story{hub: parley.New(store, nil), file: file, person: person}.play(ctx)
}

type story struct {
	hub    *parley.Hub
	file   string
	person terminal
}

func (s story) play(ctx context.Context) error {
	fmt.Println("1. A process asks before it deletes an account, and waits.")
	asker, id, err := s.startAsker(ctx, "")
	if err != nil {
		return err
	}
	fmt.Printf("   process %d asked question %s\n", asker.Process.Pid, id)

	fmt.Println("2. It is killed while it waits: kill -9.")
	if err := asker.Process.Kill(); err != nil {
		return err
	}
	asker.Wait() // killed: its error is expected

	fmt.Println("3. The question is still there. You answer it.")
	r, err := s.hub.Get(ctx, you, id)
	if err != nil {
		return err
	}
	if err := s.answer(ctx, r); err != nil {
		return err
	}

	fmt.Println("4. A new process goes on where the first one stopped.")
	again, _, err := s.startAsker(ctx, id)
	if err != nil {
		return err
	}
	if err := again.Wait(); err != nil {
		return err
	}

	fmt.Println("5. A second answer to the same question does not count:")
	err = s.hub.Answer(ctx, you, id, parley.Answer{Action: parley.Decline, Via: "terminal"})
	if !errors.Is(err, parley.ErrSettled) {
		return fmt.Errorf("the second answer was not refused: %v", err)
	}
	fmt.Printf("   %v\n", err)
	return nil
}

// answer asks the person until the answer fits the question.
func (s story) answer(ctx context.Context, r parley.Request) error {
	for {
		answer, err := s.person.ask(r)
		if err != nil {
			return err
		}
		err = s.hub.Answer(ctx, you, r.ID, answer)
		if err == nil {
			return nil
		}
		if s.person.headless || errors.Is(err, parley.ErrExpired) {
			return err
		}
		fmt.Printf("   %v\n", err)
	}
}

// startAsker starts the process that asks, or that takes up question id, and
// returns once it has said which question it waits for.
func (s story) startAsker(ctx context.Context, id parley.ID) (*exec.Cmd, parley.ID, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, "", err
	}
	cmd := exec.CommandContext(ctx, self, "demo-ask", s.file, string(id))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	if err != nil {
		return nil, "", fmt.Errorf("the asking process ended: %w", errors.Join(err, cmd.Wait()))
	}
	if id != "" {
		_, err = io.Copy(os.Stdout, lines)
	}
	return cmd, parley.ID(strings.TrimSpace(first)), err
}

// demoAsk is the asking process: it opens a question, or takes up the one whose
// id it is given, waits, and says what it got.
func demoAsk(ctx context.Context, args []string) error {
	store, err := sqlitestore.Open(ctx, args[0], nil)
	if err != nil {
		return err
	}
	defer store.Close()
	hub := parley.New(store, nil)
	id := parley.ID(args[1])
	if id == "" {
		r, err := openDeletion(ctx, hub)
		if err != nil {
			return err
		}
		id = r.ID
	}
	fmt.Println(id)
	outcome, err := hub.Wait(ctx, id)
	if err != nil {
		return err
	}
	var form deletion
	if outcome.Action == parley.Accept {
		if err := json.Unmarshal(outcome.Content, &form); err != nil {
			return err
		}
	}
	fmt.Printf("   process %d got: %s, confirmed %t, reason %q, %v ago\n",
		os.Getpid(), outcome.Action, form.Confirmed, form.Reason, time.Since(outcome.At).Round(time.Millisecond))
	return nil
}
