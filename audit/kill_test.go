package audit_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/audit"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/seal"
)

// nodeVariable makes this test's program a node, over the store that it names.
const nodeVariable = "PARLEY_TEST_AUDIT_NODE"

// runNode is a process that asks and answers until it is killed.
func runNode(url string) error {
	ctx := context.Background()
	store, err := backend.Open(ctx, url, &backend.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	keys, err := seal.New([]byte("a secret of tests, 32 bytes long"))
	if err != nil {
		return err
	}
	log, err := audit.New(store, keys, options())
	if err != nil {
		return err
	}
	s := &site{hub: parley.New(store, &parley.Options{Sealer: keys, Logger: quiet, Hooks: log.Hooks()}), log: log}
	log.Reads(s.hub)
	go func() { _ = log.Run(ctx) }()
	fmt.Println("up")
	failed := make(chan error)
	for hand := range 3 {
		go func() {
			for i := 0; ; i++ {
				q, err := s.ask(ctx, fmt.Sprint("call", hand, i))
				if err == nil {
					err = s.hub.Answer(ctx, alice, q.ID, yes)
				}
				if err != nil {
					failed <- err
				}
			}
		}()
	}
	return <-failed
}

func TestProcessesThatAreKilledLoseNoDecision(t *testing.T) {
	url := "sqlite:" + filepath.Join(t.TempDir(), "parley.db")
	for round := range 6 {
		node := exec.CommandContext(t.Context(), os.Args[0])
		node.Env = append(os.Environ(), nodeVariable+"="+url)
		node.Stderr = os.Stderr
		out, err := node.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := node.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 2)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(40+37*round) * time.Millisecond) // somewhere in the middle
		if err := node.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		var ended *exec.ExitError
		if err := node.Wait(); !errors.As(err, &ended) || ended.Exited() {
			t.Fatalf("it was not killed: %v", err)
		}
	}
	store := connect(t, url, "")
	settled := map[string]bool{}
	for after := parley.ID(""); ; {
		page, err := store.List(t.Context(), parley.Query{After: after, Limit: parley.MaxLimit})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page {
			if after = r.ID; !r.Pending() {
				settled[string(r.ID)] = true
			}
		}
		if len(page) < parley.MaxLimit {
			break
		}
	}
	found := lookOnce(t, open(t, store, options()))
	if len(found) != len(settled) || len(settled) == 0 {
		t.Errorf("%d entries, %d questions were settled", len(found), len(settled))
	}
	for _, e := range found {
		delete(settled, e.Question)
	}
	if len(settled) > 0 {
		t.Errorf("%d questions have no entry", len(settled))
	}
	t.Logf("%d decisions", len(found))
}
