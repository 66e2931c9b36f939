package permit

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"

	"github.com/parley-hq/parley"
)

// maxCost bounds the work of one evaluation, in CEL's own measure: about one for
// each step and for each ten characters that are looked at.
const maxCost = 100_000

// environment is what every expression sees. Arguments are what the model says
// they are, so their types are known only when they are there.
var environment = sync.OnceValues(func() (*cel.Env, error) {
	return cel.NewEnv(
		cel.Variable("args", cel.MapType(cel.StringType, cel.DynType)),
		cel.Variable("annotations", cel.MapType(cel.StringType, cel.BoolType)),
		cel.Variable("server", cel.StringType), cel.Variable("tool", cel.StringType),
		cel.Variable("user", cel.StringType), cel.Variable("tenant", cel.StringType),
		cel.CrossTypeNumericComparisons(true), cel.ParserExpressionSizeLimit(maxWhen),
		cel.ASTValidators(cel.ValidateRegexLiterals()),
	)
})

// expression is the When of a condition, compiled. Many may use it at once.
type expression struct {
	program cel.Program
	names   names
}

func newExpression(text string) (*expression, error) {
	if len(text) > maxWhen {
		return nil, fmt.Errorf("%d bytes, %d are allowed", len(text), maxWhen)
	}
	env, err := environment()
	if err != nil {
		return nil, err
	}
	ast, issues := env.Compile(text)
	if issues != nil && issues.Err() != nil {
		if list := issues.Errors(); len(list) > 0 {
			first := list[0]
			return nil, fmt.Errorf("line %d, column %d: %s", first.Location.Line(), first.Location.Column()+1, inOurWords(first.Message))
		}
		return nil, issues.Err()
	}
	// An argument alone may be anything: "args.force" could be "no", which is
	// not false.
	if !ast.OutputType().IsExactType(cel.BoolType) {
		return nil, fmt.Errorf("it is %s, and must be true or false (bool): compare it with something", ast.OutputType())
	}
	program, err := env.Program(ast, cel.CostLimit(maxCost))
	if err != nil {
		return nil, err
	}
	return &expression{program, namesOf(ast)}, nil
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

// holds evaluates the expression over what facts returns. An error means that
// nobody knows.
func (x *expression) holds(facts map[string]any) (bool, error) {
	if err := x.names.mistaken(facts["args"]); err != nil {
		return false, err
	}
	out, _, err := x.program.Eval(facts)
	if err != nil {
		return false, err
	}
	yes, ok := out.Value().(bool)
	if !ok {
		return false, fmt.Errorf("it is a %T", out.Value())
	}
	return yes, nil
}

// facts is what expressions see of a call.
func (s subject) facts() (map[string]any, error) {
	args, err := native(s.args)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"args": args, "annotations": s.annotations(),
		"server": s.Server, "tool": s.Tool, "user": s.person(), "tenant": s.Tenant,
	}, nil
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
