package permit

import "fmt"

// Rule says which calls need an approval.
type Rule string

// The rules. The empty one is Unsafe.
const (
	// Never asks for nothing.
	Never Rule = "never"
	// Unsafe asks for every call whose tool is not declared to be read-only. The
	// declaration is the server's word: for servers that are not trusted, use
	// Always.
	Unsafe Rule = "unsafe"
	// Always asks for every call.
	Always Rule = "always"
	// Forbid asks nobody and lets nothing through.
	Forbid Rule = "refuse"
)

// ParseRule reads a rule from a configuration; an empty one is Unsafe. It
// returns ErrRule.
func ParseRule(s string) (Rule, error) {
	switch r := Rule(s); r {
	case "":
		return Unsafe, nil
	case Never, Unsafe, Always, Forbid:
		return r, nil
	}
	return "", fmt.Errorf("%.40q: %w", s, ErrRule)
}

// Applies reports whether c needs an approval, if only one that cannot be had. A
// rule that is not known is
// ErrRule, never a no.
func (r Rule) Applies(c Call) (bool, error) {
	rule, err := ParseRule(string(r))
	if err != nil {
		return true, err
	}
	switch rule {
	case Never:
		return false, nil
	case Unsafe:
		return !c.readOnly(), nil
	}
	return true, nil
}
