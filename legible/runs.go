package legible

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind says how a run is laid out.
type Kind string

// The kinds.
const (
	Plain  Kind = ""       // from left to right, as it stands
	Phrase Kind = "phrase" // right-to-left words, in a box of their own
	Number Kind = "number" // digits of a right-to-left script, in a box of their own
)

// Run is a part of a text.
type Run struct {
	Kind Kind   `json:"kind,omitempty"`
	Text string `json:"text"`
}

// Runs cuts a text into parts that a screen can show one after the other, from
// left to right. A phrase is right-to-left letters with the marks on them, and
// more of them behind a space, or behind a sign of prose and a space: what a
// reader of such a script reads at once. A number, or any other sign, ends it.
func Runs(s string) []Run {
	var runs []Run
	for s != "" {
		run := Run{Text: s[:plain(s)]}
		if run.Text == "" {
			run = special(s)
		}
		runs = append(runs, run)
		s = s[len(run.Text):]
	}
	return runs
}

// plain is the length of what stands before the next right-to-left character.
func plain(s string) int {
	if i := strings.IndexFunc(s, RightToLeft); i >= 0 {
		return i
	}
	return len(s)
}

func special(s string) Run {
	if n := prefix(s, rtlNumber); n > 0 {
		return Run{Number, s[:n]}
	}
	n := prefix(s, letter)
	for {
		gap := prose(s[n:])
		more := prefix(s[n+gap:], letter)
		if gap == 0 || more == 0 || !RightToLeft(first(s[n+gap:])) {
			return Run{Phrase, s[:n]}
		}
		n += gap + more
	}
}

// letter reports what a phrase is made of; a mark may be of any script.
func letter(c rune) bool { return RightToLeft(c) && !unicode.IsNumber(c) || unicode.IsMark(c) }

func rtlNumber(c rune) bool { return RightToLeft(c) && unicode.IsNumber(c) }

// prefix is the length of the characters at the beginning that are of a kind.
func prefix(s string, of func(rune) bool) int { return len(s) - len(strings.TrimLeftFunc(s, of)) }

// prose is the length of what may stand between two words of a phrase.
func prose(s string) int {
	signs := 0
	if s != "" && strings.Contains(",.;:!?", s[:1]) {
		signs = 1
	}
	if strings.HasPrefix(s[signs:], " ") {
		return signs + 1
	}
	return 0
}

func first(s string) rune {
	c, _ := utf8.DecodeRuneInString(s)
	return c
}

// Restored puts the right-to-left letters back that Ordered has written as
// escapes, for surfaces that lay out runs. In a text of permit's a backslash
// that is no escape is doubled, so none is taken for another. Marks that stray come
// back as well: what is shown is the result, Escaped.
func Restored(s string) string {
	if !strings.Contains(s, `\u`) {
		return s
	}
	var b strings.Builder
	for s != "" {
		at := strings.IndexByte(s, '\\')
		if at < 0 || at+1 >= len(s) {
			break
		}
		b.WriteString(s[:at])
		c, size := restored(s[at:])
		if RightToLeft(c) && !Hidden(c) {
			b.WriteRune(c)
		} else {
			_, width := utf8.DecodeRuneInString(s[at+1:])
			size = 1 + width // the backslash and what it stands before
			b.WriteString(s[at : at+size])
		}
		s = s[at+size:]
	}
	return b.String() + s
}

// restored reads the escape at the beginning of s.
func restored(s string) (c rune, size int) {
	unit := func(s string) rune {
		if len(s) < 6 || s[:2] != `\u` {
			return -1
		}
		n, err := strconv.ParseUint(s[2:6], 16, 16)
		if err != nil {
			return -1
		}
		return rune(n)
	}
	high := unit(s)
	if high < 0xd800 || high > 0xdbff {
		return high, 6
	}
	low := unit(s[6:])
	if low < 0xdc00 || low > 0xdfff {
		return -1, 6
	}
	return (high-0xd800)<<10 + (low - 0xdc00) + 0x10000, 12
}
