package permit

import (
	"fmt"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"

	"github.com/parley-hq/parley/strictjson"
)

// names are those that an expression could know arguments by, under their folded
// form. An argument that is called so but for letter case is another one to the
// expression, and to some servers the same: of its call nobody knows what the
// expression says.
type names map[string]map[string]bool

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
	if n[folded] == nil {
		n[folded] = map[string]bool{}
	}
	n[folded][name] = true
}

// mistaken returns an error for arguments of which one, at any depth, is called
// like one of the names but for letter case.
func (n names) mistaken(args any) error {
	switch v := args.(type) {
	case []any:
		for _, e := range v {
			if err := n.mistaken(e); err != nil {
				return err
			}
		}
	case map[string]any:
		for name, value := range v {
			if known := n[strictjson.Fold(name)]; known != nil && !known[name] {
				return fmt.Errorf("the argument %.60q is called like one of the rule's, but for letter case", name)
			}
			if err := n.mistaken(value); err != nil {
				return err
			}
		}
	}
	return nil
}
