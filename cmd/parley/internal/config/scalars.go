package config

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// alone is a variable and nothing else.
var alone = regexp.MustCompile(`^\$\{([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\}$`)

// filled is a node as it is decoded: where a key takes no text, a variable that stands
// alone is what it holds, read as the key takes it. That is before decoding, so that an
// anchor stands for the value, too. What is in quotes is a text.
func (s *shape) filled(n ast.Node, t reflect.Type, at string) ast.Node {
	if anchor, ok := n.(*ast.AnchorNode); ok {
		anchor.Value = s.filled(anchor.Value, t, at)
		return n
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	text, ok := n.(*ast.StringNode)
	if !ok || typeless(t) {
		return n
	}
	parts := alone.FindStringSubmatch(text.Value)
	if parts == nil || text.Token.Type != token.StringType {
		return n // scalar says what is wrong with it
	}
	value, err := s.fill.variables(text.Value, false)
	if err != nil {
		s.broken = true // what else is wrong may follow from it
		s.problems = append(s.problems, fmt.Errorf("%s: %w", at, err))
		return ast.Null(text.Token)
	}
	if value = strings.TrimSpace(value); value == "" {
		return ast.Null(text.Token) // ${NAME:-}, as if the key were left out
	}
	if read := scalarOf(text.Token, value, t); read != nil {
		s.fill.hide(at, text.Value, value)
		return read
	}
	where := "what the variable " + parts[1] + " holds is something else"
	if set, _ := s.fill.getenv(parts[1]); strings.TrimSpace(set) == "" {
		where = "the text for where " + parts[1] + " is not set is something else"
	}
	s.kind(at, wanted(t)+", and "+where)
	return ast.Null(text.Token)
}

// typeless reports whether a type is read from text as it stands, or has parts.
func typeless(t reflect.Type) bool {
	return !slices.Contains([]reflect.Kind{reflect.Bool, reflect.Int, reflect.Int64, reflect.Float64}, t.Kind())
}

// scalarOf is a value as a type takes it; nil if it is none of it.
func scalarOf(at *token.Token, value string, t reflect.Type) ast.Node {
	switch t.Kind() {
	case reflect.Bool:
		if n := ast.Bool(at); slices.Contains([]string{"true", "True", "TRUE", "false", "False", "FALSE"}, value) {
			n.Value = strings.EqualFold(value, "true")
			return n
		}
	case reflect.Float64:
		f, err := strconv.ParseFloat(value, 64)
		if n := ast.Float(at); err == nil && !math.IsNaN(f) && !math.IsInf(f, 0) {
			n.Value = f
			return n
		}
	default:
		whole, err := strconv.ParseInt(value, 10, t.Bits())
		if n := ast.Integer(at); err == nil {
			n.Value = whole
			return n
		}
	}
	return nil
}

// variableWanted is how a variable is written where a key takes no text, if one was tried.
func variableWanted(n ast.Node) string {
	text, ok := n.(*ast.StringNode)
	switch {
	case !ok || !strings.Contains(text.Value, "${"):
		return ""
	case alone.MatchString(text.Value):
		return "; in quotes a variable is a text: write it without them, and outside of braces"
	}
	return ", or a variable that stands alone, such as ${NAME}"
}
