// Package clone measures how long it takes from a clone of this tree to the end of the
// demonstration's story, with empty caches.
package clone

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/parley-hq/parley/bench/kit"
)

type options struct {
	from string
	warm bool
	test bool
}

// Result is what was found out.
type Result struct {
	Demo time.Duration // from the clone's beginning to the end of the story
	Test time.Duration // the same to the end of make test; 0: it was not run

	warm bool
}

// Run says how long it took.
func Run(ctx context.Context, args []string, out io.Writer) error {
	r, err := Measure(ctx, args)
	if err == nil {
		r.Print(out)
	}
	return err
}

// Measure takes the flags of the benchmark.
func Measure(ctx context.Context, args []string) (r Result, err error) {
	var o options
	flags := flag.NewFlagSet("clone", flag.ContinueOnError)
	flags.StringVar(&o.from, "from", "", "what is cloned; default: the repository of this tree, as it was committed last")
	flags.BoolVar(&o.warm, "warm", false, "use the caches of this machine: how long it takes the second time")
	flags.BoolVar(&o.test, "test", false, "run make test as well, which installs servers and takes many minutes")
	if err := flags.Parse(args); err != nil {
		return r, err
	}
	if o.from == "" {
		out, err := exec.CommandContext(ctx, "git", "rev-parse", "--show-toplevel").Output()
		if err != nil {
			return r, fmt.Errorf("where is the repository: %w", err)
		}
		o.from = strings.TrimSpace(string(out))
	}
	dir, err := os.MkdirTemp("", "parley-clone-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	r.warm = o.warm
	tree, env := filepath.Join(dir, "parley"), os.Environ()
	if !o.warm {
		env = append(env, "GOMODCACHE="+filepath.Join(dir, "mod"), "GOCACHE="+filepath.Join(dir, "build"), "GOFLAGS=-modcacherw", "GOTOOLCHAIN=local")
	}
	began := time.Now()
	if err := do(ctx, dir, env, "git", "clone", "--quiet", o.from, tree); err != nil {
		return r, err
	}
	if err := do(ctx, tree, env, "go", "run", "./cmd/parley", "demo", "--headless"); err != nil {
		return r, err
	}
	r.Demo = time.Since(began)
	if o.test {
		if err := do(ctx, tree, env, "make", "test"); err != nil {
			return r, err
		}
		r.Test = time.Since(began)
	}
	kit.Progress("")
	return r, nil
}

func do(ctx context.Context, dir string, env []string, program string, args ...string) error {
	kit.Progress("%s %s", program, strings.Join(args, " "))
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = dir, env
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", program, strings.Join(args, " "), err, said[max(0, len(said)-2000):])
	}
	return nil
}

// Caches says what was there before the clone.
func (r Result) Caches() string {
	if r.warm {
		return "modules and compiled packages were there"
	}
	return "modules downloaded and all compiled; Go was there"
}

// Print says how long it took.
func (r Result) Print(out io.Writer) {
	fmt.Fprintf(out, "%s, %d cores; %s\n", runtime.Version(), runtime.NumCPU(), r.Caches())
	fmt.Fprintf(out, "from the clone to the end of the story: %s\n", kit.Seconds(r.Demo))
	if r.Test > 0 {
		fmt.Fprintf(out, "from the clone to the end of make test: %s\n", kit.Seconds(r.Test))
	}
}
