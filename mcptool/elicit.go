package mcptool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
)

// Answer is what a person said to a question.
type Answer[T any] struct {
	ID      parley.ID
	Action  parley.Action // Accept, Decline or Cancel
	Content T             // accepted forms only
}

// Err returns nil for an accepted question, and otherwise the protocol's error
// -32001, for tools that need a yes to go on.
func (a Answer[T]) Err() error {
	if a.Action == parley.Accept {
		return nil
	}
	return notAccepted(a.ID, a.Action)
}

// ElicitOptions configures one question. Nil and zero fields mean the defaults.
type ElicitOptions struct {
	// TTL is how long the question stays open. Default: the asker's.
	TTL time.Duration
	// Key names the question within its call, also on the wire of 2026-07-28.
	// Give one when the message or the order of questions may differ between two
	// runs of the handler. Default: q1, q2, … in the order of asking.
	Key string
	// Trigger says what makes the program ask. Default parley.TriggerTool. The
	// model never answers approvals (parley.TriggerApproval).
	Trigger string
	// Labels are kept with the question, in plain.
	Labels map[string]string
	// ID is the question's, if it was chosen before. Default: a new one.
	ID parley.ID
	// Retries is how often a client up to 2025-11-25 is asked again, with the
	// reason, for an answer that does not fit. Default: the first one ends the
	// call with an *InvalidInputError. Clients of 2026-07-28 are always asked.
	Retries int
}

// URLOptions configures one question that is answered at a URL.
type URLOptions struct {
	ElicitOptions
	// Consent makes the client's report that the person went there the answer.
	// By default the question is open until somebody settles it: the page calls
	// Hub.Answer for its signed-in person.
	Consent bool
	// Required ends the call of a client up to 2025-11-25 with error -32042. It
	// comes back with the same call once the person has been there.
	Required bool
}

// Elicit asks with a form made from T, whose tags package form explains.
//
// Errors, all to be returned by the handler: ErrSuspended, ErrNotSupported,
// *TimeoutError, *InvalidInputError, ErrRefused, and the store's.
func Elicit[T any](ctx context.Context, c *Call, message string, opts *ElicitOptions) (Answer[T], error) {
	var answer Answer[T]
	schema, err := c.run.asker.forms.of(reflect.TypeFor[T]())
	if err != nil {
		return answer, err
	}
	raw, err := ElicitRaw(ctx, c, message, schema, opts)
	answer.ID, answer.Action = raw.ID, raw.Action
	if err == nil && len(raw.Content) > 0 {
		if err = form.Decode(raw.Content, &answer.Content); err != nil {
			err = fmt.Errorf("question %s: %w", raw.ID, err)
		}
	}
	return answer, err
}

// ElicitRaw asks with a form given as a flat JSON schema.
func ElicitRaw(ctx context.Context, c *Call, message string, schema json.RawMessage, opts *ElicitOptions) (Answer[json.RawMessage], error) {
	if opts == nil {
		opts = &ElicitOptions{}
	}
	return c.ask(ctx, &question{mode: parley.Form, message: message, schema: schema, opts: *opts})
}

// ElicitURL asks the person to go to a URL. "{elicitation_id}" in it stands for
// the question's id. It returns when the question is settled there, or when the
// person declines to go.
func ElicitURL(ctx context.Context, c *Call, message, url string, opts *URLOptions) (Answer[struct{}], error) {
	if opts == nil {
		opts = &URLOptions{}
	}
	q := &question{mode: parley.URL, message: message, url: url, opts: opts.ElicitOptions, consent: opts.Consent, required: opts.Required}
	raw, err := c.ask(ctx, q)
	return Answer[struct{}]{ID: raw.ID, Action: raw.Action}, err
}

// Labels of our questions.
const (
	callLabel    = "mcp.call"    // the key of the call's journal
	consentLabel = "mcp.consent" // going to the URL is the answer
	settledLabel = "settled_by"  // "page": going to the URL is not the answer, what happens there is
)

// question is what a handler asks.
type question struct {
	mode     parley.Mode
	message  string
	schema   json.RawMessage
	url      string
	opts     ElicitOptions
	consent  bool
	required bool
	build    func(parley.ID) parley.Request // AskRequest: makes the request
	onPage   bool                           // only its page shows it whole
	foreign  bool                           // Present: it is not this call's to withdraw
}

// digest tells questions apart that share a key because the handler did not ask
// the same this time. With a key of the author's own they are the same.
func (q *question) digest() string {
	if q.opts.Key != "" {
		return "key"
	}
	return hash(string(q.mode), q.message, string(q.schema), q.url)
}

