package parley_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// sources calls do for every Go file of the module, by its path from the root.
func sources(t *testing.T, do func(name string, files *token.FileSet, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "node_modules" || entry.Name() == "testdata"):
			return fs.SkipDir
		case entry.IsDir() || filepath.Ext(name) != ".go":
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err == nil {
			do(filepath.ToSlash(name), files, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
