package agentmcp

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/mcptool"
)

const (
	// together is how long a call that is about to be suspended waits for more
	// questions: those that come at once go out in one round.
	together = 100 * time.Millisecond
	// goodbye is how long a finished run waits until its questions are off the
	// client's screen.
	goodbye = 5 * time.Second
	// remind is how often a long call makes sure that it is not forgotten.
	remind = time.Minute
	// tries is how often in a row the store may fail before a call gives up.
	tries = 5
)

// errFault is what a client is told of a failure that is none of its own.
var errFault = errors.New("the agent cannot be reached because of a fault of the server: try again later")

// turn is one call of an agent's tool. It runs again from its start whenever the
// client comes back, and then finds the run that it started.
func (a *Agents) turn(ctx context.Context, call *mcptool.Call, name string, in Input) (*mcp.CallToolResult, error) {
	ref, err := a.start(ctx, call, name, in)
	if err != nil {
		return nil, err
	}
	if err := a.follow(ctx, call, ref); err != nil {
		return nil, err
	}
	f := a.runtime.Follow(actor(call), ref)
	defer f.Close()
	reply, err := chat.Collect(ctx, f)
	if err != nil {
		return nil, a.hide(ctx, "run not read", err)
	}
	one := a.runtime.Agents()[name]
	return result(ref, reply, one != nil && one.Relays && reply.Lost()), nil
}

// hide logs an error and returns what the client is told instead.
func (a *Agents) hide(ctx context.Context, what string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	a.opts.Logger.ErrorContext(ctx, what, "err", err)
	return errFault
}

// result is a run that has finished, as the client gets it. Of one that is lost the words
// themselves say why.
func result(ref agent.Ref, reply chat.Reply, lost bool) *mcp.CallToolResult {
	text := reply.Told()
	failure := reply.Failure
	if failure == "" && reply.Reason == agent.Stopped {
		failure = "The user stopped the agent."
	}
	if failure != "" {
		text = strings.TrimSpace(text + "\n\n" + failure)
	}
	return &mcp.CallToolResult{
		IsError:           failure != "" || lost,
		Content:           []mcp.Content{&mcp.TextContent{Text: text}},
		StructuredContent: Output{Conversation: ref.Conversation, Text: text},
	}
}

// asking presents the questions of a run while it is followed.
type asking struct {
	agents *Agents
	call   *mcptool.Call
	begun  map[parley.ID]bool
	all    sync.WaitGroup
	stop   context.CancelCauseFunc // ends the following
}

// follow returns when the run has finished, or with the error that ends the call
// before: mcptool.ErrSuspended when the client has to be told of questions.
func (a *Agents) follow(ctx context.Context, call *mcptool.Call, ref agent.Ref) error {
	following, stop := context.WithCancelCause(ctx)
	asks := &asking{agents: a, call: call, begun: map[parley.ID]bool{}, stop: stop}
	defer asks.all.Wait()
	defer stop(nil)
	f := a.runtime.Follow(actor(call), ref)
	defer f.Close()
	for failed := 0; ; {
		e, err := next(following, f)
		switch {
		case following.Err() != nil:
			return context.Cause(following)
		case errors.Is(err, io.EOF):
			// What was settled elsewhere is just being taken off the screen.
			late := time.AfterFunc(goodbye, func() { stop(nil) })
			defer late.Stop()
			asks.all.Wait()
			return nil
		case errors.Is(err, context.DeadlineExceeded):
			if _, err := call.ID(following); err != nil {
				return err
			}
		case err != nil:
			if failed++; failed == tries {
				return a.hide(ctx, "run not followed", err)
			}
			pause(following, time.Duration(failed)*200*time.Millisecond)
			continue
		}
		failed = 0
		if e.Type == agent.Asked {
			asks.present(following, *e.Question)
		}
		if told := progressOf(e); told != "" {
			call.Notify(following, told)
		}
	}
}

// progressOf is what a client hears of an event while it waits; empty: nothing.
func progressOf(e agent.Event) string {
	said := ""
	switch e.Type {
	case agent.Called:
		said = "Calls " + cmp.Or(e.Title, e.Tool) + "."
	case agent.ToolsGone:
		said = "The tools of " + e.Service() + " are not available just now."
	case agent.Progressed:
		said = e.Service() + ": " + e.Progress.String()
	case agent.Noted:
		said = e.Text
	}
	if said != "" && e.Agent != "" {
		said = e.Agent + ": " + said
	}
	return said
}

// next returns the next event, or context.DeadlineExceeded after a while without
// one.
func next(ctx context.Context, f *agent.Follower) (agent.Event, error) {
	ctx, cancel := context.WithTimeout(ctx, remind)
	defer cancel()
	return f.Next(ctx)
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// present asks the client a question of the run. One that has been answered
// already, in an earlier round or elsewhere, comes back at once.
func (k *asking) present(ctx context.Context, q parley.Request) {
	if k.begun[q.ID] {
		return
	}
	k.begun[q.ID] = true
	k.all.Go(func() {
		_, err := mcptool.Present(ctx, k.call, q.ID, &mcptool.PresentOptions{Consent: k.agents.answeredByGoing(q)})
		switch {
		case err == nil, ctx.Err() != nil:
		case errors.Is(err, parley.ErrNotFound):
			// It was settled so long ago that it is forgotten. The run knows.
		case errors.Is(err, mcptool.ErrSuspended):
			time.AfterFunc(together, func() { k.stop(err) })
		default:
			k.stop(err)
		}
	})
}

// answeredByGoing reports whether following the link of a question is the
// answer. Pages of this site, and those that say so, settle their question
// themselves.
func (a *Agents) answeredByGoing(q parley.Request) bool {
	ours := a.opts.PublicURL != "" && strings.HasPrefix(q.URL, strings.TrimSuffix(a.opts.PublicURL, "/")+"/")
	return q.Mode == parley.URL && q.Labels["settled_by"] != "page" && q.Trigger != parley.TriggerCredential && !ours
}
