package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// check is a comparison in a file.
type check struct {
	file  string
	line  int
	from  int // where it begins in the file, and ends
	to    int
	text  string
	taken string // what it is replaced by
}

func (c check) String() string { return fmt.Sprintf("%s:%d: %s", c.file, c.line, c.text) }

// checksOf finds the checks in the files of a folder, without its tests.
func checksOf(dir string) ([]check, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var all []check
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		found, err := checksIn(name, source)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func checksIn(name string, source []byte) ([]check, error) {
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var all []check
	ast.Inspect(tree, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		with, ok := takenOut(e)
		if !ok {
			return true
		}
		from, to := files.Position(e.Pos()), files.Position(e.End())
		text := string(source[from.Offset:to.Offset])
		all = append(all, check{name, from.Line, from.Offset, to.Offset, strings.Join(strings.Fields(text), " "), fmt.Sprintf(with, text)})
		return true
	})
	return all, nil
}

// takenOut says what an expression is replaced by, so that it refuses nobody, if it
// is a check.
func takenOut(e ast.Expr) (with string, ok bool) {
	const always, never = "((%s) || true)", "((%s) && false)"
	switch e := e.(type) {
	case *ast.CallExpr:
		if name := lastName(e.Fun); slices.Contains([]string{"ConstantTimeCompare", "Equal"}, name) && about(e.Args...) {
			if name == "ConstantTimeCompare" {
				return "((%s) | 1)", true
			}
			return always, true
		}
	case *ast.BinaryExpr:
		if e.Op != token.EQL && e.Op != token.NEQ || !about(e.X, e.Y) || isNil(e.Y) {
			return "", false
		}
		// To be nobody is mostly to be refused, to be the right one to be let through.
		refuses := e.Op == token.NEQ
		if isEmpty(e.Y) {
			refuses = !refuses
		}
		if refuses {
			return never, true
		}
		return always, true
	}
	return "", false
}

// subjects are what checks are about, in the names of what is compared.
var subjects = []string{
	"tenant", "user", "owner", "principal", "digest", "nonce", "place", "session", "issuer", "origin", "claim", "audience", "verifier", "program", "signature", "subject",
}

func about(operands ...ast.Expr) bool {
	for _, e := range operands {
		name := strings.ToLower(lastName(e))
		if name == "to" || slices.ContainsFunc(subjects, func(s string) bool { return strings.Contains(name, s) }) {
			return true
		}
	}
	return false
}

// lastName is the name that an operand goes by: of a selector the last.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.CallExpr:
		return lastName(e.Fun)
	case *ast.StarExpr:
		return lastName(e.X)
	case *ast.ParenExpr:
		return lastName(e.X)
	case *ast.IndexExpr:
		return lastName(e.X)
	}
	return ""
}

func isNil(e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	return ok && name.Name == "nil"
}

func isEmpty(e ast.Expr) bool {
	text, ok := e.(*ast.BasicLit)
	return ok && (text.Value == `""` || text.Value == "0")
}

// overlay writes the file without the check, and what tells the compiler to take
// it.
func (c check) overlay() (name string, clean func(), err error) {
	source, err := os.ReadFile(c.file)
	if err != nil {
		return "", nil, err
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return "", nil, err
	}
	clean = func() { _ = os.RemoveAll(dir) }
	changed := filepath.Join(dir, filepath.Base(c.file))
	whole := string(source[:c.from]) + c.taken + string(source[c.to:])
	original, err := filepath.Abs(c.file)
	if err == nil {
		err = os.WriteFile(changed, []byte(whole), 0o600)
	}
	name = filepath.Join(dir, "overlay.json")
	if err == nil {
		var data []byte
		if data, err = json.Marshal(map[string]any{"Replace": map[string]string{original: changed}}); err == nil {
			err = os.WriteFile(name, data, 0o600)
		}
	}
	if err != nil {
		clean()
	}
	return name, clean, err
}
