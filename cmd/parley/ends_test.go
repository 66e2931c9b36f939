package main_test

import (
	"bufio"
	"os"
	"os/exec"
	ossignal "os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A terminal that is closed, or a service that is told to reload, stops a node in order.
func TestEverySignalThatEndsANodeStopsItInOrder(t *testing.T) {
	parley := program(t)
	ossignal.Notify(make(chan os.Signal, 1), syscall.SIGHUP) // under nohup a node would inherit that it is ignored
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "parley.yaml")
			if err := os.WriteFile(file, []byte("listen: 127.0.0.1:0\nstore: \"memory:\"\ndev: true\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), parley, "serve", "-c", file)
			log, err := cmd.StderrPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			var said []string
			for lines := bufio.NewScanner(log); lines.Scan(); {
				said = append(said, lines.Text())
				if strings.Contains(lines.Text(), `msg="parley serves"`) {
					_ = cmd.Process.Signal(signal)
				}
			}
			all := strings.Join(said, "\n")
			if err := cmd.Wait(); err != nil || !strings.Contains(all, `msg="parley stops"`) || !strings.Contains(all, `msg="parley stopped"`) {
				t.Errorf("%v\n%s", err, all)
			}
		})
	}
}
