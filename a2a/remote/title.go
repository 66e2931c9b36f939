package remote

import (
	"strings"
	"unicode/utf8"

	"github.com/parley-hq/parley/legible"
)

// maxFrom is how many bytes are shown of whom an agent asks for.
const maxFrom = 200

// foreign keeps a name inside the quotation marks that it is put in, and out of the
// brackets that stand around who asks.
var foreign = strings.NewReplacer("“", "‘", "”", "’", `"`, "'", "„", "‚", "«", "‹", "»", "›", "[", "(", "]", ")")

// title is how people know who asks a question that the agent passes on: by the name that
// the agent has here, and behind it, as the agent's word, whose question it is. Where that
// service passes it on itself, its word says so. Empty: the agent asks for itself.
func (r *Remote) title(from string) string {
	name := legible.Line(foreign.Replace(strings.TrimSpace(from)))
	if name == "" || from == r.opts.Name || from == r.opts.Title {
		return ""
	}
	if len(name) > maxFrom {
		cut := maxFrom
		for !utf8.RuneStart(name[cut]) {
			cut--
		}
		name = name[:cut] + "…"
	}
	return r.opts.Title + ", for “" + name + "”"
}
