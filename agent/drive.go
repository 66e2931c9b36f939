package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/crew"
	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/tracing"
)

var (
	errInterrupted = errors.New("the run was changed from outside")
	// errLost means that another process has the run now.
	errLost = errors.New("another process has this run")
	// errHandOver means that this process is being stopped: another one goes on.
	errHandOver = errors.New("another process goes on with this run")
)

const stoppedText = "the conversation was stopped"

// driver goes on with one run in this process. All changes of the run pass
// through commit, which saves them before anybody acts on them.
type driver struct {
	rt    *Runtime
	live  *live
	agent *Agent
	term  crew.Life // until this process is told to stop

	past  *history // what was said before; nil: it was not asked for yet
	shift *shift   // the calls that are under way
	sole  *call    // the only call of the step that is not finished; nil: there are others

	mu      sync.Mutex
	run     *Run
	noted   bool // followers were told of what is not saved
	spent   int  // bytes of the images of the turn
	counted bool // those are known that were kept before
}

// closing reports whether this process is being stopped: it finishes what it has
// begun, and begins nothing that it might leave half done.
func (d *driver) closing() bool { return d.term.Over() }

// drive goes on with a run as far as it gets: to its end, or to where only a
// person can go on. Once term ends it begins no more calls, and with ctx it ends
// where it is.
func (rt *Runtime) drive(ctx, term context.Context, ref Ref) {
	l := rt.enter(ref)
	defer l.leave()
	rt.progress.enter(ref)
	defer rt.progress.leave(ref)
	for next := anew; next == anew; {
		inner, cancel := context.WithCancelCause(ctx)
		if !l.drive(cancel) {
			cancel(nil)
			return // its driver has another look, or there is nothing to do
		}
		var err error
		next, err = rt.driveOnce(inner, ctx, term, ref, l)
		cancel(nil)
		if woken := l.rest(next); woken && next != over && term.Err() == nil {
			next = anew
		}
		if err != nil && ctx.Err() == nil && !errors.Is(err, errLost) {
			rt.opts.Logger.ErrorContext(ctx, "run stands still until its lease ends", "run", ref.Run, "err", err)
		}
	}
}

// after is what comes after a drive.
type after int

const (
	stands after = iota // nobody here goes on, unless somebody wants that
	parks               // it waits
	anew                // it may have been woken while it was being parked
	over                // it has ended: there is nothing more to do, whoever wants it
)

func (rt *Runtime) driveOnce(ctx, outer, term context.Context, ref Ref, l *live) (next after, err error) {
	r, lease, err := rt.have(ctx, ref)
	if err == nil && r == nil {
		return stands, nil
	}
	if errors.Is(err, parley.ErrNotFound) {
		return stands, rt.drop(outer, ref, false, lease)
	}
	if err != nil && context.Cause(ctx) == errInterrupted && outer.Err() == nil {
		return anew, nil // it was changed while it was taken up
	}
	if err != nil {
		return stands, err
	}
	if r.Status == Ended {
		return over, rt.finish(outer, r, lease)
	}
	d := &driver{rt: rt, live: l, agent: rt.agents[r.Agent], term: crew.Begin(term), run: r}
	defer d.term.End()
	l.show(r)
	ctx = d.beginPart(ctx)
	if err := d.proceed(ctx); err != nil {
		if context.Cause(ctx) == errInterrupted && outer.Err() == nil {
			if err := d.keepTold(outer); err != nil {
				return stands, err
			}
			return anew, nil
		}
		if ctx.Err() != nil || errors.Is(err, errHandOver) {
			return stands, rt.yield(context.WithoutCancel(ctx), ref)
		}
		return stands, err
	}
	d.endPart()
	if d.run.Status == Ended {
		return over, rt.finish(outer, d.run, lease)
	}
	// A stop may come just now: it must not break off the parking, and d.run does
	// not know of it.
	if err := rt.drop(outer, ref, true, lease); err != nil {
		return stands, err
	}
	watched := l.watch(d.run)
	// Whoever settled a question while we still had the run left it to us.
	if context.Cause(ctx) == errInterrupted || rt.ready(outer, d.run, watched) {
		return anew, nil
	}
	return parks, nil
}

