package config

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// filling is a text that variables, or a file, were filled into.
type filling struct{ at, written, text string }

// hide remembers what was filled in at a key: errors have what was written instead.
func (f *filler) hide(at, written, text string) {
	if written != text && text != "" {
		f.hidden = append(f.hidden, filling{at, written, text})
	}
}

var (
	inQuotes = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

	// begins is the value that a problem begins with: a text in quotes, or a number.
	begins = regexp.MustCompile(`^(?:"(?:[^"\\]|\\.)*"|[-+]?[0-9][^\s;,:]*)`)
)

const (
	few    = 4  // letters of a text that is known elsewhere than at its own key
	enough = 10 // letters of the beginning of a long text, of which errors have no more
)

// shown is a problem without what variables hold, and files: what is quoted of them is as it
// was written.
func (f *filler) shown(problem error) error {
	key, reason, ok := strings.Cut(problem.Error(), ": ")
	if !ok || len(f.hidden) == 0 {
		return problem
	}
	said := reason
	if i := slices.IndexFunc(f.hidden, func(one filling) bool { return one.at == key }); i >= 0 {
		said = begins.ReplaceAllLiteralString(said, "what "+f.hidden[i].written+" stands for")
	}
	said = inQuotes.ReplaceAllStringFunc(said, func(quoted string) string {
		text, err := strconv.Unquote(quoted)
		for _, one := range f.hidden {
			within := one.at == key || strings.HasPrefix(one.at, key+".") || strings.HasPrefix(one.at, key+"[")
			if err == nil && (text == one.text && (within || len(text) >= few) || len(text) >= enough && strings.HasPrefix(one.text, text)) {
				return strconv.Quote(one.written)
			}
		}
		return quoted
	})
	if said == reason {
		return problem
	}
	return &retold{key + ": " + said, problem}
}

// retold is an error in other words.
type retold struct {
	said string
	of   error
}

func (r *retold) Error() string { return r.said }
func (r *retold) Unwrap() error { return r.of }
