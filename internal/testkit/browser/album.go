package browser

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
)

// album holds the pictures of one test, of all persons in it, in the order in which they were taken.
type album struct {
	mu  sync.Mutex
	dir string // none before the first picture
	n   int

	test string
}

// albumOf returns the album of a test.
func (b *Browser) albumOf(t testing.TB) *album {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.albums[t] == nil {
		b.albums[t] = &album{test: t.Name()}
		t.Cleanup(func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			delete(b.albums, t)
		})
	}
	return b.albums[t]
}

// keep writes the next picture. The first one takes the place of all that an earlier run has left.
func (a *album) keep(name string, png []byte) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.dir == "" {
		root, err := artefacts()
		if err != nil {
			return "", err
		}
		dir := filepath.Join(root, "screens", fileName(a.test))
		old, _ := filepath.Glob(filepath.Join(dir, "[0-9][0-9]-*.png"))
		for _, file := range old {
			os.Remove(file)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", err
		}
		a.dir = dir
	}
	a.n++
	file := filepath.Join(a.dir, fmt.Sprintf("%02d-%s.png", a.n, fileName(name)))
	return file, os.WriteFile(file, png, 0o644)
}

func fileName(name string) string {
	return regexp.MustCompile(`[^\w.]+`).ReplaceAllString(name, "-")
}

// artefacts is the directory for what a test run leaves to be looked at.
func artefacts() (string, error) {
	if dir := os.Getenv("PARLEY_ARTEFACTS"); dir != "" {
		return dir, nil
	}
	root, err := moduleRoot()
	return filepath.Join(root, "artefacts"), err
}

// moduleRoot looks for go.mod; tests run in the directory of their package.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("no go.mod here or above: set PARLEY_ARTEFACTS")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}
