package permit

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"

	"github.com/parley-hq/parley"
)

// Bounds of what is written in an expression: its types become as deep, and looking at
// them takes longer than at its text.
const (
	maxFolds   = 8 // ways through lists and maps (all, exists, map, …)
	maxNesting = 3 // of lists and maps that are written out, in each other
)

// environment is what every expression sees. Arguments are what the model says
// they are, so their types are known only when they are there.
var environment = sync.OnceValues(func() (*cel.Env, error) {
	return cel.NewEnv(
		cel.Variable("args", cel.MapType(cel.StringType, cel.DynType)),
		cel.Variable("annotations", cel.MapType(cel.StringType, cel.BoolType)),
		cel.Variable("server", cel.StringType), cel.Variable("tool", cel.StringType),
		cel.Variable("user", cel.StringType), cel.Variable("tenant", cel.StringType),
		cel.CrossTypeNumericComparisons(true), cel.ParserExpressionSizeLimit(maxWhen),
	)
})

// expression is the When of a condition, compiled when the first call needs it.
// Many may use it at once.
type expression struct {
	text  string
	ready func() (*compiled, error)
}

// compiled is an expression that can be evaluated.
type compiled struct {
	program cel.Program
	names   names
}

func newExpression(text string) *expression {
	return &expression{text, sync.OnceValues(func() (*compiled, error) { return compileExpression(text) })}
}

// compileExpression returns errTooMuch for one that is read and too much work.
func compileExpression(text string) (*compiled, error) {
	if len(text) > maxWhen {
		return nil, fmt.Errorf("%d bytes, %d are allowed", len(text), maxWhen)
	}
	env, err := environment()
	if err != nil {
		return nil, err
	}
	read, issues := env.Parse(text)
	if err := inOurPlace(issues); err != nil {
		return nil, err
	}
	if err := modest(read); err != nil { // before anybody looks at types: that is work, too
		return nil, err
	}
	ast, issues := env.Check(read)
	if err := inOurPlace(issues); err != nil {
		return nil, err
	}
	// An argument alone may be anything: "args.force" could be "no", which is
	// not false.
	if !ast.OutputType().IsExactType(cel.BoolType) {
		return nil, fmt.Errorf("it is %s, and must be true or false (bool): compare it with something", ast.OutputType())
	}
	program, err := env.Program(ast, cel.CustomDecorator(metered))
	if err != nil {
		return nil, err
	}
	return &compiled{program, namesOf(ast)}, nil
}

// inOurPlace is the first of what is wrong, with line and column.
func inOurPlace(issues *cel.Issues) error {
	if issues == nil || issues.Err() == nil {
		return nil
	}
	if list := issues.Errors(); len(list) > 0 {
		first := list[0]
		return fmt.Errorf("line %d, column %d: %s", first.Location.Line(), first.Location.Column()+1, inOurWords(first.Message))
	}
	return issues.Err()
}

// nesting is how many lists and maps are written in each other, up to one too many.
func nesting(e ast.Expr) (deepest int) {
	var inside func(e ast.Expr, depth int)
	inside = func(e ast.Expr, depth int) {
		deepest = max(deepest, depth)
		switch {
		case depth > maxNesting:
		case e.Kind() == ast.ListKind:
			for _, one := range e.AsList().Elements() {
				inside(one, depth+1)
			}
		case e.Kind() == ast.MapKind:
			for _, one := range e.AsMap().Entries() {
				inside(one.AsMapEntry().Value(), depth+1)
			}
		}
	}
	inside(e, 0)
	return deepest
}

// modest refuses what would be too much work whatever the call: patterns that become
// too large, all of an expression together, and too many ways through lists. And
// messages, which copy all that they are given.
func modest(read *cel.Ast) (err error) {
	tree := read.NativeRep()
	folds, size := 0, 0
	refuse := func(e ast.Expr, why error) {
		if err == nil {
			at := tree.SourceInfo().GetStartLocation(e.ID())
			err = fmt.Errorf("line %d, column %d: %w", at.Line(), at.Column()+1, why)
		}
	}
	ast.PostOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.ComprehensionKind:
			if folds++; folds > maxFolds {
				refuse(e, fmt.Errorf("%w: it goes through lists more than %d times", errTooMuch, maxFolds))
			}
		case ast.ListKind, ast.MapKind:
			if nesting(e) > maxNesting {
				refuse(e, fmt.Errorf("%w: lists and maps are written in each other more than %d deep", errTooMuch, maxNesting))
			}
			if e.Kind() == ast.MapKind && slices.ContainsFunc(e.AsMap().Entries(), func(one ast.EntryExpr) bool { return one.AsMapEntry().Key().Kind() != ast.LiteralKind }) {
				refuse(e, fmt.Errorf("%w: the keys of a map are written out", errTooMuch))
			}
		case ast.StructKind:
			refuse(e, fmt.Errorf("%w: a condition makes no messages", errTooMuch))
		case ast.CallKind:
			args := e.AsCall().Args()
			if e.AsCall().FunctionName() != overloads.Matches || len(args) == 0 || args[len(args)-1].Kind() != ast.LiteralKind {
				return
			}
			text, ok := args[len(args)-1].AsLiteral().(types.String)
			if !ok {
				return
			}
			one, wrong := patternSize(string(text))
			if size += one; wrong == nil && size > maxPatternSize {
				wrong = fmt.Errorf("%w: all its patterns together have more than %d parts, repeats written out", errTooMuch, maxPatternSize)
			}
			if wrong != nil {
				refuse(args[len(args)-1], fmt.Errorf("invalid matches argument: %w", wrong))
			}
		}
	}))
	return err
}

