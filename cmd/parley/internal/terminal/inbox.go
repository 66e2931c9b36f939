package terminal

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/parley-hq/parley/legible"
)

// Inbox lists, shows and answers what waits for a person, in the terminal.
func Inbox(ctx context.Context, args []string) error {
	// Ctrl-C leaves a form, so it must not end ctx.
	ctx, stop := signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM)
	defer stop()
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	typed := isTerminal(os.Stdin)
	return openInbox(ctx, args, os.Stdin, &screen{out: os.Stdout, echo: !typed}, interrupts, typed && isTerminal(os.Stdout))
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// inbox is what waits for a person, as it is on the screen.
type inbox struct {
	*screen
	server     *service
	lines      chan entered
	interrupts <-chan os.Signal
	stream     chan happened

	rows   []*row
	before map[string]bool // of a form alone: what was open when it began, which is not on the screen
	next   int             // the number of the next row
	json   bool            // one line of JSON for each
}

// row is a question with the number that it keeps while it is shown.
type row struct {
	elicitation
	number int
}

const inboxUsage = "parley inbox takes show ID, answer ID, or nothing for the list"

// openInbox is Inbox with everything that a terminal has. stay says that the list
// stays on the screen.
func openInbox(ctx context.Context, args []string, in io.Reader, out *screen, interrupts <-chan os.Signal, stay bool) error {
	flags := flag.NewFlagSet("parley inbox", flag.ContinueOnError)
	var who account
	who.flags(flags)
	asJSON := flags.Bool("json", false, "of the list: as JSON, for programs")
	follow := flags.Bool("follow", false, "of the list: go on with what comes and what is answered; a terminal does so anyway")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "Usage: parley inbox [show ID | answer ID] [flags]")
		flags.PrintDefaults()
	}
	words, err := mixed(flags, args)
	if err != nil {
		return err
	}
	verb, id := "list", ""
	switch {
	case len(words) == 2 && (words[0] == "show" || words[0] == "answer"):
		verb, id = words[0], words[1]
	case len(words) == 1 && (words[0] == "show" || words[0] == "answer"):
		return fmt.Errorf("give the ID of a question: parley inbox %s ID; parley inbox lists those that are open", words[0])
	case len(words) > 0:
		return fmt.Errorf("%s, and %q is neither", inboxUsage, strings.Join(words, " "))
	}
	if n, err := strconv.Atoi(id); err == nil {
		return fmt.Errorf("%d is a number of the list on your screen, for who types there: the list may be another by now. Give the ID, which stands below the question: parley inbox %s ID", n, verb)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	known, err := who.open(ctx)
	if err != nil {
		return err
	}
	defer known.client.CloseIdleConnections()
	b := &inbox{screen: out, server: known, lines: make(chan entered), interrupts: interrupts, stream: make(chan happened), next: 1, json: *asJSON}
	switch verb {
	case "show":
		return b.show(ctx, id)
	case "answer":
		return leaving(b.alone(ctx, in, id))
	}
	return leaving(b.list(ctx, in, stay && !*asJSON, *follow))
}

// mixed reads flags that may stand before and behind the words of a command.
func mixed(flags *flag.FlagSet, args []string) (words []string, err error) {
	for {
		if err := ParseFlags(flags, args); err != nil {
			return nil, err
		}
		if args = flags.Args(); len(args) == 0 {
			return words, nil
		}
		words, args = append(words, args[0]), args[1:]
	}
}

// list shows what is open, and stays if it is told to: answers and new questions are
// lines of their own, and where somebody types a number answers.
func (b *inbox) list(ctx context.Context, in io.Reader, typed, follow bool) error {
	open, more, err := b.server.open(ctx)
	if err != nil {
		return err
	}
	b.refresh(ctx, open, more, true)
	if !typed && !follow {
		return nil
	}
	if typed {
		go readLines(ctx, in, b.lines)
		go b.server.looking(ctx)
	}
	go b.server.followInbox(ctx, b.stream)
	for {
		if typed {
			b.prompt("  number to answer, Ctrl-D to leave: ")
		}
		select {
		case <-ctx.Done():
			return errLeave
		case <-b.interrupts:
			b.fresh()
			return errLeave
		case what := <-b.stream:
			if err := b.take(ctx, what); err != nil {
				return err
			}
		case entry := <-b.lines:
			b.entered(entry.text)
			if entry.end {
				return errLeave
			}
			if err := b.choose(ctx, strings.TrimSpace(entry.text)); err != nil {
				return err
			}
		}
	}
}

