package mcptool

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/tracing"
)

// Call is one call in progress. It is valid until its handler returns.
type Call struct {
	run    *run
	prefix string // of the keys of its questions, under Together
	n      int    // questions asked so far
	part   *part  // of those that are asked together; nil: it asks alone
}

// run is one execution of a handler.
type run struct {
	asker  *Asker
	client client
	who    parley.Principal
	target target
	digest string
	how    presenter

	mu      sync.Mutex
	page    *page                     // nil until the journal is needed
	waiting map[string]parley.Request // the questions that suspend the call, by key
	by      presenter                 // who suspended it
	notes   map[string]string         // by key: what was wrong with the last answer
	alone   bool                      // its client has gone without a word
	asking  int                       // questions that are waited for on the open call
	resting bool                      // the same call may go on with it: see rest
	takenUp bool                      // the same call does
	apart   bool                      // TakeUp has found none before it: it goes on with none

	trail *trail        // where it belongs in a trace; nil: in none
	span  *tracing.Live // what this process does of it

	toolID string // whose it is, for its span; empty: the asker's

	accounted bool // its journal brought back does no harm

	searching chan struct{} // closed when it is over; nil: nobody looks for an earlier call
}

// presenter brings a question to its person and waits, or suspends the call.
type presenter interface {
	present(ctx context.Context, r *run, key string, q *question, opened *parley.Request) (*parley.Outcome, error)
}

// Principal says on whose behalf the call is made.
func (c *Call) Principal() parley.Principal { return c.run.who }

// Request is the tool call as it came, nil for prompts, resources and tasks that
// go on without their request.
func (c *Call) Request() *mcp.CallToolRequest { return c.run.client.toolRequest }

// Supports reports whether the client itself can ask the person in that mode.
func (c *Call) Supports(mode parley.Mode) bool { return c.run.client.supports(mode) }

// Session names the client's session, which its questions carry; empty in the
// sessionless era.
func (c *Call) Session() string { return c.run.client.session }

// Endpoint is that by which the client's request came, as Options.Endpoint has it.
func (c *Call) Endpoint() string { return c.run.client.endpoint }

// ClientName is what the client calls itself, if it does: nobody has verified it.
func (c *Call) ClientName() string { return c.run.client.name() }

// Modern reports whether the client speaks 2026-07-28 or later.
func (c *Call) Modern() bool { return c.run.client.modern }

// Progress passes on what is known of the call's progress, if the client wants
// to hear of it.
func (c *Call) Progress(ctx context.Context, progress, total float64, message string) {
	client := c.run.client
	if client.progress == nil || client.connection == nil {
		return
	}
	_ = client.connection.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
		ProgressToken: client.progress, Progress: progress, Total: total, Message: message,
	})
}

// Notify tells the client how far the call is, in a sentence, if it wants to hear of
// progress. It counts with the notices that a person is waited for; do not mix it
// with Progress, whose numbers are the caller's own.
func (c *Call) Notify(ctx context.Context, message string) {
	_ = c.run.client.notify(ctx, message) // a client that is gone needs no progress
}

// Remember keeps a value in the call's journal, as JSON, for when the handler
// runs again. parley.ErrTooLarge: all that a call keeps, by Remember and Once,
// would be more than 4 MiB.
func (c *Call) Remember(ctx context.Context, name string, value any) error {
	return c.remember(ctx, name, value, true)
}

// Note is Remember for what has to be kept when the next question is asked, and not
// before: both are one write, which comes before the question is open. It is for calls
// of a known person: of others the question itself is not written either.
func (c *Call) Note(ctx context.Context, name string, value any) error {
	return c.remember(ctx, name, value, false)
}

func (c *Call) remember(ctx context.Context, name string, value any, write bool) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("remembering %q: %w", name, err)
	}
	r := c.run
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.open(ctx); err != nil {
		return r.asker.public(ctx, err)
	}
	if r.page.Once == nil {
		r.page.Once = map[string]done{}
	}
	if !r.page.holds(c.prefix+name, len(raw)) {
		return fmt.Errorf("remembering %q: %d bytes, %d are kept of a call: %w", name, len(raw), rememberedBytes, parley.ErrTooLarge)
	}
	r.page.Once[c.prefix+name] = done{Finished: true, Value: raw}
	r.page.keepUntil(now().Add(r.asker.opts.TTL))
	if !write {
		return nil
	}
	return r.asker.public(ctx, r.asker.save(ctx, r.page))
}

// Recall reads back what Remember or Once kept in this call's journal, into
// value, and reports whether there is anything. It does not look for the
// journals of calls that were given up: it is cheap. ErrNotKept is as of Once.
func (c *Call) Recall(name string, value any) (bool, error) {
	r := c.run
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.page == nil {
		return false, nil
	}
	before, ok := r.page.Once[c.prefix+name]
	if !ok || !before.Finished {
		return false, nil
	}
	return true, before.read(name, value)
}