// finish lets an ended run go, and tells the run that waits for it.
func (rt *Runtime) finish(ctx context.Context, r *Run, lease int64) error {
	if r.Parent != nil {
		rt.enqueue(ctx, r.Parent.Run)
	}
	if !r.waited() {
		return rt.unlease(context.WithoutCancel(ctx), r.Ref, lease)
	}
	return rt.drop(context.WithoutCancel(ctx), r.Ref, false, lease)
}

// boxes are the toolboxes of the run, as they are now.
func (d *driver) boxes(ctx context.Context) ([]Toolbox, error) {
	if d.agent.ExtraToolboxes == nil {
		return d.agent.Toolboxes, nil
	}
	d.mu.Lock()
	who := d.run.caller()
	d.mu.Unlock()
	more, err := d.agent.ExtraToolboxes(ctx, who)
	if err != nil {
		return nil, err
	}
	all := slices.Clone(d.agent.Toolboxes)
	for _, box := range more {
		if named(all, box.Name()) == nil {
			all = append(all, box)
		}
	}
	return all, nil
}

// box is the toolbox of a name; nil: it is no longer there.
func (d *driver) box(ctx context.Context, name string) (Toolbox, error) {
	if own := named(d.agent.Toolboxes, name); own != nil {
		return own, nil // no other has its name
	}
	all, err := d.boxes(ctx)
	return named(all, name), err
}

func named(boxes []Toolbox, name string) Toolbox {
	if at := slices.IndexFunc(boxes, func(b Toolbox) bool { return b.Name() == name }); at >= 0 {
		return boxes[at]
	}
	return nil
}

// proceed takes the run from phase to phase until it waits or ends.
func (d *driver) proceed(ctx context.Context) error {
	if d.agent == nil {
		return d.end(ctx, Broken, "This agent is no longer there.")
	}
	switch {
	case d.run.justWaits():
		d.note(func(r *Run) { r.Status = Working }) // nothing is done before the next save
	case d.run.leftHalfDone():
		if err := d.takeUp(ctx); err != nil {
			return err
		}
	}
	for {
		if d.run.Stop {
			return d.stopped(ctx)
		}
		var waiting bool
		var err error
		switch d.run.Phase {
		case phaseBefore:
			waiting, err = d.hook(ctx, d.agent.Before, phaseModel)
		case phaseModel:
			err = d.ask(ctx)
		case phaseTools:
			waiting, err = d.tools(ctx)
		case phaseAfter:
			waiting, err = d.hook(ctx, d.agent.After, phaseEnd)
		case phaseEnd:
			return d.end(ctx, Done, "")
		default:
			err = fmt.Errorf("run %s is in the phase %q", d.run.Ref.Run, d.run.Phase)
		}
		if err != nil || d.run.Status == Ended {
			return err
		}
		if waiting && d.run.Status == Waiting {
			return nil // saved with what it waits for
		}
		if waiting {
			return d.commit(ctx, func(r *Run) { r.Status = Waiting })
		}
	}
}

// takeUp marks what a process that died, or a stop, may have left half done. What
// such a call asked on its connection is withdrawn: nobody waits for the answer.
func (d *driver) takeUp(ctx context.Context) error {
	text := "it had started when the process that made it ended"
	reason := processEnd
	if d.run.Stop {
		text, reason = stoppedText+" while it was under way", stoppedText
	}
	for _, c := range d.run.Calls {
		if c.State == started {
			d.abandon(ctx, c)
			if c.Any && !d.run.Stop {
				continue // it asked these before, and they are no connection's
			}
			if err := d.withdraw(ctx, c, unsettled(c.Waits), reason); err != nil {
				return err
			}
		}
	}
	return d.commit(ctx, func(r *Run) {
		r.Status = Working
		for _, c := range r.Calls {
			if c.State != started {
				continue
			}
			if c.Tool.harmless() && !r.Stop {
				c.State = requested
				continue
			}
			d.close(r, c, Failed, Result{Failed: true, Text: "The result of this call is unknown: " + text +
				". It may or may not have been done. Do not repeat it without telling the user."})
		}
	})
}

