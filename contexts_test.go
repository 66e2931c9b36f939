package parley_test

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// keepers are the structs that keep a context: the life of what outlives requests, and
// handles of Chromium's, which its driver passes as contexts.
var keepers = []string{"internal/crew/life.go", "internal/testkit/browser/"}

// A context is a parameter. What outlives requests has a crew.Life, which somebody ends.
func TestNoStructKeepsAContext(t *testing.T) {
	structs, kept := 0, map[string]bool{}
	sources(t, func(name string, files *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.StructType)
			if !ok {
				return true
			}
			structs++
			for _, field := range s.Fields.List {
				if !isContext(field.Type) {
					continue
				}
				if keeper := keeperOf(name); keeper != "" {
					kept[keeper] = true
					continue
				}
				t.Errorf("%s: a context is kept: pass it, or have a crew.Life that ends", files.Position(field.Pos()))
			}
			return true
		})
	})
	if structs < 500 {
		t.Errorf("%d structs found", structs)
	}
	for _, keeper := range keepers {
		if !kept[keeper] {
			t.Errorf("%s keeps none, and is no exception any more", keeper)
		}
	}
}

func keeperOf(file string) string {
	for _, keeper := range keepers {
		if strings.HasPrefix(file, keeper) {
			return keeper
		}
	}
	return ""
}

// isContext reports whether a type is context.Context.
func isContext(t ast.Expr) bool {
	s, ok := t.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Context" {
		return false
	}
	in, ok := s.X.(*ast.Ident)
	return ok && in.Name == "context"
}