var (
	undeclared = regexp.MustCompile(`^undeclared reference to '([^']*)'`)
	overload   = regexp.MustCompile(`^found no matching overload for '([^']*)' applied to '\(([^)]*)\)'`)
)

// inOurWords says what the compiler says in words for who writes rules.
func inOurWords(message string) string {
	if m := undeclared.FindStringSubmatch(message); m != nil {
		return fmt.Sprintf("there is no %s here; a condition knows args, annotations, server, tool, user and tenant", m[1])
	}
	if m := overload.FindStringSubmatch(message); m != nil {
		return fmt.Sprintf("%s does not work on %s", strings.Trim(m[1], "_@"), strings.ReplaceAll(m[2], ", ", " and "))
	}
	if rest, ok := strings.CutPrefix(message, "Syntax error: "); ok {
		rest, _, _ = strings.Cut(rest, " expecting ")
		rest = strings.ReplaceAll(rest, "'<EOF>'", "its end")
		for _, begins := range []string{"mismatched input ", "extraneous input ", "no viable alternative at input "} {
			if at, ok := strings.CutPrefix(rest, begins); ok {
				return "it cannot be read: something is wrong at " + at
			}
		}
		return "it cannot be read: " + rest
	}
	return message
}

// holds evaluates the expression over a call. An error means that nobody knows;
// errDamaged: the expression is none.
func (x *expression) holds(f *facts) (yes bool, err error) {
	if f.budget.late() { // others have compiled for so long
		return false, f.budget.spent()
	}
	c, err := x.ready()
	if err != nil && !errors.Is(err, errTooMuch) {
		return false, fmt.Errorf("%w: %w", errDamaged, err)
	}
	if err != nil {
		return false, err
	}
	if err := c.names.mistaken(f.called); err != nil {
		return false, err
	}
	err = f.budget.within(func() error {
		out, _, err := c.program.Eval(f)
		if err != nil {
			return err
		}
		var ok bool
		if yes, ok = out.Value().(bool); !ok {
			return fmt.Errorf("it is a %T", out.Value())
		}
		return nil
	})
	return yes && err == nil, err
}

// facts is what expressions see of a call, with the work that they may do about it.
type facts struct {
	vars   map[string]any
	called names // what its arguments are called
	budget *budget
}

// ResolveName implements cel.Activation.
func (f *facts) ResolveName(name string) (any, bool) {
	if name == meterName {
		return f.budget, true
	}
	v, ok := f.vars[name]
	return v, ok
}

// Parent implements cel.Activation.
func (f *facts) Parent() cel.Activation { return nil }

func (s subject) facts(b *budget) (*facts, error) {
	args, err := native(s.args)
	if err != nil {
		return nil, err
	}
	if err := undeclaredType(s.Schema, s.args); err != nil {
		return nil, err
	}
	return &facts{vars: map[string]any{
		"args": args, "annotations": s.annotations(),
		"server": s.Server, "tool": s.Tool, "user": s.person(), "tenant": s.Tenant,
	}, called: namesIn(names{}, s.args), budget: b}, nil
}

// person is who calls, or nothing: a client's session is nobody, in whatever era.
func (s subject) person() string {
	if !parley.OwnerOf(s.Tenant, s.User).IsPerson() {
		return ""
	}
	return s.User
}

// native turns a parsed value into what CEL works with.
func native(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		return number(string(v))
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			var err error
			if list[i], err = native(e); err != nil {
				return nil, err
			}
		}
		return list, nil
	case object:
		members := make(map[string]any, len(v))
		for _, m := range v {
			var err error
			if members[m.Name], err = native(m.Value); err != nil {
				return nil, err
			}
		}
		return members, nil
	}
	return v, nil
}

var errNumber = errors.New("a number that cannot be compared exactly")

// number keeps whole numbers whole: up to 64 bits they are exact. No double
// beyond 2^53 comes out, because a double there stands for several numbers and
// would be equal to an integer that it is not; nor one in the place of a fraction
// that has more digits than it. What is left is errNumber.
func number(text string) (any, error) {
	const exact = 1 << 53
	if !strings.ContainsAny(text, ".eE") {
		return whole(text)
	}
	const long = 400 // a whole number of 64 bits can be written in less
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || len(text) > long {
		return nil, errNumber
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, errNumber
	}
	if math.Abs(f) < exact && meant(f, r) {
		return f, nil
	}
	if !r.IsInt() {
		return nil, errNumber
	}
	return whole(r.Num().String())
}

// meant reports whether a double is written as r when it is written as shortly as
// it can be: then whoever wrote r means the double, and nothing beside it.
func meant(f float64, r *big.Rat) bool {
	short, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	return ok && short.Cmp(r) == 0
}

func whole(text string) (any, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n, nil
	}
	return nil, errNumber
}