// commit changes the run and saves it, then tells the followers. A conflict
// means that somebody asked for the run to stop, or that it is not ours any
// more.
func (d *driver) commit(ctx context.Context, how func(*Run)) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	how(d.run)
	for stop := false; ; stop = true {
		err := d.rt.save(ctx, d.run)
		if err == nil {
			d.noted = false
			d.live.show(d.run)
			if stop {
				d.live.interrupt() // calls that go on beside this one
			}
			return nil
		}
		if !errors.Is(err, parley.ErrConflict) {
			return err
		}
		now, loadErr := d.rt.load(ctx, d.run.Ref)
		if loadErr != nil {
			return loadErr
		}
		if !now.Stop || d.run.Stop || len(now.Log) > len(d.run.Log) {
			return errLost
		}
		d.run.Stop, d.run.version, d.run.Updated = true, now.version, now.Updated
	}
}

// log appends to what followers are told.
func (r *Run) log(e Event) {
	e.At = time.Now().UTC().Truncate(time.Millisecond)
	r.Log = append(r.Log, e)
}

func (d *driver) end(ctx context.Context, why Reason, text string) error {
	return d.commit(ctx, func(r *Run) {
		r.Status, r.Phase, r.Reason = Ended, phaseEnd, why
		r.log(Event{Type: Finished, Reason: why, Text: text, Cut: r.cut()})
	})
}

// stopped withdraws the open questions and closes the calls.
func (d *driver) stopped(ctx context.Context) error {
	var open []*wait
	for _, c := range d.run.Calls {
		open = append(open, unsettled(c.Waits)...)
		d.abandon(ctx, c)
		if c.Child != nil && c.State != finished {
			if err := d.rt.stop(ctx, *c.Child); err != nil && !errors.Is(err, parley.ErrNotFound) {
				return err
			}
		}
	}
	for _, w := range append(open, unsettled(d.run.Waits)...) {
		if err := d.rt.cancel(ctx, w, stoppedText); err != nil {
			return err
		}
	}
	if err := d.collect(ctx); err != nil {
		return err
	}
	return d.commit(ctx, func(r *Run) {
		for _, id := range r.lastCalls() {
			if c := r.Calls[id]; c.State != finished {
				d.close(r, c, Failed, Result{Failed: true, Text: "Not done: " + stoppedText + "."})
			}
		}
		r.Status, r.Phase, r.Reason = Ended, phaseEnd, Stopped
		r.log(Event{Type: Finished, Reason: Stopped})
	})
}

func (r *Run) lastCalls() []string {
	if len(r.Steps) == 0 {
		return nil
	}
	return r.Steps[len(r.Steps)-1].Calls
}

// close gives a call its result.
func (d *driver) close(r *Run, c *call, how EventType, result Result) {
	c.State, c.Result = finished, &result
	d.live.over(c.ID)
	r.log(Event{Type: how, ID: c.ID, Result: &result})
}

