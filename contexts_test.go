package parley_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"strings"
	"testing"
)

// keepers are the structs that keep a context: the life of what outlives requests, and
// handles of Chromium's, which its driver passes as contexts.
var keepers = []string{"internal/crew/life.go", "internal/testkit/browser/"}

// A context is a parameter. What outlives requests has a crew.Life, which somebody ends.
func TestNoStructKeepsAContext(t *testing.T) {
	listed, err := exec.Command("git", "ls-files", "*.go").Output()
	if err != nil {
		t.Skip("not a git checkout: ", err)
	}
	structs, kept := 0, map[string]bool{}
	for name := range strings.Lines(string(listed)) {
		name = strings.TrimSpace(name)
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
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
	}
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