// Kept reports whether the call has a journal: somebody was asked, or something is
// remembered.
func (c *Call) Kept() bool { return c.run.hasJournal() }

// Begin writes down that work begins which must not be done twice, before it is:
// ErrInterrupted when it was begun before, and not finished by Remember or taken
// back by Undo.
func (c *Call) Begin(ctx context.Context, name string) error {
	_, err := c.run.begin(ctx, c.prefix+name)
	return c.run.asker.public(ctx, err)
}

// Begun reports whether work was begun and not finished.
func (c *Call) Begun(name string) bool {
	r := c.run
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.page == nil {
		return false
	}
	before, ok := r.page.Once[c.prefix+name]
	return ok && !before.Finished
}

// Undo takes back that work was begun: it was not done. It is written with what is
// written next.
func (c *Call) Undo(name string) {
	r := c.run
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.page != nil {
		delete(r.page.Once, c.prefix+name)
	}
}

// Accounted says that nothing is done twice if a power cut brings the call's journal back
// after the call was over, with the answers in it: the handler finds out from what it
// began, or from whom it calls, that it was done. Then the end of the call is with its
// client before the disk has it.
func (c *Call) Accounted() {
	r := c.run
	r.mu.Lock()
	defer r.mu.Unlock()
	r.accounted = true
}

// TakeUp looks whether the same call of the same person was made before and
// given up, or its node has died, and goes on with it: then Recall finds what it
// had. If there is none, this is a call of its own: it goes on with no other that is
// given up later.
func (c *Call) TakeUp(ctx context.Context) error {
	r := c.run
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.page != nil || r.who.User == "" {
		return nil
	}
	err := r.search(ctx)
	r.apart = err == nil && r.page == nil
	return r.asker.public(ctx, err)
}

// nextKey names the next question of the call: the author's key, or a number.
// A handler that asks the same questions in the same order gets the same keys
// each time it runs.
func (c *Call) nextKey(given string) string {
	c.run.mu.Lock()
	defer c.run.mu.Unlock()
	c.n++
	if given != "" {
		return c.prefix + given
	}
	return fmt.Sprintf("%sq%d", c.prefix, c.n)
}

// Once does work that must not repeat when the handler runs again: the second
// time it returns nil without doing it. If the work was begun and its process
// died, it returns ErrInterrupted. An error of fn is not remembered: the work
// may be tried again.
func (c *Call) Once(ctx context.Context, name string, fn func(context.Context) error) error {
	_, err := Once(ctx, c, name, func(ctx context.Context) (struct{}, error) { return struct{}{}, fn(ctx) })
	return err
}

// Once is Call.Once for work with a result, which is remembered as JSON. One
// that is too large for that is returned all the same, but only now: when the
// handler runs again, it is ErrNotKept. So is one that the store does not take
// just now: it is written with what is written next, and if that never happens it
// is ErrInterrupted.
func Once[T any](ctx context.Context, c *Call, name string, fn func(context.Context) (T, error)) (T, error) {
	return OnceOrLast(ctx, c, name, func(T) bool { return false }, fn)
}

// OnceOrLast is Once for a handler that returns right after work with some results: those
// for which last is true. Such a one is written with what is written next, which as a
// rule is that the call is over. Until then the work is begun, and not finished.
func OnceOrLast[T any](ctx context.Context, c *Call, name string, last func(T) bool, fn func(context.Context) (T, error)) (T, error) {
	var value T
	r := c.run
	name = c.prefix + name
	before, err := r.begin(ctx, name)
	switch {
	case err != nil:
		return value, r.asker.public(ctx, err)
	case before.Finished:
		return value, before.read(name, &value)
	}
	value, err = fn(ctx)
	if err != nil {
		if unwritten := r.change(context.WithoutCancel(ctx), func(j *journal) { delete(j.Once, name) }); unwritten != nil {
			r.asker.opts.Logger.ErrorContext(ctx, "work of a call not taken back", "err", unwritten)
		}
		return value, err
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return value, fmt.Errorf("the result of %q: %w", name, err)
	}
	r.did(context.WithoutCancel(ctx), name, raw, !last(value))
	return value, nil
}

// did keeps the result of work, and writes it if it is to be. Done is done, whether or
// not the client still waits, and whatever the store says.
func (r *run) did(ctx context.Context, name string, raw json.RawMessage, write bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.page.Once[name] = done{Finished: true, Unkept: true}
	if r.page.holds(name, len(raw)) {
		r.page.Once[name] = done{Finished: true, Value: raw}
	}
	if !write {
		return
	}
	if err := r.asker.saveWithin(ctx, r.page, briefTime); err != nil {
		r.asker.opts.Logger.Error("result of a call's work not written down", "err", err)
	}
}

