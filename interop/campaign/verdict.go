package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
)

// kindOf is the kind of a call.
func (l *ledger) kindOf(key string) kind {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.calls[key]; c != nil {
		return c.kind
	}
	return kind{}
}

// wrong are the errands that went wrong, with their stories.
func (l *load) wrong() (all []string) {
	for _, e := range l.errands {
		truth := l.ledger.of(e.key)
		if what := e.wrong(truth); what != "" {
			all = append(all, e.told(what, truth))
		}
	}
	return all
}

// wrong says what is, if something is.
func (e *errand) wrong(truth entry) string {
	switch {
	case !e.over:
		return "stranded: nothing came of it"
	case e.end.invited != "" && !e.answered():
		return "untrue: it was done, and the client was told: " + e.end.invited
	case e.surface == byProgram || e.again:
		return ""
	case e.allow > 0 && truth.done*e.allow > truth.allowed:
		return "unapproved: it was carried out more often than it was allowed"
	case e.answered() && truth.done > truth.consents && e.allow < 2:
		return "twice: it was carried out more often than what it asked was answered"
	case !e.answered() && truth.done > 1:
		return "twice: it was carried out more often than it was called"
	case e.end.verdict == gotResult && truth.done == 0:
		return "untrue: there is a result of what was not done"
	case e.end.verdict == gotRefusal && truth.done > 0 && (e.end.anew == 0 || !e.answered()):
		return "untrue: it was done, and was told not to be"
	}
	return ""
}

// answered reports whether each time that it is carried out somebody has to say yes. One
// who was asked twice, because a node could not write down that it had asked, may say
// so twice, or yes and then no.
func (e *errand) answered() bool {
	return e.allow > 0 || e.tool == "order" || e.tool == "reorder"
}

// told is a violation as a person reads it.
func (e *errand) told(what string, truth entry) string {
	era := "2025-11-25"
	if e.modern {
		era = "2026-07-28"
	}
	text := fmt.Sprintf("%s\n  %s of %s over %s (a client of %s): began %d, done %d, answered %d, allowed %d\n",
		what, e.kind.name, e.person, e.surface, era, truth.began, truth.done, truth.consents, truth.allowed)
	const most = 60
	for i, event := range truth.story {
		if i == most {
			text += fmt.Sprintf("  … and %d more, of which the last is\n", len(truth.story)-most)
		}
		if i >= most && i < len(truth.story)-1 {
			continue
		}
		text += fmt.Sprintf("  %s  %s\n", event.at.UTC().Format("15:04:05.000"), event.what)
	}
	return text
}

// stories writes what happened to every errand, for somebody who looks for something.
func (l *load) stories(file string) error {
	var all strings.Builder
	for _, e := range l.errands {
		all.WriteString(e.told(e.key+": "+e.end.verdict, l.ledger.of(e.key)))
	}
	return os.WriteFile(file, []byte(all.String()), 0o600)
}

// report writes what became of all errands.
func (l *load) report(out io.Writer) {
	type row struct{ all, result, unknown, refused, stuck, again int }
	rows := map[string]*row{}
	for _, e := range l.errands {
		name := fmt.Sprintf("%s\t%s", e.surface, e.kind.name)
		r := rows[name]
		if r == nil {
			r = &row{}
			rows[name] = r
		}
		r.all++
		if l.ledger.of(e.key).done > 1 && !e.again {
			r.again++
		}
		switch e.end.verdict {
		case gotResult:
			r.result++
		case gotUnknown:
			r.unknown++
		case gotRefusal:
			r.refused++
		default:
			r.stuck++
		}
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "over\twhat\terrands\tresult\tunknown\trefused\tstranded\tdone and allowed twice")
	var sum row
	for _, name := range slices.SortedFunc(maps.Keys(rows), cmp.Compare) {
		r := rows[name]
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t%d\n", name, r.all, r.result, r.unknown, r.refused, r.stuck, r.again)
		sum = row{sum.all + r.all, sum.result + r.result, sum.unknown + r.unknown, sum.refused + r.refused, sum.stuck + r.stuck, sum.again + r.again}
	}
	fmt.Fprintf(table, "all\t\t%d\t%d\t%d\t%d\t%d\t%d\n", sum.all, sum.result, sum.unknown, sum.refused, sum.stuck, sum.again)
	_ = table.Flush()
	answers, taken := 0, 0
	for _, given := range l.desks.given {
		for _, g := range given {
			answers++
			if g.told == "taken" {
				taken++
			}
		}
	}
	fmt.Fprintf(out, "%d questions were answered %d times by those who sit at a desk, and %d answers were taken\n", len(l.desks.given), answers, taken)
}
