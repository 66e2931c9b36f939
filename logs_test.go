package parley_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// logMethods are those of slog.Logger, with the place of the message among their arguments.
var logMethods = map[string]int{
	"Debug": 0, "Info": 0, "Warn": 0, "Error": 0,
	"DebugContext": 1, "InfoContext": 1, "WarnContext": 1, "ErrorContext": 1,
}

// An operator searches the log for a message: it is a constant that begins with
// its noun, and what varies is an attribute.
func TestLogMessagesAreShortConstants(t *testing.T) {
	seen := 0
	sources(t, func(name string, files *token.FileSet, file *ast.File) {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "storetest/") || strings.HasPrefix(name, "interop/") || strings.HasPrefix(name, "examples/") {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if message, ok := logged(call); ok {
				seen++
				if wrong := wrongMessage(message); wrong != "" {
					t.Errorf("%s: %s", files.Position(call.Pos()), wrong)
				}
			}
			return true
		})
	})
	if seen < 100 {
		t.Errorf("%d log messages found", seen)
	}
}

// logged returns the message of a call of a logger's method.
func logged(call *ast.CallExpr) (message ast.Expr, ok bool) {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil, false
	}
	place, ok := logMethods[method.Sel.Name]
	if !ok || len(call.Args) <= place {
		return nil, false
	}
	of := method.X
	if field, ok := of.(*ast.SelectorExpr); ok {
		return call.Args[place], slices.Contains([]string{"Logger", "logger", "log"}, field.Sel.Name)
	}
	name, ok := of.(*ast.Ident)
	return call.Args[place], ok && slices.Contains([]string{"logger", "log", "slog"}, name.Name)
}

func wrongMessage(message ast.Expr) string {
	if _, ok := message.(*ast.Ident); ok {
		return "" // of a function that logs for others
	}
	text, ok := message.(*ast.BasicLit)
	if !ok {
		return "the message is no constant"
	}
	said, err := strconv.Unquote(text.Value)
	if err != nil {
		return err.Error()
	}
	first, _, _ := strings.Cut(said, " ")
	if slices.Contains([]string{"a", "an", "the", "it", "how", "there"}, strings.ToLower(first)) {
		return strconv.Quote(said) + " does not begin with its noun"
	}
	return ""
}

func TestALogMessageThatIsASentenceIsNoticed(t *testing.T) {
	for source, wrong := range map[string]bool{
		`opts.Logger.Warn("server down", "err", err)`:              false,
		`p.opts.Logger.WarnContext(ctx, "a server is down")`:       true,
		`logger.Error("page failed: " + why)`:                      true,
		`x.Logger.InfoContext(r.Context(), "how it is, is known")`: true,
	} {
		expr, err := parser.ParseExpr(source)
		if err != nil {
			t.Fatal(err)
		}
		message, ok := logged(expr.(*ast.CallExpr))
		if !ok || (wrongMessage(message) != "") != wrong {
			t.Errorf("%s: found %v, %q", source, ok, wrongMessage(message))
		}
	}
}
