package config

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// shape is a file as it was written: where its keys are, and what does not fit
// the configuration.
type shape struct {
	lines    map[string]int // of each key, by its path
	problems []error
	broken   bool     // a value is of another kind than it must be, so that the file cannot be decoded
	hollow   []string // what would be something if there were anything behind it
	fill     *filler  // of variables where no text is wanted
	body     ast.Node // what is decoded; nil: nothing was written
}

// readShape compares a file with the type that it is decoded into. The decoder
// would stop at the first thing that does not fit, and speak of Go.
func readShape(data []byte, t reflect.Type, fill *filler) (*shape, error) {
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, syntax(err)
	}
	s := &shape{lines: map[string]int{}, fill: fill}
	var documents []ast.Node
	for _, d := range file.Docs {
		if d.Body != nil {
			documents = append(documents, d.Body)
		}
	}
	if len(documents) > 1 {
		return nil, fmt.Errorf("line %d: a second document begins here; a configuration is one", lineOf(documents[1]))
	}
	for _, d := range documents {
		s.body = d
		s.walk(d, t, "")
	}
	return s, nil
}

// syntax says where a file is not YAML, without a line of it: that may be a
// secret.
func syntax(err error) error {
	var wrong *yaml.SyntaxError
	if !errors.As(err, &wrong) || wrong.Token == nil || wrong.Token.Position == nil {
		return errors.New("the file cannot be read as YAML")
	}
	return fmt.Errorf("line %d, column %d: %s%s", wrong.Token.Position.Line, wrong.Token.Position.Column, wrong.Message, remedy(wrong.Message))
}

// remedy is what to write instead, for what people write most.
func remedy(message string) string {
	switch {
	case strings.Contains(message, "mapping value"):
		return `: put quotes around a value that has a colon in it, as in store: "memory:"`
	case strings.Contains(message, "',' or '}' must be specified"):
		return `: inside braces put quotes around a value that has a bracket, a brace or a comma in it, as in {approvers: "2 of [bob, carol]"}`
	case strings.Contains(message, "value is not allowed in this context"), strings.Contains(message, "non-map value is specified"):
		return ": look at the indentation, which is the same for all keys that belong together, and at the space behind each colon"
	case strings.Contains(message, "'\t'"):
		return ": indent with spaces"
	}
	return ""
}

func lineOf(n ast.Node) int {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 0
}

// kind is a problem that keeps the file from being decoded.
func (s *shape) kind(at, wanted string) {
	s.broken = true
	s.problems = append(s.problems, fmt.Errorf("%s: it must be %s", at, wanted))
}

// walk compares a node with a type.
func (s *shape) walk(n ast.Node, t reflect.Type, at string) {
	switch of := n.(type) {
	case *ast.AnchorNode:
		n = of.Value
	case *ast.TagNode:
		n = of.Value
	case *ast.AliasNode:
		return // what it stands for was looked at where it is
	case *ast.NullNode:
		if t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct {
			s.hollow = append(s.hollow, at)
		}
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		s.walk(n, t.Elem(), at)
	case reflect.Interface:
		return // anything goes, such as a JSON schema
	case reflect.Struct, reflect.Map:
		entries, ok := mapping(n)
		if !ok && at == "" {
			s.broken = true
			s.problems = append(s.problems, fmt.Errorf("line %d: a configuration is keys with values, such as listen: 127.0.0.1:8420", lineOf(n)))
			return
		}
		if !ok {
			s.kind(at, "keys with values, such as "+exampleOf(t))
			return
		}
		s.entries(entries, t, at)
	case reflect.Slice:
		list, ok := n.(*ast.SequenceNode)
		if !ok {
			example := "a, b"
			if t.Elem().Kind() == reflect.Struct {
				example = exampleOf(t.Elem())
			}
			s.kind(at, "a list, such as ["+example+"]")
			return
		}
		for i, e := range list.Values {
			place := fmt.Sprintf("%s[%d]", at, i)
			s.lines[place] = lineOf(e)
			list.Values[i] = s.filled(e, t.Elem(), place)
			s.walk(list.Values[i], t.Elem(), place)
		}
	default:
		s.scalar(n, t, at)
	}
}

// exampleOf is how keys with values of a type are written.
func exampleOf(t reflect.Type) string {
	if t.Kind() == reflect.Struct {
		if keys := keysOf(t); len(keys) > 0 {
			return "{" + keys[0] + ": …}"
		}
	}
	return "{key: value}"
}

