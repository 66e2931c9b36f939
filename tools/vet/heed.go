package main

import (
	"go/token"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
	"honnef.co/go/tools/analysis/lint"
	"honnef.co/go/tools/unused"
)

// heed makes a check keep silent where a comment says so, with its reason: "lint:ignore SA1019 why", on the line or above it,
// or "lint:file-ignore". Staticcheck's own program does that outside of the checks.
func heed(a *analysis.Analyzer) {
	run := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		quiet := silenced(pass, a.Name)
		p := *pass
		p.Report = func(d analysis.Diagnostic) {
			at := pass.Fset.Position(d.Pos)
			if !quiet[line{at.Filename, 0}] && !quiet[line{at.Filename, at.Line}] {
				d.Message = a.Name + ": " + d.Message
				pass.Report(d)
			}
		}
		return run(&p)
	}
}

// line is one of a file; 0 stands for all.
type line struct {
	file string
	n    int
}

func silenced(pass *analysis.Pass, check string) map[line]bool {
	quiet := map[line]bool{}
	for _, d := range lint.ParseDirectives(pass.Files, pass.Fset) {
		if len(d.Arguments) < 2 { // a reason is needed
			continue
		}
		for name := range strings.SplitSeq(d.Arguments[0], ",") {
			if !strings.EqualFold(name, check) {
				continue
			}
			at := pass.Fset.Position(d.Node.Pos())
			if d.Command == "file-ignore" {
				at.Line = 0
			}
			if strings.HasSuffix(d.Command, "ignore") {
				quiet[line{at.Filename, at.Line}] = true
			}
		}
	}
	return quiet
}

// unusedAnalyzer reports what staticcheck's own program reports of the result of unused.
var unusedAnalyzer = &analysis.Analyzer{
	Name:       "U1000",
	Doc:        "report what nothing uses",
	Requires:   []*analysis.Analyzer{unused.Analyzer.Analyzer},
	ResultType: reflect.TypeFor[struct{}](),
	Run: func(pass *analysis.Pass) (any, error) {
		for _, o := range pass.ResultOf[unused.Analyzer.Analyzer].(unused.Result).Unused {
			pass.Reportf(position(pass, o.DisplayPosition), "%s %s is unused", o.Kind, o.Name)
		}
		return struct{}{}, nil
	},
}

func position(pass *analysis.Pass, p token.Position) token.Pos {
	for _, f := range pass.Files {
		if file := pass.Fset.File(f.Pos()); file.Name() == p.Filename {
			return file.LineStart(p.Line) + token.Pos(p.Column-1)
		}
	}
	return token.NoPos
}
