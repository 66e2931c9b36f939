// Command mutate takes checks out of the code, one at a time, and reports those
// that no test of their package misses.
//
// A check here is a comparison of who somebody is, of what was agreed to, or of
// where it goes: person, tenant, owner, digest, nonce, place, session, issuer,
// origin. Each is replaced so that it never refuses anybody, the package's own
// tests are run, and the comparison counts as held if one of them fails, which is
// named. The tree is not changed: the compiler is given the changed file beside it.
//
//	go run ./internal/testkit/mutate                    all packages that decide about people
//	go run ./internal/testkit/mutate ./permit ./mcptool
//	go run ./internal/testkit/mutate -list              only where the checks are
//	go run ./internal/testkit/mutate -only state.go     checks of which the place has this in it
//
// A check that another one makes superfluous is named in equivalent.txt, with the
// reason. The exit status is 1 when a check was missed by nobody.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// everywhere are the packages whose code decides about people.
var everywhere = []string{
	".", "./seal", "./outbound", "./permit", "./mcptool", "./vault", "./vault/nango", "./agent", "./mcpcall", "./mcpcall/toolbox",
	"./gateway", "./chat", "./pages", "./login", "./api", "./mcpclient", "./agentmcp", "./a2a", "./cmd/parley/internal/server", "./cmd/parley/internal/config", "./mcpbridge",
}

// beside are packages whose tests test another one too: they need what it may not
// import.
var beside = map[string][]string{"./agentmcp": {"./cmd/parley/internal/agentmcptest"}}

//go:embed equivalent.txt
var equivalentText string

func main() {
	list := flag.Bool("list", false, "print the checks and run nothing")
	only := flag.String("only", "", "of the checks, those whose place or text has this in it")
	timeout := flag.Duration("timeout", 5*time.Minute, "how long the tests of a package may take")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), "Usage: go run ./internal/testkit/mutate [flags] [packages]\n\n"+
			"Takes each comparison of person, tenant, digest, nonce and place out, runs the tests of\nits package, and names those that none misses. "+
			"The tree is not changed. All packages take\nabout an hour and a half.\n\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	packages := flag.Args()
	if len(packages) == 0 {
		packages = everywhere
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	missed, err := run(ctx, packages, *only, *list, *timeout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	}
	if missed > 0 {
		os.Exit(1)
	}
}

func run(ctx context.Context, packages []string, only string, list bool, timeout time.Duration) (missed int, err error) {
	known, err := parseEquivalent(equivalentText)
	if err != nil {
		return 0, err
	}
	var all []check
	for _, dir := range packages {
		found, err := checksOf(filepath.Clean(dir))
		if err != nil {
			return 0, err
		}
		for _, c := range found {
			if strings.Contains(c.String(), only) && (list || !known.has(c)) {
				all = append(all, c)
			}
		}
	}
	held := 0
	for i, c := range all {
		if list {
			fmt.Println(c)
			continue
		}
		verdict, err := c.try(ctx, timeout)
		if err != nil {
			return missed, fmt.Errorf("%s: %w", c, err)
		}
		if verdict == missedByNobody {
			missed++
		} else {
			held++
		}
		fmt.Printf("%3d/%d  %s: %s\n", i+1, len(all), c, verdict)
	}
	if !list {
		fmt.Printf("%d checks: %d held, %d missed by nobody\n", len(all), held, missed)
	}
	return missed, nil
}

// try runs the tests of the package without the check: the quick ones first, and
// all of them where those miss nothing.
func (c check) try(ctx context.Context, timeout time.Duration) (verdict string, err error) {
	overlay, clean, err := c.overlay()
	if err != nil {
		return "", err
	}
	defer clean()
	if verdict, err = c.test(ctx, timeout, overlay, "-short"); err == nil && verdict == missedByNobody {
		verdict, err = c.test(ctx, timeout, overlay, "-short=false")
	}
	return verdict, err
}

const missedByNobody = "missed by nobody"

func (c check) test(ctx context.Context, timeout time.Duration, overlay, short string) (verdict string, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	folder := "./" + filepath.Dir(c.file)
	args := append([]string{"test", short, "-overlay", overlay, "-failfast", "-count=1", "-vet=off", folder}, beside[folder]...)
	test := exec.CommandContext(ctx, "go", args...)
	test.WaitDelay = 5 * time.Second
	out, err := test.CombinedOutput()
	var ended *exec.ExitError
	switch {
	case err == nil:
		return missedByNobody, nil
	case errors.Is(ctx.Err(), context.Canceled):
		return "", ctx.Err()
	case ctx.Err() != nil:
		return "held (no end)", nil
	case strings.Contains(string(out), "[build failed]"):
		return "", fmt.Errorf("the changed file does not compile:\n%s", out)
	case errors.As(err, &ended):
		return heldBy(out), nil
	}
	return "", err
}

var failure = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// heldBy names the test that failed, so that one can see whether it failed for
// the check.
func heldBy(out []byte) string {
	if first := failure.FindSubmatch(out); first != nil {
		return "held by " + string(first[1])
	}
	return "held (no test failed)" // such as by a panic, or by goroutines that are left
}
