package permit

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/legible"
)

// Approvers are people of whom some must allow a call. The person whose call it
// is never counts and is not asked, even if listed.
type Approvers struct {
	Need int      `json:"need"` // how many
	Of   []string `json:"of"`   // users of the call's tenant, each once
}

var shorthand = regexp.MustCompile(`^\s*([0-9]{1,4})\s+of\s+\[([^\[\]"']*)\]\s*$`)

// ParseApprovers reads the shorthand of configurations, "2 of [alice, bob]". A
// name with a comma, a bracket or a quote in it needs the long form. It returns
// ErrCondition.
func ParseApprovers(s string) (*Approvers, error) {
	m := shorthand.FindStringSubmatch(s)
	if m == nil {
		return nil, fmt.Errorf("%w: %.80q does not read like 2 of [alice, bob]", ErrCondition, s)
	}
	need, err := strconv.Atoi(m[1])
	if err != nil {
		return nil, fmt.Errorf("%w: %.80q: %v", ErrCondition, s, err)
	}
	a := &Approvers{Need: need}
	for name := range strings.SplitSeq(m[2], ",") {
		a.Of = append(a.Of, strings.TrimSpace(name))
	}
	if err := a.check(); err != nil {
		return nil, fmt.Errorf("%w: %.80q: %v", ErrCondition, s, err)
	}
	return a, nil
}

// String writes a as ParseApprovers reads it.
func (a Approvers) String() string {
	return fmt.Sprintf("%d of [%s]", a.Need, strings.Join(a.Of, ", "))
}

// Check says what is wrong with approvers whom somebody names: too few, one who is named
// twice, or whom nobody can be. groups are people by the name of their group, who
// cannot be named by it.
func (a Approvers) Check(groups map[string][]string) error {
	if err := a.check(); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, name := range a.Of {
		group, marked := strings.CutPrefix(name, groupMark)
		if people, is := groups[group]; is || marked {
			return fmt.Errorf("%.100q is a group, and approvers are people: groups are for escalate and may_ask. List the people instead: %s",
				name, cmp.Or(strings.Join(people, ", "), "bob, carol"))
		}
		if err := checkApprover(name); err != nil {
			return err
		}
		if seen[name] {
			return fmt.Errorf("%.100q is named twice", name)
		}
		seen[name] = true
	}
	return nil
}

// groupMark is what the name of a group begins with where people are named, too.
const groupMark = "group:"

// checkApprover says why nobody who approves can be called so; nil: somebody can.
func checkApprover(name string) error {
	if err := checkText("approver", name); err != nil {
		return err
	}
	if !parley.ValidName(name) || strings.HasPrefix(name, groupMark) || !legible.AsWritten(name, legible.Hidden) {
		return fmt.Errorf("%.100q: nobody can be called that: it is the name of a session or a program, or has spaces around it or characters that cannot be seen", name)
	}
	return nil
}

// check is what holds for stored approvers as well, of whom nobody knows who named them.
func (a Approvers) check() error {
	for _, name := range a.Of {
		if err := checkText("approver", name); err != nil {
			return err
		}
	}
	switch n := len(a.distinct().Of); {
	case n > maxApprovers:
		return fmt.Errorf("%d people, %d are allowed", n, maxApprovers)
	case a.Need < 1:
		return errors.New("at least one must be needed")
	case a.Need > n:
		return fmt.Errorf("%d are needed of %d different people", a.Need, n)
	}
	return nil
}

// distinct returns a with every name once, in order, so that two lists of the
// same people are equal.
func (a Approvers) distinct() *Approvers {
	of := slices.Sorted(slices.Values(a.Of))
	return &Approvers{Need: a.Need, Of: slices.Compact(of)}
}

// known are those of whom somebody can be called so: a rule of before that was asked
// may name others, whom nobody would ever hear of.
func (a Approvers) known() *Approvers {
	return &Approvers{Need: a.Need, Of: slices.DeleteFunc(slices.Clone(a.Of), func(name string) bool { return checkApprover(name) != nil })}
}

// without returns those who are left, such as who is asked about a call of one of
// them.
func (a Approvers) without(people ...string) []string {
	return slices.DeleteFunc(slices.Clone(a.Of), func(name string) bool { return slices.Contains(people, name) })
}

func (a *Approvers) equal(b *Approvers) bool {
	return a != nil && b != nil && a.Need == b.Need && slices.Equal(a.Of, b.Of)
}

// implies reports whether whoever satisfies a satisfies b as well: so many of a
// cannot be had without enough of b among them.
func (a *Approvers) implies(b *Approvers) bool { return a.Need-len(a.without(b.Of...)) >= b.Need }

// and returns approvers that satisfy both: so many of all of them that enough of
// each are among them, whoever they are.
func (a *Approvers) and(b *Approvers) *Approvers {
	all := Approvers{Of: slices.Concat(a.Of, b.Of)}.distinct()
	all.Need = max(a.Need+len(all.without(a.Of...)), b.Need+len(all.without(b.Of...)))
	return all
}
