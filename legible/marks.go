package legible

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// covering reports marks that are drawn over their letter, or around it: it could be
// read as another one, or as struck out. They are Unicode's enclosing marks, and those
// of the combining class Overlay.
func covering(c rune) bool {
	const overlay = 1
	return unicode.Is(unicode.Me, c) || unicode.Is(unicode.Mn, c) && norm.NFC.PropertiesString(string(c)).CCC() == overlay
}

// How many marks stand on one letter. A pointed Hebrew letter has three and one for the
// melody, a Burmese syllable four that take no room and three that do. With more of
// them a letter reaches into other lines.
const (
	mostStacked = 4 // that take no room on the line
	mostMarks   = 6
)

// base is what marks stand on, as a text is read: a letter, a digit or a symbol, all
// marks of which are shown. A space or a quote is none.
type base struct {
	bears          bool
	marks, stacked int
	last           rune
}

// escape follows a text through escapes that it has already, such as those of a JSON
// string: a mark behind one stands on no letter, but on the sign of another character.
type escape struct {
	begun bool // the last character is a backslash that no other escapes
	hex   int  // how many digits may follow
}

// has takes the next character, and reports whether it belongs to an escape.
func (e *escape) has(c rune) bool {
	begun := e.begun
	e.begun = c == '\\' && !begun
	switch {
	case begun && c == 'u':
		e.hex = 4
		return true
	case e.hex > 0 && strings.ContainsRune("0123456789abcdefABCDEF", c):
		e.hex--
		return true
	}
	e.hex = 0
	return begun && strings.ContainsRune("bfnrt", c)
}

// strays takes the next character, and reports a mark that has no base, is on it twice
// in a row, or is one too many. What is behind it on the same base strays, too: it would
// stand on the escape.
func (b *base) strays(c rune) bool {
	switch {
	case c == '\u200c', c == '\u200d': // in prose they join a letter and its mark
		return false
	case !unicode.IsMark(c):
		*b = base{bears: unicode.In(c, unicode.L, unicode.N, unicode.S)}
		return false
	}
	b.marks++
	if unicode.Is(unicode.Mn, c) {
		b.stacked++
	}
	if c == b.last || b.marks > mostMarks || b.stacked > mostStacked {
		b.bears = false
	}
	b.last = c
	return !b.bears
}
