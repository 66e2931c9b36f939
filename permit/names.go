package permit

import (
	"fmt"
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"

	"github.com/parley-hq/parley/strictjson"
)

// names are those that an expression could know arguments by, under their folded
// form. An argument that is called so but for letter case is another one to the
// expression, and to some servers the same: of its call nobody knows what the
// expression says.
type names map[string][]string

// namesOf collects the fields that an expression selects and its texts.
func namesOf(expression *cel.Ast) names {
	all := names{}
	ast.PostOrderVisit(expression.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.SelectKind:
			all.add(e.AsSelect().FieldName())
		case ast.LiteralKind:
			if text, ok := e.AsLiteral().(types.String); ok {
				all.add(string(text))
			}
		}
	}))
	return all
}

func (n names) add(name string) {
	folded := strictjson.Fold(name)
	if !slices.Contains(n[folded], name) {
		n[folded] = append(n[folded], name)
	}
}

// namesIn adds what arguments are called, at any depth.
func namesIn(all names, args any) names {
	switch v := args.(type) {
	case []any:
		for _, e := range v {
			namesIn(all, e)
		}
	case object:
		for _, m := range v {
			all.add(m.Name)
			namesIn(all, m.Value)
		}
	}
	return all
}

// mistaken returns an error for arguments of which one is called like one of the
// names but for letter case.
func (n names) mistaken(called names) error {
	for folded, known := range n {
		for _, name := range called[folded] {
			if !slices.Contains(known, name) {
				return fmt.Errorf("the argument %.60q is called like one of the rule's, but for letter case", name)
			}
		}
	}
	return nil
}
