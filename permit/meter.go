package permit

import (
	"regexp"

	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// meterName is the variable by which the parts of an expression find their budget. No
// expression can name it.
const meterName = "#budget"

// CEL's own cost does not know how long values of unknown type become, nor what lists
// of lists or a pattern cost, and it counts when the work is done. So every part of an
// expression is metered: what is more than its share of the budget is not begun.

// metered decorates the parts of an expression so that each spends what it takes.
func metered(i interpreter.Interpretable) (interpreter.Interpretable, error) {
	switch part := i.(type) {
	case *meteredPart, *meteredAttribute, *match, *join, *compare:
		return i, nil
	case interpreter.InterpretableAttribute:
		return &meteredAttribute{part}, nil
	case interpreter.InterpretableConst: // costs what whoever uses it says
		return i, nil
	case interpreter.InterpretableConstructor:
		return &meteredPart{part, len(part.InitVals()) + 1}, nil
	case interpreter.InterpretableCall:
		return meteredCall(part)
	}
	return &meteredPart{i, 1}, nil
}

func meteredCall(call interpreter.InterpretableCall) (interpreter.Interpretable, error) {
	args := call.Args()
	cost := 1
	for _, arg := range args {
		if constant, ok := arg.(interpreter.InterpretableConst); ok {
			cost += reads(length(constant.Value()))
		}
	}
	if len(args) == 2 {
		base := operation{call.ID(), cost, args[0], args[1]}
		switch call.Function() {
		case overloads.Matches:
			return newMatch(base)
		case operators.Add:
			return &join{base}, nil
		case operators.Equals, operators.NotEquals, operators.In:
			return &compare{base, call.Function()}, nil
		}
	}
	return &meteredPart{call, cost}, nil
}

func budgetOf(vars interpreter.Activation) *budget {
	v, _ := vars.ResolveName(meterName)
	b, ok := v.(*budget)
	if !ok { // without one nothing is evaluated
		panic(interpreter.EvalCancelledError{Cause: interpreter.CostLimitExceeded, Message: errTooMuch.Error()})
	}
	return b
}

// length is that of a text in bytes.
func length(v ref.Val) int {
	switch v := v.(type) {
	case types.String:
		return len(v)
	case types.Bytes:
		return len(v)
	}
	return 0
}

// meteredPart is any other part.
type meteredPart struct {
	interpreter.Interpretable
	cost int
}

func (m *meteredPart) Eval(vars interpreter.Activation) ref.Val {
	b := budgetOf(vars)
	b.spend(m.cost)
	v := m.Interpretable.Eval(vars)
	b.spend(makes(length(v)))
	return v
}

// meteredAttribute is a variable, or what is selected of one.
type meteredAttribute struct {
	interpreter.InterpretableAttribute
}

func (m *meteredAttribute) Eval(vars interpreter.Activation) ref.Val {
	b := budgetOf(vars)
	b.spend(1)
	v := m.InterpretableAttribute.Eval(vars)
	b.spend(reads(length(v)))
	return v
}

// operation is a call of two arguments that looks at both as a whole.
type operation struct {
	id    int64
	cost  int
	left  interpreter.Interpretable
	right interpreter.Interpretable
}

func (o operation) ID() int64 { return o.id }

// operands evaluates both; other is what is the result instead, such as an error.
func (o operation) operands(vars interpreter.Activation) (b *budget, left, right, other ref.Val) {
	b = budgetOf(vars)
	b.spend(o.cost)
	if left = o.left.Eval(vars); types.IsUnknownOrError(left) {
		return b, nil, nil, left
	}
	if right = o.right.Eval(vars); types.IsUnknownOrError(right) {
		return b, nil, nil, right
	}
	return b, left, right, nil
}

// join is +. What it makes is paid for before it is made. Lists are copied: one that
// only refers to its halves costs what nobody sees.
type join struct{ operation }

func (j *join) Eval(vars interpreter.Activation) ref.Val {
	b, left, right, other := j.operands(vars)
	if other != nil {
		return other
	}
	b.spend(makes(length(left) + length(right)))
	if _, grows := left.(traits.MutableLister); !grows {
		first, ok := left.(traits.Lister)
		second, also := right.(traits.Lister)
		if ok && also {
			return joined(b, first, second)
		}
	} else if more, ok := right.(traits.Lister); ok { // what map and filter gather
		b.spend(int(more.Size().(types.Int)))
	}
	adder, ok := left.(traits.Adder)
	if !ok {
		return types.MaybeNoSuchOverloadErr(left)
	}
	return adder.Add(right)
}

func joined(b *budget, lists ...traits.Lister) ref.Val {
	var all []ref.Val
	for _, list := range lists {
		for it := list.Iterator(); it.HasNext() == types.True; {
			b.spend(1)
			all = append(all, it.Next())
		}
	}
	return types.NewRefValList(types.DefaultTypeAdapter, all)
}

// compare is ==, != and in: they look at all that lists and maps contain. To CEL values of
// different types are different, and that is all. Here nobody knows: a model chooses the types
// of its arguments, and servers take "1000" or [1000] for 1000.
type compare struct {
	operation
	function string
}

func (c *compare) Eval(vars interpreter.Activation) ref.Val {
	b, left, right, other := c.operands(vars)
	if other != nil {
		return other
	}
	spendOn(b, left)
	spendOn(b, right)
	switch c.function {
	case operators.In:
		container, ok := right.(traits.Container)
		if !ok {
			return types.MaybeNoSuchOverloadErr(right)
		}
		found := container.Contains(left)
		if found == types.False {
			if a, b, fit := memberFits(left, right, isWritten(c.right)); !fit {
				return differentTypes(a, b)
			}
		}
		return found
	case operators.NotEquals:
		if a, b, fit := c.fit(left, right); !fit {
			return differentTypes(a, b)
		}
		return types.Bool(types.Equal(left, right) != types.True)
	}
	if a, b, fit := c.fit(left, right); !fit {
		return differentTypes(a, b)
	}
	return types.Equal(left, right)
}

// fit reports whether two values can be compared, and else what of them cannot. Whoever
// writes null asks whether something is null.
func (c *compare) fit(left, right ref.Val) (a, b ref.Val, ok bool) {
	if isNull(c.left) || isNull(c.right) {
		return nil, nil, true
	}
	return fit(left, right)
}

// spendOn spends what it takes to look at all of a value.
func spendOn(b *budget, v ref.Val) {
	b.spend(reads(length(v)))
	switch v := v.(type) {
	case traits.Lister:
		for it := v.Iterator(); it.HasNext() == types.True; {
			spendOn(b, it.Next())
		}
	case traits.Mapper:
		for it := v.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			spendOn(b, key)
			spendOn(b, v.Get(key))
		}
	}
}

// match is matches: its cost is the pattern's size times the text's.
type match struct {
	operation
	pattern *regexp.Regexp // nil: it is known only when it is evaluated
	size    int
}

func newMatch(o operation) (*match, error) {
	m := &match{operation: o}
	if constant, ok := o.right.(interpreter.InterpretableConst); ok {
		if text, ok := constant.Value().(types.String); ok {
			var err error
			if m.pattern, m.size, err = compilePattern(string(text)); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

func (m *match) Eval(vars interpreter.Activation) ref.Val {
	b, left, right, other := m.operands(vars)
	if other != nil {
		return other
	}
	text, ok := left.(types.String)
	if !ok {
		return types.MaybeNoSuchOverloadErr(left)
	}
	pattern, size := m.pattern, m.size
	if pattern == nil {
		said, ok := right.(types.String)
		if !ok {
			return types.MaybeNoSuchOverloadErr(right)
		}
		var err error
		if pattern, size, err = compilePattern(string(said)); err != nil {
			return types.WrapErr(err)
		}
		b.spend(2 * size)
	}
	const threads = 4 // of a pattern, that one step follows by one character
	b.spend((len(text) + 1) * (size/threads + 1))
	return types.Bool(pattern.MatchString(string(text)))
}
