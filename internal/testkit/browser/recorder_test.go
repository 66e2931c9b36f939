package browser_test

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/browser"
)

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "orphan":
		startOrphan()
	case "alone":
		os.Exit(m.Run())
	case "leak":
		go func() { select {} }()
	}
	os.Exit(browser.Main(m))
}

// recorder is a test within a test: how it ends is recorded.
type recorder struct {
	testing.TB
	name            string
	result, message string
	cleanups        []func()
}

// try runs a test within a test, to its very end.
func try(t *testing.T, test func(*recorder)) *recorder {
	t.Helper()
	r := &recorder{TB: t, name: t.Name() + " within"}
	done := make(chan struct{})
	go func() { // Skip and Fatal end the goroutine
		defer close(done)
		defer func() {
			for _, cleanup := range slices.Backward(r.cleanups) {
				cleanup()
			}
		}()
		test(r)
	}()
	<-done
	return r
}

// fails checks that a test fails, and says so.
func fails(t *testing.T, want string, test func(*recorder)) {
	t.Helper()
	browser.Start(t) // or skip
	if r := try(t, test); r.result != "failed" || !strings.Contains(r.message, want) {
		t.Errorf("%s with %q, want it to fail with %q", r.result, r.message, want)
	}
}

func (r *recorder) Name() string     { return r.name }
func (r *recorder) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Failed() bool     { return r.result == "failed" }

func (r *recorder) Errorf(format string, args ...any) { r.note("failed", fmt.Sprintf(format, args...)) }
func (r *recorder) Error(args ...any)                 { r.note("failed", fmt.Sprint(args...)) }
func (r *recorder) Fatalf(format string, args ...any) { r.end("failed", fmt.Sprintf(format, args...)) }
func (r *recorder) Fatal(args ...any)                 { r.end("failed", fmt.Sprint(args...)) }
func (r *recorder) Skip(args ...any)                  { r.end("skipped", fmt.Sprint(args...)) }

func (r *recorder) note(result, message string) {
	r.result = result
	r.message += message + "\n"
}

func (r *recorder) end(result, message string) {
	r.note(result, message)
	runtime.Goexit()
}
