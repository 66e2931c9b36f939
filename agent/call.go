package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/tracing"
)

// tools goes on with the calls of the last step, all at once. waiting means
// that none can go on before somebody answers.
func (d *driver) tools(ctx context.Context) (waiting bool, err error) {
	var all sync.WaitGroup
	var mu sync.Mutex
	var failures []error
	var unfinished []*call
	for _, id := range d.run.lastCalls() {
		if c := d.run.Calls[id]; c.State != finished {
			unfinished = append(unfinished, c)
		}
	}
	d.shift = newShift(d.rt.progress, d.run.Ref, unfinished)
	if d.sole = nil; len(unfinished) == 1 {
		d.sole = unfinished[0]
	}
	for _, c := range unfinished {
		all.Go(func() {
			defer d.shift.over(c)
			open, err := d.goOn(tracing.With(ctx, d.run.callSpan(c.ID)), c)
			mu.Lock()
			defer mu.Unlock()
			waiting = waiting || open
			if err != nil {
				failures = append(failures, err)
			}
		})
	}
	all.Wait()
	if err := errors.Join(failures...); err != nil || waiting {
		return waiting, err
	}
	d.note(func(r *Run) { // whoever finds all calls finished and no more than that does the same
		r.Status = Working
		r.log(Event{Type: StepFinished})
		r.Phase = phaseModel
	})
	return false, nil
}

// goOn takes one call as far as it gets.
func (d *driver) goOn(ctx context.Context, c *call) (waiting bool, err error) {
	for c.State != finished {
		if err := ctx.Err(); err != nil {
			return false, context.Cause(ctx)
		}
		open, err := d.settled(ctx, c.Waits, c.ID)
		if err != nil || c.State == finished || open && !c.news() {
			return open && c.State != finished, err
		}
		switch c.Kind {
		case unknownTool:
			err = d.result(ctx, c, Failed, Result{Failed: true, Text: first(c.Wrong, fmt.Sprintf("There is no tool %q.", c.Name))})
		case toDelegate:
			if c.State == requested && d.closing() {
				return false, errHandOver
			}
			waiting, err = d.delegate(ctx, c)
		case toStandIn:
			err = d.connect(ctx, c)
		default:
			err = d.makeCall(ctx, c)
		}
		if err != nil || waiting {
			return waiting, err
		}
		if c.asks && c.State != finished {
			c.asks = false
			return true, nil // whoever answers meanwhile wakes the run: see live.watch and Runtime.ready
		}
	}
	return false, nil
}

// makeCall prepares a call, or makes it, or goes on with it.
func (d *driver) makeCall(ctx context.Context, c *call) error {
	box, err := d.box(ctx, c.Box)
	if err != nil {
		return err
	}
	if box == nil {
		return d.result(ctx, c, Failed, Result{Failed: true, Text: c.box() + " is no longer there."})
	}
	inv := d.invocation(c)
	report, stop := d.report(c)
	defer stop()
	inv.Progress = report
	if c.State == requested {
		err := box.Prepare(ctx, inv)
		var pause *Pause
		switch {
		case errors.As(err, &pause):
			return d.pause(ctx, c, pause, requested)
		case err != nil:
			return d.failed(ctx, c, err)
		}
	}
	if d.closing() {
		return errHandOver // whoever begins it can see it through
	}
	if err := d.commit(ctx, func(*Run) { c.State = started }); err != nil {
		return err
	}
	line, hangUp := context.WithCancelCause(ctx)
	defer hangUp(nil)
	inv.Ask = d.inLine(c, hangUp)
	inv.Keep = func(ctx context.Context, state []byte) error {
		return d.commit(ctx, func(*Run) { c.Pause = state })
	}
	result, err := box.Call(line, inv)
	var pause *Pause
	switch {
	case errors.As(err, &pause):
		return d.pause(ctx, c, pause, paused)
	case err != nil && ctx.Err() == nil && context.Cause(line) == errHandOver:
		return d.hungUp(ctx, c)
	case ctx.Err() == nil && c.Any:
		if err := d.withdraw(ctx, c, unsettled(c.Waits), "the call has ended"); err != nil {
			return err
		}
	}
	switch {
	case errors.Is(err, ErrNobodyAsked) && ctx.Err() == nil:
		result = Result{Failed: true}
	case err != nil:
		return d.failed(ctx, c, err)
	}
	result = d.withKept(c, result)
	result.Code = "" // whatever the box was told, it has not failed with one
	if result.Failed {
		return d.result(ctx, c, Failed, result)
	}
	return d.result(ctx, c, Succeeded, result)
}

func (d *driver) invocation(c *call) *Invocation {
	d.mu.Lock()
	defer d.mu.Unlock()
	args, _ := readArgs(c.Args) // what is ruled on, approved and sent is their canonical form
	return &Invocation{
		Caller: d.run.caller(), ID: c.ID, Tool: c.Tool, Args: args, Answers: answers(c.Waits), State: c.Pause,
	}
}

