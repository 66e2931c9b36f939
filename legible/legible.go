// Package legible says how a text that others wrote is shown to somebody who
// decides by it: an approval, the name of a service.
//
// Three things can make such a text look like another one. Characters that nobody
// sees, or that act on those around them: [Hidden] knows them, and they are
// written as escapes. Marks that are piled up on a letter until they reach into
// other lines, or that have no letter: [Escaped] writes these as escapes as well.
// And the order in which a screen shows letters that are
// written from right to left, which moves digits and signs beside them without
// any control character: "שלום": 100 shows the number first. On a surface of our
// own each such phrase stands in a box of its own, and everything around it goes
// from left to right as it is written: [Runs]. Where text is all there is, and
// others show it, a line of more than one simple phrase has its right-to-left
// letters written as escapes, too: [Line]. Isolating characters would not do
// there: a client may remove or ignore them.
//
// The widget has the same rules (web/src/legible.ts). web/src/hidden.ts is
// written by this package's tests, and both test against testdata.
package legible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Hidden reports characters that a reader cannot see, or that change what is
// seen around them: controls, format and direction controls, spaces other than
// U+0020, fillers, variation selectors, tags, marks that strike a letter out or
// enclose it, and what has no meaning yet or no common one.
func Hidden(c rune) bool {
	const blanks = "\u2800\u303f\ufffc\U00013441\U00013442\U00016fe4\U0001d159" // signs without a shape
	return !unicode.IsPrint(c) || strings.ContainsRune(blanks, c) || covering(c) ||
		unicode.In(c, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// HiddenInProse is Hidden for texts that nobody decides by: it lets through the
// spaces of prose, and what letters and emoji are joined and shaped with.
func HiddenInProse(c rune) bool {
	const shaping = "\u200c\u200d\u20e3\ufe0e\ufe0f"
	return Hidden(c) && !unicode.Is(unicode.Zs, c) && !strings.ContainsRune(shaping, c)
}

// rightToLeft are the blocks of scripts that are written from right to left.
// Those that have no letters yet are reserved for more of them.
var rightToLeft = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x0590, Hi: 0x08ff, Stride: 1}, {Lo: 0xfb1d, Hi: 0xfdff, Stride: 1}, {Lo: 0xfe70, Hi: 0xfeff, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x10800, Hi: 0x10fff, Stride: 1}, {Lo: 0x1e800, Hi: 0x1efff, Stride: 1}},
}

// RightToLeft reports characters of scripts that are written from right to left,
// their digits among them.
func RightToLeft(c rune) bool { return unicode.Is(rightToLeft, c) }

// Escaped writes the characters that hide reports as JSON does, \u202e, and
// those beyond the basic plane in two halves; so it does with marks that have no
// letter, or stand behind an escape that was there before, and with more of them than
// letters have. A backslash stays as it is: the result is for reading.
func Escaped(s string, hide func(rune) bool) string {
	if !strings.ContainsFunc(s, func(c rune) bool { return hide(c) || unicode.IsMark(c) }) {
		return s
	}
	var b strings.Builder
	var on base
	var in escape
	for _, c := range s {
		strays := on.strays(c)
		if in.has(c) {
			on = base{}
		}
		switch {
		case hide(c):
			on = base{}
		case !strays:
			b.WriteRune(c)
			continue
		}
		for _, unit := range utf16.Encode([]rune{c}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// AsWritten reports whether a text is shown as it is: Escaped leaves it alone.
func AsWritten(s string, hide func(rune) bool) bool { return Escaped(s, hide) == s }

// Prose is a text of one line or more that nobody decides by: nothing in it turns the
// direction of what is around it, or moves a cursor.
func Prose(s string) string {
	return Escaped(s, func(c rune) bool { return HiddenInProse(c) && !strings.ContainsRune("\n\r\t", c) })
}

// Line is a text on one line, for surfaces that show nothing but text: nothing in
// it is hidden, and its order is that of its characters.
func Line(s string) string { return Ordered(Escaped(s, Hidden)) }

// Ordered is a text of one line or more in which no line can be shown in another
// order than it was written in, and no mark reaches into another one. A line may have right-to-left letters if they
// are one phrase and there is no number beside them, and no left-to-right letter
// follows without one before: the first of either kind is what screens take the
// direction of a line from. In other lines they are written as escapes.
func Ordered(s string) string {
	s = Escaped(s, func(rune) bool { return false })
	if !strings.ContainsFunc(s, RightToLeft) {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if !simple(line) {
			lines[i] = Escaped(line, RightToLeft)
		}
	}
	return strings.Join(lines, "\n")
}

func simple(line string) bool {
	phrases, leads := 0, false // leads: a left-to-right letter comes first
	for _, run := range Runs(line) {
		letters := strings.ContainsFunc(run.Text, unicode.IsLetter)
		switch {
		case run.Kind == Phrase:
			phrases++
		case strings.ContainsFunc(run.Text, unicode.IsNumber), letters && phrases > 0 && !leads:
			return false
		case letters:
			leads = true
		}
	}
	return phrases <= 1
}
