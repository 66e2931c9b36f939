// Package terminal is a conversation with an agent in the terminal: its text as it
// comes, and its questions as forms that are filled in line by line.
package terminal

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/parley-hq/parley/legible"
)

// Chat talks with an agent of a server in the terminal.
func Chat(ctx context.Context, args []string) error {
	// Ctrl-C stops a turn, so it must not end ctx.
	ctx, stop := signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM)
	defer stop()
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	info, err := os.Stdin.Stat()
	typed := err == nil && info.Mode()&os.ModeCharDevice != 0
	return converse(ctx, args, os.Stdin, &screen{out: os.Stdout, echo: !typed}, interrupts)
}

// converse is Chat with everything that a terminal has.
func converse(ctx context.Context, args []string, in io.Reader, out *screen, interrupts <-chan os.Signal) error {
	flags := flag.NewFlagSet("parley chat", flag.ContinueOnError)
	var who account
	who.flags(flags)
	agent := flags.String("agent", "", "whom to talk with; default: the server's first choice")
	id := flags.String("conversation", "", "go on with this conversation; default: a new one")
	if err := ParseFlags(flags, args); err != nil {
		return err
	}
	if err := NothingElse("chat", flags.Args()); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	known, err := who.open(ctx)
	if err != nil {
		return err
	}
	defer known.client.CloseIdleConnections()
	server := &chatServer{service: known, agent: *agent}
	if err := server.hasAgent(ctx); err != nil {
		return err
	}
	c := &conversation{server: server, id: *id, screen: out, lines: make(chan entered), interrupts: interrupts}
	go readLines(ctx, in, c.lines)
	if c.id == "" {
		c.id = rand.Text()
		if err := server.knows(ctx, c.id); err != nil { // before anything is typed
			return err
		}
	} else if err := c.resume(ctx); err != nil {
		return leaving(err)
	}
	c.line("Conversation " + word(c.id) + ". Ctrl-C stops a turn, Ctrl-D leaves.")
	return leaving(c.talk(ctx))
}

// errLeave says that the person left.
var errLeave = errors.New("the person left")

func leaving(err error) error {
	if errors.Is(err, errLeave) {
		return nil
	}
	return err
}

// entered is a line, or that there is none.
type entered struct {
	text string
	end  bool // Ctrl-D, or the end of a file
}

// readLines reads a line when somebody wants one. In a terminal there can be
// more after Ctrl-D.
func readLines(ctx context.Context, in io.Reader, lines chan<- entered) {
	for reader := bufio.NewReader(in); ; {
		text, err := reader.ReadString('\n')
		select {
		case lines <- entered{strings.TrimRight(text, "\r\n"), err != nil && text == ""}:
		case <-ctx.Done():
			return
		}
	}
}

// conversation is what the person and the agent have said so far.
type conversation struct {
	*screen
	server     *chatServer
	id         string
	lines      chan entered
	interrupts <-chan os.Signal

	next     string  // a message that was entered while a turn went on
	stopping bool    // Ctrl-C was pressed: the next one leaves
	stopped  bool    // the server has stopped the turn
	more     bool    // another turn waits: who leaves a question open goes on to that
	waiting  []*turn // turns whose questions were left open, the one to answer next first
}

// resume shows a conversation and takes up what runs in it.
func (c *conversation) resume(ctx context.Context) error {
	h, err := c.server.history(ctx, c.id)
	if err != nil {
		return err
	}
	for _, m := range h.Messages {
		t := newTurn(c)
		for _, p := range m.Parts {
			if m.Role == "user" {
				c.line("> " + indent(clean(p.Text)))
				continue
			}
			for _, one := range p.chunks() {
				t.show(one)
			}
		}
	}
	if h.Active && len(h.ActiveMessages) == 0 { // an older server
		return c.turn(ctx, nil, "")
	}
	for i, id := range h.ActiveMessages {
		c.more = i < len(h.ActiveMessages)-1
		if err := c.turn(ctx, nil, id); err != nil || c.next != "" {
			c.more = false
			return err
		}
	}
	return nil
}

// talk sends what the person enters, until they leave.
func (c *conversation) talk(ctx context.Context) error {
	for {
		text, err := c.message(ctx)
		if err != nil {
			return err
		}
		c.stopping, c.stopped = false, false
		err = c.turn(ctx, map[string]any{
			"id": rand.Text(), "role": "user", "parts": []any{map[string]string{"type": "text", "text": text}},
		}, "")
		var refused *refusal
		switch {
		case errors.As(err, &refused) && refused.status != http.StatusUnauthorized:
			c.line(err.Error())
		case err != nil:
			return err
		}
	}
}

// message is the next thing that the person says.
func (c *conversation) message(ctx context.Context) (string, error) {
	for {
		if text := strings.TrimSpace(c.next); text != "" {
			c.next = ""
			return text, nil
		}
		if err := c.lookAfter(ctx); err != nil {
			return "", err
		}
		if len(c.waiting) > 0 {
			c.prompt(waitingPrompt)
		} else {
			c.prompt("> ")
		}
		select {
		case <-ctx.Done():
			return "", errLeave
		case <-c.interrupts:
			if c.stopping {
				c.fresh()
				return "", errLeave
			}
			c.stopping = true
			c.line("Nothing runs. Press Ctrl-C again to leave.")
		case in := <-c.lines:
			c.entered(in.text)
			if in.end {
				return "", errLeave
			}
			if in.text != "a" || len(c.waiting) == 0 {
				c.next = in.text
				continue
			}
			c.waiting[0].reopen()
			if err := c.takeUp(ctx, c.waiting[0]); err != nil {
				return "", err
			}
		}
	}
}