// choose answers the question with a number, and shows the list again.
func (b *inbox) choose(ctx context.Context, text string) error {
	if text != "" {
		n, err := strconv.Atoi(text)
		at := slices.IndexFunc(b.rows, func(r *row) bool { return r.number == n })
		if err != nil || at < 0 {
			b.line("  There is no such number. Empty shows the list again.")
			return nil
		}
		switch err := b.answer(ctx, b.rows[at].elicitation); {
		case errors.Is(err, errLeave) || ctx.Err() != nil:
			return err
		case err != nil:
			b.line("  " + clean(err.Error()))
		}
	}
	b.table()
	return nil
}

// take shows what happened.
func (b *inbox) take(ctx context.Context, what happened) error {
	switch {
	case what.err != nil:
		return what.err
	case what.list != nil:
		b.refresh(ctx, *what.list, what.more, false)
	case what.one.State == "pending":
		b.add(what.one)
	default:
		b.remove(what.one)
	}
	return nil
}

// refresh takes over a list that was read anew: the oldest has the first number.
func (b *inbox) refresh(ctx context.Context, open []elicitation, more, first bool) {
	for _, r := range slices.Clone(b.rows) {
		if !more && !slices.ContainsFunc(open, func(e elicitation) bool { return e.ID == r.ID }) {
			gone, err := b.server.question(ctx, r.ID)
			if err != nil { // it is not there any more, or cannot be read just now
				gone = elicitation{ID: r.ID}
			}
			b.remove(gone)
		}
	}
	if !first {
		for _, e := range slices.Backward(open) {
			b.add(e)
		}
		return
	}
	for _, e := range slices.Backward(open) {
		b.rows = append(b.rows, &row{e, b.next})
		b.next++
	}
	b.table()
	if more {
		b.line("There are more; these are the newest.")
	}
	if !b.json {
		b.line("The same on a page: " + b.server.base + "/inbox")
	}
}

func (b *inbox) table() {
	switch {
	case b.json:
		for _, r := range b.rows {
			b.lineJSON(r.elicitation)
		}
		return
	case len(b.rows) == 0:
		b.line("Nothing waits for you.")
		return
	}
	b.line(tableHead)
	for _, r := range b.rows {
		b.line(r.line())
	}
}

// add shows a question that is new.
func (b *inbox) add(e elicitation) {
	if b.before[e.ID] || slices.ContainsFunc(b.rows, func(r *row) bool { return r.ID == e.ID }) {
		return
	}
	r := &row{e, b.next}
	b.rows, b.next = append(b.rows, r), b.next+1
	if b.json {
		b.lineJSON(e)
		return
	}
	b.line("new:")
	b.line(r.line())
}

// remove says how a question ended that was shown.
func (b *inbox) remove(e elicitation) {
	at := slices.IndexFunc(b.rows, func(r *row) bool { return r.ID == e.ID })
	if at < 0 {
		return
	}
	number := b.rows[at].number
	b.rows = slices.Delete(b.rows, at, at+1)
	if b.json {
		b.lineJSON(e)
		return
	}
	b.line(fmt.Sprintf("%3d  %s", number, b.became(e)))
}

func (b *inbox) lineJSON(e elicitation) {
	if data, err := json.Marshal(e.raw); err == nil && len(e.raw) > 0 {
		b.line(plainJSON(string(data)))
	}
}

// plainJSON is the same JSON with everything escaped that a reader would not see: it
// can only be within strings.
func plainJSON(data string) string { return legible.Escaped(data, legible.Hidden) }