// ask finds the answer in the journal, or asks.
//
// While the person thinks, its frame and those below it stay on the stack of a
// goroutine per waiting call: large values are passed by pointer here.
func (c *Call) ask(ctx context.Context, q *question) (Answer[json.RawMessage], error) {
	r := c.run
	key := c.nextKey(q.opts.Key)
	how := r.how
	if q.onlyTells() {
		how = r.telling()
	} else if !r.client.supports(q.modeFor()) && !r.answered(ctx, key, q) {
		var allowed *parley.Outcome
		var err error
		if how, allowed, err = r.fallBack(ctx, q); allowed != nil || err != nil {
			return answerOf("", allowed, err)
		}
	}
	opened, err := r.openQuestion(ctx, key, q, c.part)
	if err != nil {
		return Answer[json.RawMessage]{}, r.asker.public(ctx, err)
	}
	outcome := opened.Outcome
	if outcome == nil {
		shown := r.asker.asShown(*opened)
		if outcome, err = how.present(ctx, r, key, q, &shown); err != nil {
			return Answer[json.RawMessage]{ID: opened.ID}, r.asker.public(ctx, err)
		}
	}
	if outcome.Action == parley.Expire {
		err = &TimeoutError{ID: opened.ID, TTL: r.ttl(q)}
	}
	return answerOf(opened.ID, outcome, err)
}

// answered reports whether the journal has the answer: then it does not matter
// what the client can do.
func (r *run) answered(ctx context.Context, key string, q *question) bool {
	r.mu.Lock()
	var before asked
	if r.page != nil {
		before = r.page.Asked[key]
	}
	r.mu.Unlock()
	if before.ID == "" || before.Digest != q.digest() {
		return false
	}
	opened, err := r.asker.hub.Get(ctx, r.who, before.ID)
	return err == nil && !opened.Pending()
}

func (r *run) ttl(q *question) time.Duration { return cmp.Or(q.opts.TTL, r.asker.opts.TTL) }

func answerOf(id parley.ID, o *parley.Outcome, err error) (Answer[json.RawMessage], error) {
	a := Answer[json.RawMessage]{ID: id}
	if o != nil {
		a.Action, a.Content = o.Action, o.Content
	}
	return a, err
}

// openQuestion returns the question of the journal under key, or opens it. The
// journal has its id before the question exists, so that no crash in between
// makes the person see it twice.
//
// A power cut that takes both away also ends whoever waits for the answer, and the
// call asks anew when it is made again. What it did before is on the disk.
func (r *run) openQuestion(ctx context.Context, key string, q *question, of *part) (*parley.Request, error) {
	ctx = parley.FlushLater(ctx)
	id, isNew, err := r.note(ctx, key, q, of)
	if err != nil {
		return nil, err
	}
	if !isNew {
		opened, err := r.asker.hub.Asked(ctx, r.who, id)
		if err == nil && opened.Pending() { // it may have been answered elsewhere
			opened, err = r.asker.hub.Get(ctx, r.who, id)
		}
		if !errors.Is(err, parley.ErrNotFound) {
			return &opened, err
		}
	}
	labels := maps.Clone(q.opts.Labels)
	if labels == nil {
		labels = map[string]string{}
	}
	labels[callLabel] = r.page.record.Key
	switch {
	case q.consent:
		labels[consentLabel] = "yes"
	case q.mode == parley.URL:
		labels[settledLabel] = "page"
	}
	request := parley.Request{
		ID: id, Tenant: r.who.Tenant, To: r.who.User, From: r.asker.service(), Mode: q.mode,
		Message: q.message, Schema: q.schema, URL: strings.ReplaceAll(q.url, "{elicitation_id}", string(id)),
		Trigger: q.opts.Trigger, Session: r.client.session, Labels: labels,
		Expires: now().Add(r.ttl(q)),
	}
	if q.build != nil {
		request = relayedRequest(q.build(id), request)
	}
	opened, err := r.asker.hub.OpenFor(ctx, r.who, request)
	if errors.Is(err, parley.ErrExists) {
		opened, err = r.asker.hub.Get(ctx, r.who, id)
	}
	return &opened, err
}

// note writes a question's id into the journal, unless it is there. Questions
// that are asked together are written at once.
func (r *run) note(ctx context.Context, key string, q *question, of *part) (id parley.ID, isNew bool, err error) {
	id, isNew, err = r.enter(ctx, key, q)
	of.arrive()
	if err != nil || !isNew {
		return id, isNew, err
	}
	of.await(ctx)
	return id, true, r.storeNoted(ctx)
}

// enter gives a question its id and its place in the journal, which has to be
// stored before it is opened.
func (r *run) enter(ctx context.Context, key string, q *question) (id parley.ID, isNew bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.open(ctx); err != nil {
		return "", false, err
	}
	before, ok := r.page.Asked[key]
	if ok && before.Digest == q.digest() {
		return before.ID, false, nil
	}
	if r.page.Asked == nil {
		r.page.Asked = map[string]asked{}
	}
	id = cmp.Or(q.opts.ID, parley.NewID())
	r.page.Asked[key] = asked{ID: id, Digest: q.digest()}
	r.page.keepUntil(now().Add(r.ttl(q)))
	r.page.noted = true
	return id, true, nil
}

// storeNoted stores the questions that were entered, unless another of them has
// done so for all.
func (r *run) storeNoted(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.page.stored && !r.who.IsPerson() {
		// Nobody else can go on with it: a session dies with its node, and a call
		// of nobody needs the requestState. It is stored when it is left; that it
		// could be is seen now.
		_, err := r.asker.Keys(ctx)
		return err
	}
	if !r.page.noted {
		return nil
	}
	return r.asker.save(ctx, r.page)
}