// turn sends a message, or takes up what runs, and stays with it to its end.
func (c *conversation) turn(ctx context.Context, message map[string]any, active string) error {
	t := newTurn(c)
	t.message = active
	return c.follow(ctx, t, message)
}

// follow is turn for one that may have been shown before.
func (c *conversation) follow(ctx context.Context, t *turn, message map[string]any) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream := make(chan told)
	go c.server.follow(ctx, c.id, message, t.message, stream)
	for {
		var lines chan entered // nil: nothing is wanted, and what is typed waits
		if p := t.wants(); p != "" {
			c.prompt(p)
			lines = c.lines
		}
		select {
		case <-ctx.Done():
			return errLeave
		case <-c.interrupts:
			if err := t.interrupted(ctx); err != nil {
				return err
			}
		case one := <-stream:
			if one.end != nil {
				c.fresh()
				return ended(one.end)
			}
			if err := t.hear(one); err != nil {
				return err
			}
		case <-t.resend():
			if err := t.attempt(ctx, t.again); err != nil || t.enough() {
				c.setAside(t)
				return err
			}
		case in := <-lines:
			c.entered(in.text)
			c.stopping = false
			if err := t.take(ctx, in); err != nil || t.enough() {
				c.setAside(t)
				return err
			}
		}
	}
}

// enough reports whether the person goes on to something else.
func (t *turn) enough() bool {
	return t.next != "" || t.more && len(t.open) == 0 && len(t.left) > 0
}

// hear takes what is told of the turn.
func (t *turn) hear(one told) error {
	if one.trouble != nil {
		return t.troubled(one)
	}
	t.restored()
	t.show(one.chunk)
	return nil
}

// How long a server may take to stop a turn and to take an answer: we listen to
// nothing but Ctrl-C meanwhile.
const (
	stopTime   = 5 * time.Second
	answerTime = 30 * time.Second
)

// interrupt stops the turn; the second one leaves.
func (c *conversation) interrupt(ctx context.Context) error {
	if c.stopping {
		c.fresh()
		return errLeave
	}
	c.stopping = true
	ctx, cancel := context.WithTimeout(ctx, stopTime)
	defer cancel()
	err := c.server.stop(ctx, c.id)
	if c.stopped = err == nil; !c.stopped {
		c.line("It cannot be stopped: " + clean(err.Error()) + " (Ctrl-C again leaves.)")
	}
	return nil
}

// turn is one turn on the screen. It may be told from its start more than once.
type turn struct {
	*conversation
	message   string // that it answers with, as the server names it
	texts     map[string]*text
	tools     map[string]string // calls that have begun, with their tools
	finished  map[string]bool   // calls that have ended
	questions map[string]bool   // that were shown; true: settled
	answered  map[string]bool   // here
	open      []*dialog         // the first one is asked
	left      []*dialog         // the person left them open
	again     *outgoing         // the answer to the first open one that is sent again, if there is one
	trouble   bool              // it was said that the turn cannot be followed
}

type text struct{ shown, now string }

func newTurn(c *conversation) *turn {
	return &turn{
		conversation: c, texts: map[string]*text{}, tools: map[string]string{}, finished: map[string]bool{},
		questions: map[string]bool{}, answered: map[string]bool{},
	}
}

// ended is how a turn that is over goes on.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// show shows a chunk. Types that we do not know are for newer clients.
func (t *turn) show(c chunk) {
	switch c.Type {
	case "start":
		t.message = cmp.Or(c.MessageID, t.message)
	case "text-start", "text-delta":
		t.showText(c)
	case "text-end":
		t.fresh()
	case "tool-input-available", "tool-output-available", "tool-output-error", "tool-output-denied":
		t.showCall(c)
	case "data-elicitation-request":
		t.showQuestion(c)
	case "data-warning", "data-tool-auth-required":
		var said struct{ Message, AuthLink string }
		if json.Unmarshal(c.Data, &said) == nil {
			t.line(strings.TrimSpace("! " + word(said.Message) + " " + word(said.AuthLink)))
		}
	case "error":
		t.line("! " + word(c.ErrorText))
	case "abort":
		t.line("Stopped.")
	}
}

// showText shows what is new of a text.
func (t *turn) showText(c chunk) {
	one := t.texts[c.ID]
	if one == nil {
		one = &text{}
		t.texts[c.ID] = one
	}
	if c.Type == "text-start" {
		one.now = ""
		return
	}
	one.now += c.Delta
	switch {
	case strings.HasPrefix(one.shown, one.now): // told before
		return
	case !strings.HasPrefix(one.now, one.shown): // it is told anew, in other words
		t.fresh()
		one.shown = ""
	}
	line := strings.LastIndexByte(one.shown, '\n') + 1 // what is new may begin with a mark on what was shown
	t.text(strings.TrimPrefix(clean(one.now[line:]), clean(one.shown[line:])))
	one.shown = one.now
}

func (t *turn) showCall(c chunk) {
	name, begun := t.tools[c.ToolCallID]
	switch {
	case c.Type == "tool-input-available" && !begun:
		t.tools[c.ToolCallID] = legible.Line(c.ToolName)
		t.calling(c.ToolCallID, legible.Line(c.ToolName))
	case c.Type == "tool-input-available" || t.finished[c.ToolCallID]: // told before
	default:
		t.finished[c.ToolCallID] = true
		end := "done"
		switch c.Type {
		case "tool-output-error":
			end = "failed: " + word(c.ErrorText)
		case "tool-output-denied":
			end = "denied"
		}
		t.called(c.ToolCallID, name, end)
	}
}
