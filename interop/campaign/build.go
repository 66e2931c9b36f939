package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const module = "github.com/parley-hq/parley"

// patch changes one place of a file of the sources, or of the standard library's, for
// one build. What it looks for must be there exactly once; nothing: the file is new.
type patch struct{ file, from, to string }

// build builds a program of this module, with its sources as the patches make them:
// nothing of what they do is in the product.
func build(ctx context.Context, dir, program string, patches []patch, race bool) (string, error) {
	file := filepath.Join(dir, filepath.Base(program))
	args := []string{"build", "-o", file}
	if race {
		args = append(args, "-race")
	}
	if len(patches) > 0 {
		overlay, err := overlay(ctx, dir, patches)
		if err != nil {
			return "", err
		}
		args = append(args, "-overlay", overlay)
	}
	out, err := exec.CommandContext(ctx, "go", append(args, module+"/"+program)...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return file, nil
}

// overlay writes changed sources, and which files they stand for.
func overlay(ctx context.Context, dir string, patches []patch) (string, error) {
	roots := map[string]string{}
	for name, args := range map[string][]string{"GOROOT": {"env", "GOROOT"}, "module": {"list", "-m", "-f", "{{.Dir}}", module}} {
		out, err := exec.CommandContext(ctx, "go", args...).Output()
		if err != nil {
			return "", fmt.Errorf("go %s: %w", args[0], err)
		}
		roots[name] = strings.TrimSpace(string(out))
	}
	sources := map[string][]byte{} // as they are changed so far, by path
	for _, p := range patches {
		path := filepath.Join(roots["module"], p.file)
		if rest, standard := strings.CutPrefix(p.file, "GOROOT/"); standard {
			path = filepath.Join(roots["GOROOT"], "src", rest)
		}
		if p.from == "" { // a new file
			sources[path] = []byte(p.to)
			continue
		}
		if sources[path] == nil {
			text, err := os.ReadFile(path)
			if err != nil {
				return "", err
			}
			sources[path] = text
		}
		if n := bytes.Count(sources[path], []byte(p.from)); n != 1 {
			return "", fmt.Errorf("%s has %q %d times, not once", p.file, p.from, n)
		}
		sources[path] = bytes.Replace(sources[path], []byte(p.from), []byte(p.to), 1)
	}
	replace := map[string]string{}
	for path, text := range sources {
		replace[path] = filepath.Join(dir, fmt.Sprintf("patch-%d%s", len(replace), filepath.Ext(path)))
		if err := os.WriteFile(replace[path], text, 0o600); err != nil {
			return "", err
		}
	}
	raw, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, raw, 0o600)
}
