package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// tally is what became of the calls of one store.
type tally struct {
	store string
	rows  map[string]*row // by fault
	took  time.Duration
}

type row struct{ rounds, calls, result, unknown, refused, stuck, twice, again, untrue int }

func newTally(store string) *tally { return &tally{store: store, rows: map[string]*row{}} }

// add counts a call, and returns what is wrong with it.
func (t *tally) add(r round, c *call, got told, truth entry) (wrong string) {
	one := t.row(r.fault)
	one.calls++
	switch got.verdict {
	case gotResult:
		one.result++
	case gotUnknown:
		one.unknown++
	case gotRefusal:
		one.refused++
	case gotNothing:
		one.stuck++
		wrong = "stuck"
	}
	switch {
	case truth.done < 2 || c.again:
	case truth.done > truth.consents:
		one.twice++
		return "twice"
	default:
		one.again++
		wrong = "again"
	}
	if untrue(r, got, truth) || got.invited != "" {
		one.untrue++
		wrong = "untrue"
	}
	return wrong
}

// untrue reports whether a client was told what is not so.
func untrue(r round, got told, truth entry) bool {
	switch got.verdict {
	case gotResult:
		return truth.done == 0
	case gotRefusal:
		return truth.done > 0
	case gotUnknown:
		// A node writes down that it sends a call before it does: of one that ends
		// between the two nobody knows more. Neither does anybody of a call that was on
		// its way to a server as that died.
		return truth.began == 0 && !losesNode(r.fault) && r.fault != restartServer
	}
	return false
}

func (t *tally) row(fault string) *row {
	if t.rows[fault] == nil {
		t.rows[fault] = &row{}
	}
	return t.rows[fault]
}

func (t *tally) bad() bool {
	for _, r := range t.rows {
		if r.stuck+r.twice+r.untrue > 0 {
			return true
		}
	}
	return false
}

// report writes the table.
func report(out io.Writer, s settings, all []*tally) {
	fmt.Fprintf(out, "\nseed %d, %d rounds of %d calls with each store\n\n", s.seed, s.rounds, s.calls)
	w := tabwriter.NewWriter(out, 0, 0, 1, ' ', 0)
	fmt.Fprintln(w, "| store\t| fault\t| rounds\t| calls\t| result\t| unknown\t| refused\t| stuck\t| twice\t| again\t| untrue\t|")
	fmt.Fprintln(w, "|---\t|---\t|---\t|---\t|---\t|---\t|---\t|---\t|---\t|---\t|---\t|")
	for _, t := range all {
		var sum row
		for _, fault := range faultNames {
			r := t.rows[fault]
			if r == nil {
				continue
			}
			r.write(w, t.store, fault)
			sum.plus(*r)
		}
		sum.write(w, t.store, fmt.Sprintf("all, in %v", t.took.Round(time.Second)))
	}
	_ = w.Flush()
}

func (r *row) plus(other row) {
	for i, into := range r.fields() {
		*into += *other.fields()[i]
	}
}

func (r *row) fields() []*int {
	return []*int{&r.rounds, &r.calls, &r.result, &r.unknown, &r.refused, &r.stuck, &r.twice, &r.again, &r.untrue}
}

func (r row) write(w io.Writer, names ...string) {
	for _, name := range slices.All(names) {
		fmt.Fprintf(w, "| %s\t", name)
	}
	for _, field := range r.fields() {
		fmt.Fprintf(w, "| %d\t", *field)
	}
	fmt.Fprintln(w, "|")
}
