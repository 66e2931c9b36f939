package newcomer_test

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/parley-hq/parley/internal/visitor"
)

// meet is the person whom a command waits for, as the block's mark says.
func meet(ctx context.Context, how string, out *output) error {
	if how == "" || how == "fails" {
		return nil
	}
	if how != "alice connects" {
		return fmt.Errorf("nobody does %q", how)
	}
	var link []string
	for ; link == nil; link = follows.FindStringSubmatch(out.String()) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	v := visitor.New()
	defer v.Leave()
	if err := v.Open(ctx, link[1]); err != nil {
		return err
	}
	for _, step := range []struct {
		says   string
		fields url.Values
	}{
		{"alice", url.Values{"user": {"alice"}}}, {"Connect", nil}, {"Sign in", url.Values{"user": {"alice"}}}, {"Allow", nil},
	} {
		if err := v.Press(ctx, step.says, step.fields); err != nil {
			return fmt.Errorf("%s: %w, on the page\n%s", step.says, err, v.Text())
		}
	}
	return nil
}