// read decodes the result of work that was done before.
func (d done) read(name string, value any) error {
	if d.Unkept {
		return fmt.Errorf("%q: %w", name, ErrNotKept)
	}
	return json.Unmarshal(d.Value, value)
}

// begin writes down that the work begins, before it does.
func (r *run) begin(ctx context.Context, name string) (done, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.open(ctx); err != nil {
		return done{}, err
	}
	if before, ok := r.page.Once[name]; ok {
		if !before.Finished {
			return done{}, fmt.Errorf("%q: %w", name, ErrInterrupted)
		}
		return before, nil
	}
	if r.page.Once == nil {
		r.page.Once = map[string]done{}
	}
	r.page.Once[name] = done{}
	r.page.keepUntil(now().Add(r.asker.opts.TTL))
	err := r.asker.save(ctx, r.page)
	if err != nil {
		delete(r.page.Once, name) // it does not begin
	}
	return done{}, err
}

// change stores a change of the journal.
func (r *run) change(ctx context.Context, with func(*journal)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	with(&r.page.journal)
	return r.asker.save(ctx, r.page)
}

// search takes up an earlier call, if there is one. The caller holds mu, which is
// free meanwhile: who waits for this call must be able to see that it has nothing yet,
// and this call may be among those that it waits for itself.
func (r *run) search(ctx context.Context) error {
	for r.searching != nil {
		another := r.searching
		r.mu.Unlock()
		select {
		case <-another:
		case <-ctx.Done():
		}
		r.mu.Lock()
		if r.page != nil || ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	over := make(chan struct{})
	r.searching = over
	r.mu.Unlock()
	p, err := r.asker.takeUp(ctx, r.who, r.digest, r.client)
	r.mu.Lock()
	r.searching = nil
	close(over)
	if err != nil {
		return err
	}
	r.tookUp(p)
	if r.page = p; p != nil && len(p.Result) > 0 {
		return errKept
	}
	return nil
}

// open makes sure that there is a journal: that of an earlier call that was
// given up, or a new one. The caller holds mu.
func (r *run) open(ctx context.Context) (err error) {
	if r.page != nil {
		return r.wake(ctx)
	}
	switch {
	case r.who.User == "": // nobody in particular, or a program: whoever holds the requestState
		r.who = ofCall(r.who)
	case !r.apart:
		if err := r.search(ctx); err != nil || r.page != nil {
			return err
		}
	}
	r.page = newPage(r.who, r.target, r.digest, r.client)
	r.page.Trail = r.trail
	r.page.Node, r.page.Left = r.asker.node.ID(), r.alone
	return nil
}

// suspended returns the keys of the questions that are open, sorted.
func (r *run) suspended() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Sorted(maps.Keys(r.waiting))
}

func (r *run) suspend(by presenter, key string, opened parley.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, tells := r.by.(suspending); !tells {
		r.by = by // where a client cannot ask one of its questions, the model is told of all
	}
	if r.waiting == nil {
		r.waiting = map[string]parley.Request{}
	}
	r.waiting[key] = opened
}

// reset makes the run ready for the handler to run once more.
func (r *run) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting, r.by = nil, nil
}

// finish forgets the journal of a call that is over. Who waits for its result does
// not wait for the store.
func (r *run) finish(ctx context.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.page == nil || r.takenUp {
		return
	}
	if ctx = context.WithoutCancel(ctx); r.accounted {
		ctx = parley.FlushLater(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, briefTime)
	defer cancel()
	if err := r.asker.remove(ctx, r.page); err != nil && !parley.Overtaken(err) && !r.asker.owed.add(r.page, true) {
		r.asker.opts.Logger.Error("call journal not deleted", "err", err)
	}
}

// abandon leaves the journal to the same call when it comes again, with the
// result if there is one.
func (r *run) abandon(ctx context.Context, result json.RawMessage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p := r.page; p == nil || r.takenUp || !p.stored && len(p.Asked) == 0 && len(p.Once) == 0 {
		return
	}
	r.page.Abandoned, r.page.Left, r.page.Node, r.page.Result = true, false, "", result
	err := r.asker.saveWithin(context.WithoutCancel(ctx), r.page, briefTime)
	switch {
	case err == nil:
		r.asker.left.add(callPrefix(r.who, r.digest), r.page.record.Expires)
	case parley.Overtaken(err) && r.resting: // the same call goes on with it
	case parley.Overtaken(err), !r.asker.owed.add(r.page, false):
		r.asker.opts.Logger.Error("abandoned call not kept", "err", err)
	}
}
