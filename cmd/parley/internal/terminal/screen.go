package terminal

import (
	"fmt"
	"io"
	"strings"

	"github.com/parley-hq/parley/legible"
)

// screen is the terminal as we write to it. It knows whether a line is begun,
// so that what comes in between does not end up behind it.
type screen struct {
	out    io.Writer
	echo   bool // input is not typed here, so we show it
	begun  bool
	asking string // the prompt that stands there, if nothing was written since
	call   string // the call whose line is begun
}

// text continues a text of the agent's; it must be clean.
func (s *screen) text(said string) {
	if said == "" {
		return
	}
	if s.asking != "" || s.call != "" {
		s.fresh()
	}
	if !s.begun {
		said = "  " + said
	}
	fmt.Fprint(s.out, indent(said))
	s.begun = !strings.HasSuffix(said, "\n")
}

// line writes a line of its own; it must be clean.
func (s *screen) line(said string) {
	s.fresh()
	fmt.Fprintln(s.out, said)
}

// fresh begins a new line.
func (s *screen) fresh() {
	if s.begun {
		fmt.Fprintln(s.out)
	}
	s.begun, s.asking, s.call = false, "", ""
}

// prompt asks for a line, unless it stands there.
func (s *screen) prompt(said string) {
	if s.asking == said {
		return
	}
	s.fresh()
	fmt.Fprint(s.out, said)
	s.begun, s.asking = true, said
}

// entered notes that a line was entered behind the prompt.
func (s *screen) entered(line string) {
	if s.echo {
		fmt.Fprintln(s.out, clean(line))
	}
	s.begun, s.asking, s.call = false, "", ""
}

// calling begins the line of a call, called ends it.
func (s *screen) calling(id, tool string) {
	s.fresh()
	fmt.Fprintf(s.out, "  (%s …", tool)
	s.begun, s.call = true, id
}

func (s *screen) called(id, tool, end string) {
	if s.call != id {
		s.fresh()
		fmt.Fprintf(s.out, "  (%s …", tool)
	}
	fmt.Fprintf(s.out, " %s)\n", end)
	s.begun, s.asking, s.call = false, "", ""
}

// clean makes text fit for a terminal: what would move the cursor, colour what
// follows or turn its direction is written out instead.
func clean(text string) string { return escape(text, "\n\t") }

// word is clean text on one line.
func word(text string) string { return escape(text, "") }

// exact is a text that somebody decides by: nothing in it is hidden, and no line
// of it can be shown in another order than it has. Names and values on one line
// are [legible.Line].
func exact(text string) string {
	return legible.Ordered(legible.Escaped(text, func(r rune) bool { return r != '\n' && legible.Hidden(r) }))
}

func escape(text, keep string) string {
	hidden := func(r rune) bool { return legible.HiddenInProse(r) && !strings.ContainsRune(keep, r) }
	var b strings.Builder
	for _, r := range text {
		if hidden(r) && r < 0x100 {
			fmt.Fprintf(&b, `\x%02x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return legible.Escaped(b.String(), hidden)
}

// indent keeps further lines away from where our own begin.
func indent(text string) string {
	body, end := text, ""
	if strings.HasSuffix(text, "\n") {
		body, end = text[:len(text)-1], "\n"
	}
	return strings.ReplaceAll(body, "\n", "\n  ") + end
}
