package strictjson

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
)

// Fold returns the same text for all names that some program may take for each
// other because it does not look at letter case: those that Unicode folds to the
// same (ß and ss, K and the Kelvin sign), and those that have the same upper or
// lower case (i and the dotless ı). Nor what is behind a NUL, which ends a text in C.
func Fold(name string) string {
	name, _, _ = strings.Cut(name, "\x00")
	if ascii(name) {
		return strings.ToLower(name)
	}
	return oneCase(folding.String(oneCase(name)))
}

// folding is stateless.
var folding = cases.Fold()

func oneCase(s string) string {
	return strings.Map(func(c rune) rune { return unicode.ToLower(unicode.ToUpper(c)) }, s)
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
