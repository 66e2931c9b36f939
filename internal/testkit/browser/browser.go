// Package browser drives Chromium in tests: real pages, real cookies, real clicks.
//
// A [Browser] is a Chromium process without a screen. A [Person] is somebody with cookies of their own in it, looking at a
// [Window]; a click may open a second one:
//
//	chromium := browser.Start(t)
//	alice, bob := chromium.Person(t), chromium.Person(t)
//	alice.Open(site.URL)
//	alice.Fill("Your name", "Alice")
//	alice.Follow("Sign in")
//	alice.WaitFor("Signed in as Alice")
//	alice.Screenshot("signed in")
//	alice.CheckAccessible()
//
// What goes wrong in a page fails the test, looked for or not: errors on the console, exceptions, violations of a content
// security policy, dialogs, and requests to any other machine, which are refused besides. [Person.Expect] names what a
// test provokes.
//
// A method waits for what it needs, for a minute ([Window.Patience]), and ends the test with the page's text and a
// picture if that does not come. So it is called from the test's own goroutine, like t.Fatal. Persons are independent of
// each other: tests that run in parallel share the process and nothing else.
//
// The process ends with the test binary, however that ends, and before that with the last test that uses it or with
// [Main].
package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// ErrNotInstalled means that no Chromium was found.
var ErrNotInstalled = errors.New("not installed")

// startTimeout is generous: test binaries of other packages run beside us.
const startTimeout = 2 * time.Minute

// Browser is a running Chromium.
type Browser struct {
	chromium *chromium
	users    int // guarded by shared.mu

	mu     sync.Mutex
	albums map[testing.TB]*album
}

// shared holds the browser of this test binary. Package testing has no other place for what tests share and only some
// of them need.
var shared struct {
	mu      sync.Mutex
	browser *Browser
	kept    bool // by Main, though no test uses it
}

// Start returns the Chromium that the tests of this binary share; the first that asks starts it. It ends when the last test
// that asked for it has ended, so a test with many subtests asks first and keeps it for them; [Main] keeps it for all.
//
// It is the program that PARLEY_TEST_CHROMIUM names, or the first of chromium, chromium-browser, google-chrome and
// google-chrome-stable in the path. Without one the test is skipped; it fails if CI or PARLEY_REQUIRE_SERVERS is set.
func Start(t testing.TB) *Browser {
	t.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if b := shared.browser; b == nil || b.chromium.ended() {
		shared.browser = &Browser{chromium: mustStart(t), albums: map[testing.TB]*album{}}
	}
	b := shared.browser
	b.users++
	t.Cleanup(func() {
		shared.mu.Lock()
		defer shared.mu.Unlock()
		b.users--
		tidy(b)
	})
	return b
}

// Main runs a package's tests with one Chromium for all that need one, and looks for goroutines left behind. Its result
// is for os.Exit.
func Main(m *testing.M) int {
	keep(true)
	code := m.Run()
	keep(false)
	if code != 0 {
		return code // what failed explains the goroutines
	}
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, "goroutines left behind:", err)
		return 1
	}
	return 0
}

func keep(kept bool) {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	shared.kept = kept
	if shared.browser != nil {
		tidy(shared.browser)
	}
}

// tidy ends the process if nobody uses it. The caller holds shared.mu.
func tidy(b *Browser) {
	current := b == shared.browser
	if b.users > 0 || current && shared.kept {
		return
	}
	b.chromium.close()
	if current {
		shared.browser = nil
	}
}

func mustStart(t testing.TB) *chromium {
	t.Helper()
	if testing.Short() && !required() {
		t.Skip("-short: without Chromium")
	}
	ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
	defer cancel()
	c, err := startChromium(ctx)
	if errors.Is(err, ErrNotInstalled) {
		err = fmt.Errorf("%w: `make test` installs it on Debian as root; "+
			"elsewhere install it or set PARLEY_TEST_CHROMIUM=/path/to/chromium", err)
		if !required() {
			t.Skip(err)
		}
	}
	if err != nil {
		t.Fatalf("start Chromium: %v", err)
	}
	return c
}

// required reports whether a test may not skip for want of a program.
func required() bool {
	return os.Getenv("CI") != "" || os.Getenv("PARLEY_REQUIRE_SERVERS") != ""
}
