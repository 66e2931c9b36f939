package parley_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every step of docs/flow.md names a file that is there, and functions that are
// in it.
func TestEveryStepOfTheFlowsIsInTheCode(t *testing.T) {
	page, err := os.ReadFile("docs/flow.md")
	if err != nil {
		t.Fatal(err)
	}
	flows, steps := 0, 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		switch {
		case strings.HasPrefix(line, "| step |"):
			flows, steps = flows+1, 0
		case strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "|---"):
			steps++
			if len(cells) != 4 || strings.TrimSpace(cells[0]) != fmt.Sprint(steps) {
				t.Errorf("step %d of flow %d is not one: %s", steps, flows, strings.TrimSpace(line))
				continue
			}
			for _, wrong := range missingFunctions(cells[1], cells[2]) {
				t.Errorf("step %d of flow %d: %s", steps, flows, wrong)
			}
		}
		for _, found := range sourceFile.FindAllStringSubmatch(line, -1) {
			if _, err := os.Stat(found[1]); err != nil {
				t.Error(err)
			}
		}
	}
	if flows != 3 || steps < 10 {
		t.Errorf("%d flows, the last with %d steps", flows, steps)
	}
}

var (
	sourceFile   = regexp.MustCompile("`([a-z0-9_/]+\\.go)`")
	functionName = regexp.MustCompile("`([A-Za-z]+(?:\\.[A-Za-z]+)?)`")
)

// missingFunctions says which of the functions of a cell are not in the file of
// the cell before: Name, or Type.Name for a method.
func missingFunctions(file, functions string) (wrong []string) {
	named := sourceFile.FindStringSubmatch(file)
	all := functionName.FindAllStringSubmatch(functions, -1)
	if named == nil || len(all) == 0 {
		return []string{"it names no file, or no function"}
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), named[1], nil, parser.SkipObjectResolution)
	if err != nil {
		return []string{err.Error()}
	}
	there := map[string]bool{}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			there[receiverOf(f)+f.Name.Name] = true
		}
	}
	for _, f := range all {
		if !there[f[1]] {
			wrong = append(wrong, fmt.Sprintf("%s has no function %s", named[1], f[1]))
		}
	}
	return wrong
}

// receiverOf is "Type." for a method, and nothing for a function.
func receiverOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	of := f.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name + "."
	}
	return "?."
}

func TestAStepThatIsNotInTheCodeIsNoticed(t *testing.T) {
	for cell, functions := range map[string]string{
		"`answer.go`": "`Hub.Answer`, `Hub.nothing`", "`nothing.go`": "`Hub.Answer`", "answer.go": "`Hub.Answer`", "`hub.go`": "`Hub.Answer`", "`wait.go`": "Wait",
	} {
		if wrong := missingFunctions(cell, functions); len(wrong) != 1 {
			t.Errorf("%s %s: %q", cell, functions, wrong)
		}
	}
	if wrong := missingFunctions("`answer.go`", "`Hub.Answer`, `newClaim`"); wrong != nil {
		t.Errorf("what is there: %q", wrong)
	}
}
