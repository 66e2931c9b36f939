// Command vet is what `make vet` has go vet run: its own checks and those of staticcheck, in one pass over the packages whose
// results go into the build cache. Staticcheck as a program of its own takes five minutes of processor time on a new machine,
// most of it for the code of others.
//
//	go -C tools build -o /tmp/vet ./vet && go vet -vettool=/tmp/vet ./...
//
// Of other modules only what is cheap to know is looked at: what is deprecated, which functions do not return, which ones print.
package main

import (
	"encoding/json"
	"os"
	"runtime/debug"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/ctrlflow"
	"golang.org/x/tools/go/analysis/passes/printf"
	"golang.org/x/tools/go/analysis/passes/scannererr"
	"golang.org/x/tools/go/analysis/passes/sqlrowserr"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/analysis/unitchecker"
	"honnef.co/go/tools/analysis/facts/deprecated"
	"honnef.co/go/tools/analysis/lint"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"
)

const ours = "github.com/parley-hq/parley"

func main() {
	debug.SetGCPercent(400) // one short process for each package
	unitchecker.Main(analyzers(os.Args[len(os.Args)-1])...)
}

// analyzers are those for what go vet asks for: a file about one package, or a flag.
func analyzers(arg string) []*analysis.Analyzer {
	if strings.HasSuffix(arg, ".cfg") && !isOurs(arg) {
		return []*analysis.Analyzer{ctrlflow.Analyzer, printf.Analyzer, deprecated.Analyzer}
	}
	all := []*analysis.Analyzer{unusedAnalyzer}
	for _, a := range vet.Suite {
		if a != scannererr.Analyzer && a != sqlrowserr.Analyzer { // go vet of Go 1.26 has neither
			all = append(all, a)
		}
	}
	for _, set := range [][]*lint.Analyzer{simple.Analyzers, staticcheck.Analyzers, stylecheck.Analyzers} {
		for _, a := range set {
			if !a.Doc.NonDefault {
				all = append(all, a.Analyzer)
			}
		}
	}
	for _, a := range all {
		heed(a)
	}
	return all
}

func isOurs(file string) bool {
	raw, err := os.ReadFile(file)
	if err != nil {
		return true // unitchecker says what is wrong with it
	}
	var unit struct{ ImportPath string }
	if json.Unmarshal(raw, &unit) != nil {
		return true
	}
	return unit.ImportPath == ours || strings.HasPrefix(unit.ImportPath, ours+"/") || strings.HasPrefix(unit.ImportPath, ours+"_") || strings.HasPrefix(unit.ImportPath, ours+" ")
}
