package demo

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/parley-hq/parley/internal/visitor"
)

// Play plays the whole story without a person and writes it to out. It fails if
// anything goes otherwise than told. By default the chat is at any free port.
func Play(ctx context.Context, opts *Options, out io.Writer) error {
	s := &story{out: out, dir: opts.Dir, logger: opts.Logger, addr: cmp.Or(opts.Addr, "127.0.0.1:0")}
	defer s.stop()
	for _, scene := range []func(context.Context) error{s.curtain, s.connect, s.approve, s.deny, s.fill, s.delegate, s.elsewhere, s.closing} {
		if err := scene(ctx); err != nil {
			return err
		}
	}
	return nil
}

// story is the play: Alice, a chat, and a server that is stopped in the middle.
type story struct {
	out    io.Writer
	dir    string
	logger *slog.Logger
	addr   string
	demo   *Demo
	end    func() error
	alice  person
}

func (s *story) tell(format string, args ...any) { fmt.Fprintf(s.out, format+"\n", args...) }

// begin starts the server, at the same address as before.
func (s *story) begin(ctx context.Context) error {
	d, err := New(ctx, &Options{Addr: s.addr, Dir: s.dir, Logger: s.logger})
	if err != nil {
		return err
	}
	s.demo, s.addr = d, strings.TrimPrefix(d.URL, "http://")
	run, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- d.Run(run) }()
	s.end = func() error {
		cancel()
		err := <-done
		if closeErr := d.Close(); err == nil {
			err = closeErr
		}
		s.end = nil
		return err
	}
	return nil
}

func (s *story) stop() {
	if s.alice.Visitor != nil {
		s.alice.Leave()
	}
	if s.end != nil {
		_ = s.end()
	}
}

func (s *story) curtain(ctx context.Context) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	s.tell("A server is up at %s. Alice signs in.", s.demo.URL)
	s.alice = person{visitor.New()}
	if err := s.alice.Open(ctx, s.demo.URL+"/login"); err != nil {
		return err
	}
	return s.alice.Send(ctx, "/login", url.Values{"user": {"alice"}})
}

// ask says something and returns the first question that comes.
func (s *story) ask(ctx context.Context, conversation, text string) (*talk, asked, error) {
	s.tell("\nAlice: %s", text)
	t, err := s.alice.say(ctx, s.demo.URL, conversation, text)
	if err != nil {
		return nil, asked{}, err
	}
	q, err := t.question()
	if err != nil {
		return nil, q, err
	}
	s.tell("  a question from %s: %s", cmp.Or(q.Context.Title, q.Context.Service), first(q.Message))
	return t, q, nil
}

