package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/parley-hq/parley/agent"
)

// Leave has tasks allowed that a rule wants allowed, such as a *toolbox.Leave.
type Leave interface {
	// Clear is nil when a call may be made. Otherwise it is an *agent.Pause with the
	// question for it, an *agent.Denied, or another error.
	Clear(ctx context.Context, c *agent.Invocation) error
	// Admit is Clear, and uses up what allows the call: what comes after it is the call.
	Admit(ctx context.Context, c *agent.Invocation) error
}

// admit uses up what allows the task. That it did is written down with the message, or
// with the next question: a process that dies in between leaves a call that says that it
// may have been made.
func (t *talk) admit(ctx context.Context) error {
	if t.opts.Leave == nil || t.state.Admitted {
		return nil
	}
	if err := t.state.allowed(ctx, t.call, t.opts.Leave.Admit); err != nil {
		return err
	}
	t.state.Admitted, t.state.Journal = true, nil
	return nil
}

// allowed has a call allowed. One whose credential was refused is another for who allows
// it, and its state stays beside what is asked then.
func (s *state) allowed(ctx context.Context, c *agent.Invocation, how func(context.Context, *agent.Invocation) error) error {
	if s.Refused == 0 {
		return how(ctx, c)
	}
	anew := *c
	anew.ID = fmt.Sprintf("%s-%d", c.ID, s.Refused)
	err := how(ctx, &anew)
	var pause *agent.Pause
	if !errors.As(err, &pause) {
		return err
	}
	if err := json.Unmarshal(pause.State, s); err != nil {
		return err
	}
	pause.State, err = json.Marshal(s)
	return cmp.Or(err, error(pause))
}