// connect stands in for the tools of a box that cannot be listed yet.
func (d *driver) connect(ctx context.Context, c *call) error {
	box, err := d.box(ctx, c.Box)
	if err != nil {
		return err
	}
	if box == nil {
		return d.result(ctx, c, Failed, Result{Failed: true, Text: c.box() + " is no longer there."})
	}
	for _, q := range answers(c.Waits) {
		if q.Outcome.Action != parley.Accept {
			return d.result(ctx, c, Failed, Result{Failed: true, Text: notAnswered(q)})
		}
	}
	tools, err := d.rt.list(ctx, box, d.run.caller(), d.rt.opts.ListTime, true)
	var pause *Pause
	if errors.As(err, &pause) {
		for key := range pause.Questions {
			if c.Waits[key] != nil { // asked, accepted, and still not there
				return d.result(ctx, c, Failed, Result{Failed: true, Text: c.box() + " is still not connected."})
			}
		}
		return d.pause(ctx, c, pause, requested)
	}
	if err != nil {
		return d.failed(ctx, c, err)
	}
	names := make([]string, 0, len(tools))
	for _, t := range tools {
		names = append(names, modelName(toTool, c.Box, t.Name))
	}
	return d.result(ctx, c, Succeeded, Result{Text: c.box() + " is connected. You can use these tools now: " + strings.Join(names, ", ")})
}

// notAnswered says to the model how a question ended that was not accepted.
func notAnswered(q parley.Request) string {
	how := map[parley.Action]string{
		parley.Decline: "the user declined", parley.Cancel: "the question was withdrawn", parley.Expire: "the user did not answer in time",
	}[q.Outcome.Action]
	return fmt.Sprintf("Not done: %s (%s).", how, q.Text())
}

// pause writes down the questions of a call, then opens them. Without anybody
// who shows them, the call fails instead.
func (d *driver) pause(ctx context.Context, c *call, p *Pause, then callState) error {
	if !d.run.CanAsk && !p.onlyTells() {
		return d.withhold(ctx, c, p)
	}
	for _, q := range p.Questions {
		if err := d.rt.hub.Valid(d.question(q, c)); err != nil {
			return d.failed(ctx, c, &PublicError{Text: fmt.Sprintf("%s asks a question that cannot be shown; the call was given up: %v.", c.box(), err), Cause: err})
		}
	}
	var fresh []*wait
	err := d.commit(ctx, func(r *Run) {
		c.State, c.Pause = then, p.State
		c.Any, c.Heard = p.Any && then == paused, c.settled()
		if c.Waits == nil {
			c.Waits = map[string]*wait{}
		}
		for key, q := range p.Questions {
			if c.Waits[key] == nil {
				c.Waits[key] = &wait{Question: d.question(q, c)}
				fresh = append(fresh, c.Waits[key])
			}
		}
	})
	if err != nil {
		return err
	}
	if len(fresh) == 0 && len(unsettled(c.Waits)) == 0 && then == requested {
		return d.result(ctx, c, Failed, Result{Failed: true, Text: "This call cannot be made: what it asks for was answered, and it asks again."})
	}
	err = d.open(ctx, fresh, c.ID)
	c.asks = err == nil && len(fresh) > 0 && !slices.ContainsFunc(fresh, (*wait).settled)
	return err
}

// question fills in what makes a question one of this run's, and of a call if it is
// for one.
func (d *driver) question(q parley.Request, c *call) parley.Request {
	q.Tenant, q.To = d.run.Ref.Tenant, d.run.Ref.User
	if q.ID == "" {
		q.ID = parley.NewID()
	}
	if q.Expires.IsZero() {
		q.Expires = time.Now().UTC().Add(d.run.TTL).Truncate(time.Millisecond)
	}
	q.Session = d.run.conversation()
	q.Labels = maps.Clone(q.Labels)
	if q.Labels == nil {
		q.Labels = map[string]string{}
	}
	q.Labels[runLabel] = d.run.Ref.String()
	parley.Name(q.Labels, parley.LabelAgent, d.run.Agent)
	if d.run.Circle != "" {
		q.Labels[CircleLabel] = d.run.Circle
	}
	if c != nil {
		q.Labels[callLabel] = c.ID
		parley.Name(q.Labels, parley.LabelTool, c.Tool.Name)
	}
	if c != nil && c.Label != "" && q.From == c.Box && q.Labels[parley.LabelTitle] == "" {
		q.Labels[parley.LabelTitle] = c.Label
	}
	return q
}

// callLabel names the call that a question belongs to.
const callLabel = "agent.call"