// ask asks the model for its next message.
func (d *driver) ask(ctx context.Context) error {
	limit := d.agent.Steps
	if limit == 0 {
		limit = 20
	}
	if len(d.run.Steps) >= limit {
		return d.end(ctx, TooLong, fmt.Sprintf(
			"The agent was stopped after %d steps, before it had come to an end. What it did until then is done. Ask it to go on, or tell the administrator to allow more steps.", limit))
	}
	if d.run.written() >= maxWritten {
		return d.end(ctx, TooLong, fmt.Sprintf("The agent was stopped after it had written %d MiB.", maxWritten>>20))
	}
	tools, err := d.listTools(ctx)
	if err != nil {
		return err
	}
	prompt, err := d.prompt(ctx, tools)
	if err != nil {
		return err
	}
	d.note(func(r *Run) { r.log(Event{Type: StepStarted}) })
	text := fmt.Sprintf("%s-%d", d.run.Ref.Run, len(d.run.Steps))
	reply, heard, err := d.generate(tracing.With(ctx, d.run.stepSpan(len(d.run.Steps)+1)), prompt, text)
	if err != nil {
		return d.brokeOff(ctx, err, text, heard)
	}
	return d.replied(ctx, reply, tools, text, heard != "")
}

// written is how many bytes the models have written in the turn: texts and calls.
func (r *Run) written() (n int) {
	for _, s := range r.Steps {
		n += len(s.Text)
		for _, id := range s.Calls {
			n += len(r.Calls[id].Args)
		}
	}
	return n
}

// broken ends a run whose model or whose own code failed.
func (d *driver) broken(ctx context.Context, err error, text string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return d.end(ctx, Broken, d.failure(ctx, err, text))
}

// failure is what the person is told of an error.
func (d *driver) failure(ctx context.Context, err error, text string) string {
	var public *PublicError
	level := slog.LevelError
	if errors.As(err, &public) { // somebody else's failure, which people are told of
		text, level = public.Text, slog.LevelWarn
	}
	d.rt.opts.Logger.Log(ctx, level, "run failed", "agent", d.run.Agent, "run", d.run.Ref.Run, "err", err)
	return text
}

// replied takes a model's message into the run: its text, then its calls.
func (d *driver) replied(ctx context.Context, reply Reply, tools *toolList, text string, streamed bool) error {
	take := func(r *Run) {
		d.said(r, text, reply.Text, streamed)
		s := step{Text: reply.Text, Native: reply.Native, Cut: reply.Cut}
		if r.Calls == nil {
			r.Calls = map[string]*call{}
		}
		for i, wanted := range reply.Calls {
			c := tools.call(r, wanted)
			c.ID = fmt.Sprintf("%s-%d-%d", r.Ref.Run, len(r.Steps), i)
			if r.Trail != nil {
				c.Part = r.Trail.Part
			}
			if c.Kind == toDelegate && i < MaxCalls {
				c.Child = &Ref{Tenant: r.Ref.Tenant, User: r.Ref.User, Conversation: childConversation(r), Run: c.ID}
			}
			s.Calls = append(s.Calls, c.ID)
			r.Calls[c.ID] = c
			r.log(Event{Type: Called, ID: c.ID, Tool: c.Name, Title: c.Tool.Title, Box: c.Box, Label: c.Label, Args: c.Args, Child: c.Child})
			if i >= MaxCalls {
				d.close(r, c, Failed, Result{Failed: true, Text: fmt.Sprintf("Not done: a message may have %d calls, and this is call %d. Make fewer at once.", MaxCalls, i+1)})
			}
		}
		r.Steps = append(r.Steps, s)
		r.Phase = phaseTools
		if len(s.Calls) == 0 {
			if note := noteOn(reply); note != "" {
				r.log(Event{Type: Noted, ID: text + "-note", Text: note})
			}
			r.log(Event{Type: StepFinished})
			r.Phase = phaseAfter
		}
	}
	if len(reply.Calls) == 0 && d.agent.After == nil {
		d.note(take) // the end comes next, and is saved with it
		return nil
	}
	return d.commit(ctx, take)
}

// waitBriefly gives a toolbox that failed some time.
func waitBriefly(ctx context.Context, d time.Duration) error {
	if !patience.Sleep(ctx, d) {
		return context.Cause(ctx)
	}
	return nil
}
