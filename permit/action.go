package permit

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/parley-hq/parley/legible"
)

// maxActionTitle is the longest title of an action, in bytes.
const maxActionTitle = 200

// Action is the question for the approval of something that is no call of ours: a
// program says what it is about to do. Title, reason and details are the program's
// own words, quoted whole like the arguments of a call; the reason and the details
// may be empty. The form offers AllowOnce and Refuse.
//
// Errors: ErrArguments, or what is wrong with the title.
func Action(title, reason string, details json.RawMessage) (message string, form json.RawMessage, err error) {
	switch {
	case strings.TrimSpace(title) == "":
		return "", nil, errors.New("an action needs a title")
	case len(title) > maxActionTitle:
		return "", nil, fmt.Errorf("the title has %d bytes, %d are allowed", len(title), maxActionTitle)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Allow this action?\n\nAction: %s", quoted(title))
	if reason != "" {
		fmt.Fprintf(&b, "\nReason: %s", quoted(reason))
	}
	if len(details) > 0 {
		v, err := parse(details)
		if err != nil {
			return "", nil, err
		}
		if _, is := v.(object); !is {
			return "", nil, errors.New("the details are a JSON object")
		}
		b.WriteString("\nDetails:\n")
		b.Write(appendPretty(nil, v, "\n"))
	}
	return legible.Ordered(b.String()), formOf(fieldOf("decision", "Decision", "", option(string(AllowOnce), "Allow")+","+option(string(Refuse), "Deny"))), nil
}
