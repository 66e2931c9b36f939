package shared_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/shared"
)

func TestWhatManyNeedIsMadeOnce(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(shared.Variable, dir)
	var made atomic.Int64
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			got, err := shared.Make("/nowhere", "x", func(into string) error {
				made.Add(1)
				return os.WriteFile(filepath.Join(into, "file"), []byte("whole"), 0o600)
			})
			if text, readErr := os.ReadFile(filepath.Join(got, "file")); err != nil || readErr != nil || string(text) != "whole" {
				t.Errorf("%q in %s: %v, %v", text, got, err, readErr)
			}
		})
	}
	all.Wait()
	if made.Load() != 1 {
		t.Errorf("made %d times", made.Load())
	}
}

func TestWhatWasLeftHalfDoneIsMadeAnew(t *testing.T) {
	t.Setenv(shared.Variable, "")
	dir, fails := t.TempDir(), errors.New("no space")
	fill := func(err error) func(string) error {
		return func(into string) error {
			if there, _ := os.ReadDir(into); len(there) > 0 {
				t.Errorf("there is %v", there)
			}
			return errors.Join(os.WriteFile(filepath.Join(into, "file"), nil, 0o600), err)
		}
	}
	if _, err := shared.Make(dir, "x", fill(fails)); !errors.Is(err, fails) {
		t.Errorf("%v", err)
	}
	if got, err := shared.Make(dir, "x", fill(nil)); err != nil || got != filepath.Join(dir, "x") {
		t.Errorf("%q, %v", got, err)
	}
}