func mapping(n ast.Node) ([]*ast.MappingValueNode, bool) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	}
	return nil, false
}

func (s *shape) entries(entries []*ast.MappingValueNode, t reflect.Type, at string) {
	for _, e := range entries {
		if _, merge := e.Key.(*ast.MergeKeyNode); merge {
			continue
		}
		name := e.Key.GetToken().Value
		place := join(at, name)
		s.lines[place] = lineOf(e.Key)
		if of, ok := typeOf(t, name); ok {
			e.Value = s.filled(e.Value, of, place)
			s.walk(e.Value, of, place)
			continue
		}
		s.problems = append(s.problems, fmt.Errorf("%s: there is no such key%s", place, meant(name, keysOf(t))))
	}
}

// typeOf is the type of what a struct or a map has at a key.
func typeOf(t reflect.Type, key string) (reflect.Type, bool) {
	if t.Kind() == reflect.Map {
		return t.Elem(), true
	}
	f, ok := fieldOf(t, key)
	return f.Type, ok
}

func (s *shape) scalar(n ast.Node, t reflect.Type, at string) {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode, *ast.SequenceNode:
		s.kind(at, wanted(t))
		return
	}
	fits := true
	switch t.Kind() {
	case reflect.Bool:
		_, fits = n.(*ast.BoolNode)
	case reflect.Int, reflect.Int64:
		_, fits = n.(*ast.IntegerNode)
	case reflect.Float64:
		_, isText := n.(*ast.StringNode)
		_, isBool := n.(*ast.BoolNode)
		fits = !isText && !isBool
	}
	if !fits {
		s.kind(at, wanted(t)+variableWanted(n))
	}
}

func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	}
	return "a text"
}

// notWritten is the tag of fields that no file has.
const notWritten = "-"

func fieldOf(t reflect.Type, key string) (reflect.StructField, bool) {
	for f := range t.Fields() {
		if tag(f) == key && key != notWritten {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

func keysOf(t reflect.Type) (all []string) {
	for f := range t.Fields() {
		if name := tag(f); name != "" && name != notWritten {
			all = append(all, name)
		}
	}
	return all
}

// keyOf is the key that a problem begins with.
func keyOf(problem error) string {
	key, _, _ := strings.Cut(problem.Error(), ": ")
	return key
}

// located puts its line in front of each problem, and the problems into the order
// of the file.
func (s *shape) located(problems []error) error {
	type found struct {
		line int
		err  error
	}
	var all []found
	named := map[string]bool{}
	for _, p := range problems {
		key := keyOf(p)
		if named[key] {
			continue // what else is wrong with it follows from the first
		}
		named[key] = true
		line := s.line(key)
		if line > 0 {
			p = fmt.Errorf("line %d: %w", line, p)
		}
		all = append(all, found{line, p})
	}
	slices.SortStableFunc(all, func(a, b found) int { return a.line - b.line })
	sorted := make([]error, len(all))
	for i, f := range all {
		sorted[i] = f.err
	}
	if len(sorted) == 1 {
		return fmt.Errorf("%w: %w", ErrInvalid, sorted[0])
	}
	return fmt.Errorf("%w:\n%w", ErrInvalid, errors.Join(sorted...))
}

// has reports whether a key was written; false where nothing was.
func (s *shape) has(key string) bool {
	if s == nil {
		return false
	}
	_, ok := s.lines[key]
	return ok
}

// line is that of a key, or of the nearest that holds it.
func (s *shape) line(key string) int {
	for key != "" {
		if line, ok := s.lines[key]; ok {
			return line
		}
		key = key[:max(strings.LastIndexAny(key, ".["), 0)]
	}
	return 0
}

// meant asks whether a name was meant to be one of others, if it is almost one of them.
func meant(name string, others []string) string {
	if near := nearest(name, others); near != "" {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	return ""
}

// nearest is the name among others that somebody may have meant, or nothing.
func nearest(name string, others []string) string {
	best, least := "", 3
	if len(name) < 4 {
		least = 2
	}
	for _, other := range others {
		if d := distance(name, other); d < least {
			best, least = other, d
		}
	}
	return best
}

// distance counts the letters that have to be put in, taken out or replaced.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := last
			if a[i] != b[j] {
				cost++
			}
			last = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
