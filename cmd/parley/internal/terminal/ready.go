package terminal

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// readyTime is how long a node may take to say whether it is ready.
const readyTime = 4 * time.Second

// readyPause is between two questions.
const readyPause = 200 * time.Millisecond

// Ready asks a node whether it is ready, for supervisors of containers that have no
// other program: it says what the node says, and fails unless that is yes. With --wait it
// asks again until then.
func Ready(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("parley ready", flag.ContinueOnError)
	var server string
	serverFlag(flags, &server)
	var wait time.Duration
	flags.Func("wait", "ask again for so `long`, such as 1m", func(said string) (err error) {
		if wait, err = time.ParseDuration(said); err == nil {
			return nil
		}
		if _, err := strconv.ParseUint(said, 10, 32); err == nil {
			return fmt.Errorf("write %ss", said)
		}
		return errors.New("write a time such as 30s or 1m")
	})
	if err := ParseFlags(flags, args); err != nil {
		return err
	}
	if err := NothingElse("ready", flags.Args()); err != nil {
		return err
	}
	node, err := newService(server, "", false)
	if err != nil {
		return err
	}
	node.client.Transport = &http.Transport{} // not by a proxy: it is this node that is asked
	defer node.client.CloseIdleConnections()
	for end := time.Now().Add(wait); ; time.Sleep(readyPause) {
		says, err := node.ready(ctx)
		if err == nil {
			fmt.Fprintln(out, says)
			return nil
		}
		if ctx.Err() != nil || !time.Now().Before(end) {
			return err
		}
	}
}

// ready returns what a node says that is ready.
func (s *service) ready(ctx context.Context) (string, error) {
	asked, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	r, err := http.NewRequestWithContext(asked, http.MethodGet, s.base+"/readyz", nil)
	if err != nil {
		return "", err
	}
	answer, err := s.send(r)
	var failed *url.Error
	switch {
	case err != nil && asked.Err() != nil && ctx.Err() == nil:
		return "", fmt.Errorf("%s is not ready: it does not answer within %v", s.base, readyTime)
	case errors.As(err, &failed) && ctx.Err() == nil && !errors.As(err, new(*unreachable)):
		return "", fmt.Errorf("%s is not ready: %w", s.base, failed.Err)
	case err != nil:
		return "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
	says := strings.TrimSpace(string(body))
	if answer.StatusCode != http.StatusOK || err != nil {
		return "", errors.Join(fmt.Errorf("%s is not ready: %s: %s", s.base, answer.Status, says), err)
	}
	return says, nil
}