// open opens questions that are written down, and tells the followers. One that
// was opened before the process died is found.
func (d *driver) open(ctx context.Context, waits []*wait, call string) error {
	for _, w := range waits {
		opened, err := d.rt.hub.OpenFor(ctx, d.run.principal(), w.Question)
		if errors.Is(err, parley.ErrExists) {
			opened, err = d.rt.hub.Get(ctx, d.run.principal(), w.Question.ID)
		}
		if err != nil {
			return d.unaskable(ctx, w, call, err)
		}
		if err := d.asked(ctx, w, opened, call); err != nil {
			return err
		}
	}
	return nil
}

// asked notes that a question is open. Where its call is the only one, and is not under way,
// the run waits from here on.
func (d *driver) asked(ctx context.Context, w *wait, opened parley.Request, call string) error {
	return d.commit(ctx, func(r *Run) {
		if d.alone(call) {
			r.Status = Waiting
		}
		opened.Outcome = nil
		w.Question = opened
		r.log(Event{Type: Asked, Question: &opened, Call: call})
	})
}

// settled takes up the outcomes of questions; open says that one is missing.
func (d *driver) settled(ctx context.Context, waits map[string]*wait, call string) (open bool, err error) {
	for _, w := range unsettled(waits) {
		if w.settled() {
			continue // with one before it
		}
		q, err := d.rt.hub.Get(ctx, d.run.principal(), w.Question.ID)
		if errors.Is(err, parley.ErrNotFound) && d.run.Stop {
			err := d.commit(ctx, func(*Run) {
				w.Question.Outcome = &parley.Outcome{Action: parley.Cancel, Reason: "withdrawn: " + stoppedText, At: time.Now().UTC()}
			})
			if err != nil {
				return false, err
			}
			continue
		}
		if errors.Is(err, parley.ErrNotFound) {
			// Written down, and not opened before the process ended.
			if err := d.open(ctx, []*wait{w}, call); err != nil {
				return false, err
			}
			open = open || !w.settled()
			continue
		}
		if err != nil {
			return false, err
		}
		if !d.shown(q.ID) { // the process that opened it died then
			if err := d.asked(ctx, w, q, call); err != nil {
				return false, err
			}
		}
		if q.Pending() {
			open = true
			continue
		}
		if d.alone(call) { // it goes on with a save, or asks, which is one too; and its answer is kept where it was given
			d.note(func(r *Run) {
				r.heard(w, q, call)
				r.Status = Working
			})
			continue
		}
		if err := d.answered(ctx, w, q, call); err != nil {
			return false, err
		}
	}
	return open, nil
}

// alone reports whether a call is the only one of the step that is not finished, and is not
// under way. Then what is told of it has one order, whoever tells it.
func (d *driver) alone(call string) bool {
	return d.sole != nil && d.sole.ID == call && d.sole.State != started && d.run.Phase == phaseTools && !d.run.Stop
}

// shown reports whether followers were told of a question.
func (d *driver) shown(id parley.ID) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, e := range d.run.Log {
		if e.Type == Asked && e.Question.ID == id {
			return true
		}
	}
	return false
}

func (d *driver) answered(ctx context.Context, w *wait, q parley.Request, call string) error {
	return d.commit(ctx, func(r *Run) { r.heard(w, q, call) })
}

func (r *Run) heard(w *wait, q parley.Request, call string) {
	w.Question = q
	r.log(Event{Type: Answered, Question: &q, Call: call})
}

// collect takes up every outcome that there is.
func (d *driver) collect(ctx context.Context) error {
	for _, c := range d.run.Calls {
		if _, err := d.settled(ctx, c.Waits, c.ID); err != nil {
			return err
		}
	}
	_, err := d.settled(ctx, d.run.Waits, "")
	return err
}

// failed turns an error into the result of a call.
func (d *driver) failed(ctx context.Context, c *call, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if errors.Is(err, errLost) {
		return err
	}
	var denied *Denied
	if errors.As(err, &denied) {
		return d.result(ctx, c, Refused, Result{Failed: true, Text: denied.Reason})
	}
	result := Result{Failed: true, Text: "The call failed."}
	if public := (*PublicError)(nil); errors.As(err, &public) {
		result.Text, result.Code = public.Text, public.Code
	}
	d.rt.opts.Logger.WarnContext(ctx, "tool call failed", "tool", c.Name, "call", c.ID, "err", err)
	return d.result(ctx, c, Failed, result)
}

func (d *driver) result(ctx context.Context, c *call, how EventType, result Result) error {
	if len(result.Structured) > 0 && !json.Valid(result.Structured) {
		result.Structured = nil
	}
	if err := d.keepContent(ctx, c, &result); err != nil {
		return err
	}
	return d.commit(ctx, func(r *Run) { d.close(r, c, how, result) })
}
