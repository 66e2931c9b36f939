package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/parley-hq/parley/cmd/parley/internal/terminal"
)

// readyTime is how long a node may take to say whether it is ready.
const readyTime = 4 * time.Second

// readyPause is between two questions.
const readyPause = 200 * time.Millisecond

// ready asks a node whether it is ready, for supervisors of containers that have no
// other program: it says what the node says, and fails unless that is yes. With --wait it
// asks again until then.
func ready(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("parley ready", flag.ContinueOnError)
	server := flags.String("server", "http://127.0.0.1:8420", "the node")
	wait := flags.Duration("wait", 0, "ask again for so long, such as 1m")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if err := terminal.NothingElse("ready", flags.Args()); err != nil {
		return err
	}
	for end := time.Now().Add(*wait); ; time.Sleep(readyPause) {
		says, err := askReady(ctx, *server)
		if err == nil {
			fmt.Fprintln(out, says)
			return nil
		}
		if ctx.Err() != nil || !time.Now().Before(end) {
			return err
		}
	}
}

// askReady returns what a node says that is ready.
func askReady(ctx context.Context, server string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(server, "/")+"/readyz", nil)
	if err != nil {
		return "", fmt.Errorf("--server %q: %w", server, err)
	}
	// Neither a proxy nor a redirection: it is this node that is asked.
	client := &http.Client{Transport: &http.Transport{}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	answer, err := client.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
	says := strings.TrimSpace(string(body))
	if answer.StatusCode != http.StatusOK || err != nil {
		return "", errors.Join(fmt.Errorf("%s is not ready: %s: %s", server, answer.Status, says), err)
	}
	return says, nil
}
