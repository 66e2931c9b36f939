package pages

import (
	"strings"
	"unicode"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/legible"
)

// turning are the characters that change the direction of the text after them.
var turning = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0x061c, Hi: 0x061c, Stride: 1}, {Lo: 0x200e, Hi: 0x200f, Stride: 1}, {Lo: 0x202a, Hi: 0x202e, Stride: 1}, {Lo: 0x2066, Hi: 0x2069, Stride: 1}}}

// prose is a text of others that may have several lines, and that nobody decides
// by. What would turn its direction is left out: honest texts have it to help
// renderers, and without it no text is shown in another order than its characters
// have by themselves.
func prose(s string) string {
	s = strings.Map(func(c rune) rune {
		if unicode.Is(turning, c) {
			return -1
		}
		return c
	}, s)
	return legible.Escaped(s, func(c rune) bool { return legible.HiddenInProse(c) && !strings.ContainsRune("\n\t", c) })
}

// inOrder cuts the message of an approval into what the page shows from left to
// right. The person decides by it, so it must not be shown in another order than
// it has; right-to-left letters that plain text has to escape are letters here.
func inOrder(q parley.Request) []legible.Run {
	if q.Trigger != parley.TriggerApproval && !q.OnlyTells() {
		return nil
	}
	message := legible.Restored(q.Message)
	return legible.Runs(legible.Escaped(message, func(c rune) bool { return legible.Hidden(c) && !strings.ContainsRune("\n\t", c) }))
}
