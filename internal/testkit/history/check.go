package history

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// Violation is something that cannot have happened with a store that keeps its
// promises.
type Violation struct {
	What string
	Ops  []Op // all that is about the same thing, in the order in which they began
}

// String is the violation with its history, a line for each operation.
func (v Violation) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n", v.What)
	const most = 200
	for i, o := range v.Ops {
		if i == most {
			fmt.Fprintf(&text, "  … and %d more\n", len(v.Ops)-most)
			break
		}
		fmt.Fprintf(&text, "  %s … %s  %-16s %s\n", clock(o.Call), clock(o.Return), o.Process, o)
	}
	return text.String()
}

// Result is what a check found.
type Result struct {
	Operations int
	Keys       int // questions and records
	Unsure     int // keys whose history took too long to explain
	Left       int // records that expire, which no clock of ours decides
	Violations []Violation
}

// Check looks for an order of all operations on each question and each record that
// explains what everybody was told. patience is for one of them.
func Check(ops []Op, patience time.Duration) Result {
	var r Result
	for _, of := range byKey(ops) {
		r.Operations += len(of)
		r.Keys++
		model, what := recordModel, "no order of these explains them"
		if of[0].ID != "" {
			model = questionModel
		} else if slices.ContainsFunc(of, Op.soon) {
			r.Left++
			continue
		} else if version := twice(of); version != 0 {
			r.Violations = append(r.Violations, Violation{fmt.Sprintf("%s: version %d was given twice", of[0].Key(), version), of})
			continue
		}
		switch porcupine.CheckOperationsTimeout(model, operations(of), patience) {
		case porcupine.Unknown:
			r.Unsure++
		case porcupine.Illegal:
			r.Violations = append(r.Violations, Violation{of[0].Key() + ": " + what, of})
		}
	}
	return r
}

// byKey groups operations, each group and all groups in the order of their beginning.
func byKey(ops []Op) [][]Op {
	groups := map[string][]Op{}
	for _, o := range ops {
		groups[o.Key()] = append(groups[o.Key()], o)
	}
	all := make([][]Op, 0, len(groups))
	for _, of := range groups {
		slices.SortStableFunc(of, func(a, b Op) int { return cmp.Compare(a.Call, b.Call) })
		all = append(all, of)
	}
	slices.SortFunc(all, func(a, b []Op) int {
		return cmp.Or(cmp.Compare(a[0].Call, b[0].Call), cmp.Compare(a[0].Key(), b[0].Key()))
	})
	return all
}

// soon reports whether a record may have expired while it was looked at.
func (o Op) soon() bool {
	return o.Expires != 0 && time.UnixMilli(o.Expires).Before(time.Unix(0, o.Call).Add(time.Hour))
}

// twice returns a version that two writes of a record were given.
func twice(of []Op) int64 {
	given := map[int64]bool{}
	for _, o := range of {
		if o.Do != "save" || o.End != Ok {
			continue
		}
		if given[o.Got] {
			return o.Got
		}
		given[o.Got] = true
	}
	return 0
}

// operations leaves reads out that say nothing.
func operations(of []Op) []porcupine.Operation {
	var all []porcupine.Operation
	for _, o := range of {
		if o.End == Unknown && (o.Do == "get" || o.Do == "load") || o.End == TooMany {
			continue
		}
		all = append(all, porcupine.Operation{Input: o, Call: o.Call, Return: o.Return})
	}
	return all
}

// question is what a store knows of one.
type question struct {
	there bool
	claim string // of its outcome; empty: it is pending
}

var questionModel = (&porcupine.NondeterministicModel{
	Init: func() []any { return []any{question{}} },
	Step: func(state, input, _ any) []any { return state.(question).after(input.(Op)) },
}).ToModel()

// after returns what may be so after an operation; nothing where it cannot have
// ended as it did.
func (q question) after(o Op) []any {
	var done question
	can := false
	switch o.Do {
	case "put":
		done, can = question{there: true}, !q.there
	case "settle":
		done, can = question{true, o.Claim}, q.there && q.claim == ""
	case "get":
		done, can = q, q.there && q.claim == o.GotClaim
	}
	refused := map[string]bool{Exists: q.there, NotFound: !q.there, Settled: q.there && q.claim != ""}[o.End]
	return outcomes(o, q, done, can, refused)
}

// record is what a store knows of one.
type record struct {
	there   bool
	version int64 // somebody's: of a write whose reply was lost
}

const somebodys = -1

func (r record) is(version int64) bool { return r.version == version || r.version == somebodys }

var recordModel = (&porcupine.NondeterministicModel{
	Init: func() []any { return []any{record{}} },
	Step: func(state, input, _ any) []any { return state.(record).after(input.(Op)) },
}).ToModel()

func (r record) after(o Op) []any {
	var done record
	can := false
	conflict := !r.there || r.version != o.Version
	switch o.Do {
	case "save":
		done = record{true, o.Got}
		if o.End == Unknown {
			done.version = somebodys
		}
		can = o.Version == 0 && !r.there || o.Version != 0 && r.there && r.is(o.Version)
	case "delete":
		can = r.there && (o.Version == 0 || r.is(o.Version))
		conflict = r.there && r.version != o.Version
	case "load":
		done, can = record{true, o.Got}, r.there && r.is(o.Got)
	}
	refused := map[string]bool{Exists: r.there, NotFound: !r.there, Conflict: conflict}[o.End]
	return outcomes(o, r, done, can, refused)
}

func outcomes[S any](o Op, before, done S, can, refused bool) []any {
	switch {
	case o.End == Ok && can:
		return []any{done}
	case o.End == Unknown && can:
		return []any{done, before}
	case o.End == Unknown, o.End != Ok && refused:
		return []any{before}
	}
	return nil
}
