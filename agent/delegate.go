package agent

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley"
)

// conversation is the one that the person sees. Runs that were delegated to
// have one of their own, below it.
func (r *Run) conversation() string {
	root, _, _ := strings.Cut(r.Ref.Conversation, childMark)
	return root
}

// childMark is in no conversation's name that a client may choose, so that the
// records of delegates' runs clash with nobody's. It is part of their keys, where
// it is escaped, and of nothing that toolboxes and questions are told.
const childMark = "\x00"

func childConversation(r *Run) string { return r.conversation() + childMark + r.Ref.Run }

// delegate starts the run of a delegate, or looks how far it is.
func (d *driver) delegate(ctx context.Context, c *call) (waiting bool, err error) {
	child, err := d.rt.load(ctx, *c.Child)
	if errors.Is(err, parley.ErrNotFound) && c.State == paused {
		return false, d.result(ctx, c, Failed, Result{Failed: true, Text: "What became of this task is unknown: it was begun so long ago that it is forgotten."})
	}
	if errors.Is(err, parley.ErrNotFound) {
		return true, d.spawn(ctx, c)
	}
	if err != nil {
		return false, err
	}
	if child.Status != Ended {
		return true, nil
	}
	text := child.Reply
	if child.Reason != Done {
		text = "The agent did not finish: " + string(child.Reason) + ". " + text
		return false, d.result(ctx, c, Failed, Result{Failed: true, Text: text})
	}
	switch cut := child.cut(); {
	case cut != "":
		text = strings.TrimSpace(text + "\n\n(" + noteOn(Reply{Text: text, Cut: cut}) + ")")
	case text == "":
		text = "(The agent finished without an answer.)"
	}
	if a := d.rt.agents[child.Agent]; a != nil && a.Relays && child.lastFailed() {
		return false, d.result(ctx, c, Failed, Result{Failed: true, Text: text})
	}
	return false, d.result(ctx, c, Succeeded, Result{Text: text})
}

// lastFailed reports whether the last call of a run failed, or was not made.
func (r *Run) lastFailed() bool {
	for _, s := range slices.Backward(r.Steps) {
		if n := len(s.Calls); n > 0 {
			last := r.Calls[s.Calls[n-1]].Result
			return last == nil || last.Failed
		}
	}
	return false
}

func (d *driver) spawn(ctx context.Context, c *call) error {
	var args struct {
		Task string `json:"task"`
	}
	_ = json.Unmarshal(c.Args, &args) // an empty task is answered by the delegate
	err := d.rt.begin(ctx, &Run{
		Ref: *c.Child, Method: d.run.Method, Agent: c.Box, Message: c.ID, Text: args.Task, CanAsk: d.run.CanAsk, Circle: d.run.Circle, TTL: d.run.TTL,
		Chain: d.rt.joined(d.run.Chain, c.Box), Parent: &parent{Run: d.run.Ref, Call: c.ID}, Depth: d.run.Depth + 1,
		Status: Working, Phase: phaseBefore, Created: time.Now().UTC(), Trail: d.rt.trail(ctx),
	})
	if err != nil {
		return err
	}
	// From here on a run that is not there was forgotten, not unmade.
	return d.commit(ctx, func(*Run) { c.State = paused })
}