func first(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// question reads up to the next question that is open.
func (t *talk) question() (q asked, err error) {
	found := false
	err = t.read(func(c chunk) bool {
		if c.Type != "data-elicitation-request" || json.Unmarshal(c.Data, &q) != nil || q.Outcome != nil {
			return false
		}
		found = true
		return true
	})
	if err == nil && !found {
		err = fmt.Errorf("nothing was asked")
	}
	return q, err
}

// finish reads the rest and checks what the agent says.
func (s *story) finish(t *talk, want string) error {
	defer t.body.Close()
	var said strings.Builder
	err := t.read(func(c chunk) bool {
		switch c.Type {
		case "text-start":
			said.Reset()
		case "text-delta":
			said.WriteString(c.Delta)
		}
		return false
	})
	if err != nil {
		return err
	}
	s.tell("Agent: %s", said.String())
	if !strings.Contains(said.String(), want) {
		return fmt.Errorf("the agent said %q; %q was expected", said.String(), want)
	}
	return nil
}

// connect is OAuth in the middle of a conversation, with a server that is
// stopped while the question waits.
func (s *story) connect(ctx context.Context) error {
	t, q, err := s.ask(ctx, "tickets", "List the tickets in my tracker")
	if err != nil {
		return err
	}
	t.body.Close()
	s.tell("  the server is stopped while the question waits, and started again")
	if err := s.end(); err != nil {
		return err
	}
	if err := s.begin(ctx); err != nil {
		return err
	}
	s.tell("  Alice opens the link: %s", q.URL)
	if err := s.alice.Open(ctx, q.URL); err != nil {
		return err
	}
	for _, button := range []string{"Connect", "alice", "Allow"} {
		s.tell("  Alice presses %q at %s", button, s.alice.At.Host)
		if err := s.alice.Press(ctx, button, nil); err != nil {
			return err
		}
	}
	s.tell("  the chat is opened again, and the answer is there")
	if t, err = s.alice.again(ctx, s.demo.URL, "tickets"); err != nil {
		return s.finished(ctx, "tickets", "coffee machine", err)
	}
	return s.finish(t, "coffee machine")
}

// finished is for an answer that was complete before the chat was opened again.
func (s *story) finished(ctx context.Context, conversation, want string, cause error) error {
	for range 50 {
		if err := s.alice.Open(ctx, s.demo.URL+"/run/api/chat/"+conversation); err != nil {
			return err
		}
		if said := s.alice.Text(); strings.Contains(said, want) {
			s.tell("Agent: (in the history) … %s …", want)
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return cause
}

func (s *story) approve(ctx context.Context) error {
	t, q, err := s.ask(ctx, "tickets", "Close ticket 7")
	if err != nil {
		return err
	}
	s.tell("  arguments: %s", q.Context.Arguments)
	s.tell("  Alice allows it once")
	if err := s.alice.answer(ctx, s.demo.URL, "tickets", q.ID, "accept", map[string]string{"decision": "allow_once"}); err != nil {
		return err
	}
	return s.finish(t, "Ticket 7 is closed")
}

func (s *story) deny(ctx context.Context) error {
	t, q, err := s.ask(ctx, "shopping", "Order 3 boxes of pens")
	if err != nil {
		return err
	}
	s.tell("  Alice denies it")
	if err := s.alice.answer(ctx, s.demo.URL, "shopping", q.ID, "accept", map[string]string{"decision": "deny"}); err != nil {
		return err
	}
	if err := s.finish(t, "That did not work"); err != nil {
		return err
	}
	t, q, err = s.ask(ctx, "shopping", "All right, order 3 boxes of pens") // who speaks again is asked again
	if err != nil {
		return err
	}
	s.tell("  Alice allows it once")
	if err := s.alice.answer(ctx, s.demo.URL, "shopping", q.ID, "accept", map[string]string{"decision": "allow_once"}); err != nil {
		return err
	}
	return s.finish(t, "Ordered (3)")
}

func (s *story) fill(ctx context.Context) error {
	t, q, err := s.ask(ctx, "travel", "Book a trip")
	if err != nil {
		return err
	}
	if err := s.alice.answer(ctx, s.demo.URL, "travel", q.ID, "accept", map[string]any{"to": "B"}); err == nil {
		return fmt.Errorf("a form that is not filled in was taken")
	}
	s.tell("  a form that is not filled in is refused; then Alice fills it in")
	form := map[string]any{"to": "Bergen", "day": "2026-12-24", "email": "alice@example.com", "travellers": 2, "class": "first", "extras": []string{"dog"}}
	if err := s.alice.answer(ctx, s.demo.URL, "travel", q.ID, "accept", form); err != nil {
		return err
	}
	return s.finish(t, "Bergen")
}

func (s *story) delegate(ctx context.Context) error {
	t, q, err := s.ask(ctx, "research", "Delegate to the researcher: tea")
	if err != nil {
		return err
	}
	s.tell("  it is the researcher's question; Alice declines")
	if err := s.alice.answer(ctx, s.demo.URL, "research", q.ID, "decline", nil); err != nil {
		return err
	}
	return s.finish(t, "Found: no.")
}

// elsewhere is a question of an agent that speaks A2A, whose task goes on with the
// answer.
func (s *story) elsewhere(ctx context.Context) error {
	t, q, err := s.ask(ctx, "dinner", "Delegate to the concierge: dinner")
	if err != nil {
		return err
	}
	s.tell("  it comes from an agent elsewhere, by A2A; Alice fills it in, and the same task goes on")
	if err := s.alice.answer(ctx, s.demo.URL, "dinner", q.ID, "accept", map[string]any{"guests": 3, "at": "19:30", "window": true}); err != nil {
		return err
	}
	return s.finish(t, "A table for 3 at 19:30 is reserved.")
}

func (s *story) closing(context.Context) error {
	if n := s.demo.Naked(); n != 0 {
		return fmt.Errorf("the tracker got %d requests without a credential", n)
	}
	s.tell("\nEverything went as told.")
	return nil
}
