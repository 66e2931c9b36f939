package pages

import (
	"html/template"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/legible"
)

// lineFuncs are what templates call for names that others chose.
var lineFuncs = template.FuncMap{"line": legible.Line}

// prose is a text of others that may have several lines.
func prose(s string) string {
	return legible.Escaped(s, func(c rune) bool { return legible.HiddenInProse(c) && !strings.ContainsRune("\n\t", c) })
}

// inOrder cuts the message of an approval into what the page shows from left to
// right. The person decides by it, so it must not be shown in another order than
// it has; right-to-left letters that plain text has to escape are letters here.
func inOrder(q parley.Request) []legible.Run {
	if q.Trigger != parley.TriggerApproval {
		return nil
	}
	message := legible.Restored(q.Message)
	return legible.Runs(legible.Escaped(message, func(c rune) bool { return legible.Hidden(c) && !strings.ContainsRune("\n\t", c) }))
}
