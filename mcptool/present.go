package mcptool

import (
	"context"
	"strings"
	"time"

	"github.com/parley-hq/parley"
)

// PresentOptions configures Present. Nil and zero fields mean the defaults.
type PresentOptions struct {
	// Consent makes the client's report that the person went to a URL the
	// answer. By default the question is open until somebody settles it there.
	Consent bool
}

// Present asks the call's person a question that is open already in the hub,
// theirs: the client is shown that one, and nothing is opened. It returns its
// outcome, also when it was given elsewhere, and also when it is Expire. What the
// client shows begins with the name of the service that asks.
//
// The question is not the call's: when the client cannot ask it, answers with an
// error, or goes away, it stays open for the person's other surfaces, and the
// same call made again takes it up. Cancelling a task withdraws what the task
// shows, these questions included.
//
// Present may be called for several questions at the same time. The errors are
// those of Elicit, but for *TimeoutError, and parley.ErrNotFound for a question
// that is not there or belongs to somebody else.
func Present(ctx context.Context, c *Call, id parley.ID, opts *PresentOptions) (parley.Outcome, error) {
	if opts == nil {
		opts = &PresentOptions{}
	}
	p := &presented{run: c.run, key: c.prefix + string(id), consent: opts.Consent}
	outcome, err := p.present(ctx, id)
	return outcome, c.run.asker.public(ctx, err)
}

// presentTries is how often a client is shown a question whose answers do not
// fit. The question is not ours to withdraw, so it can be asked again, with what
// was wrong; a client that fills in forms by itself must not do so for ever.
const presentTries = 3

// presented is a question of somebody else's on its way to the client.
type presented struct {
	run     *run
	key     string
	consent bool
	opened  parley.Request // as it is stored
	shown   parley.Request // as the client sees it
}

func (p *presented) present(ctx context.Context, id parley.ID) (parley.Outcome, error) {
	r := p.run
	var err error
	if p.opened, err = r.asker.hub.Get(ctx, r.who, id); err != nil {
		return parley.Outcome{}, err
	}
	if !p.opened.Pending() {
		return *p.opened.Outcome, nil
	}
	p.shown = r.asker.named(p.opened)
	q := &question{
		mode: p.opened.Mode, schema: p.opened.Schema, opts: ElicitOptions{Trigger: p.opened.Trigger, Retries: presentTries - 1},
		consent: p.consent, onPage: onPage(p.opened), foreign: true,
	}
	how := r.how
	switch {
	case p.opened.OnlyTells():
		how = r.telling()
	case !r.client.supports(p.shown.Mode):
		return p.fallBack(ctx, q)
	}
	if err := p.note(ctx); err != nil {
		return parley.Outcome{}, err
	}
	if p.consent && p.went() {
		return p.answer(ctx, parley.Answer{Action: parley.Accept, Via: viaClient})
	}
	return p.by(ctx, how, q)
}

// by has a presenter bring the question to its person.
func (p *presented) by(ctx context.Context, how presenter, q *question) (parley.Outcome, error) {
	outcome, err := how.present(ctx, p.run, p.key, q, &p.shown)
	if err != nil {
		return parley.Outcome{}, err
	}
	return *outcome, nil
}

// named is a question with the service that asks in its message, and nowhere
// else: it is not put there twice.
func (a *Asker) named(opened parley.Request) parley.Request {
	shown := a.asShown(opened.Clone())
	shown.Message, shown.From = shown.Text(), ""
	return shown
}

// presentedDigest is what a journal has instead of a digest for questions that
// were presented. Their ids say what was asked.
const (
	presentedDigest = "presented"
	consentDigest   = "presented, going there is the answer"
)

// presented reports whether a question of the journal was.
func (a asked) presented() bool { return a.Digest == presentedDigest || a.Digest == consentDigest }

// note writes the question's id into the journal, before it is shown.
func (p *presented) note(ctx context.Context) error {
	entry := asked{ID: p.opened.ID, Digest: presentedDigest}
	if p.consent {
		entry.Digest = consentDigest
	}
	r := p.run
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.open(ctx); err != nil {
		return err
	}
	if r.page.Asked[p.key] == entry {
		return nil
	}
	if r.page.Asked == nil {
		r.page.Asked = map[string]asked{}
	}
	r.page.Asked[p.key] = entry
	r.page.keepUntil(p.opened.Expires)
	return r.asker.save(ctx, r.page)
}

// went reports whether the client said that the person went to the URL.
func (p *presented) went() bool {
	p.run.mu.Lock()
	defer p.run.mu.Unlock()
	return p.run.page.Consented[p.key]
}

// answer gives an answer, and returns the one that counts.
func (p *presented) answer(ctx context.Context, a parley.Answer) (parley.Outcome, error) {
	hub := p.run.asker.hub
	if err := hub.Answer(ctx, p.run.who, p.opened.ID, a); err != nil && !settled(err) {
		return parley.Outcome{}, err
	}
	return hub.Wait(ctx, p.opened.ID)
}

// leftOpen is an error after which the question is still open, and the same call
// may be made again: like that of a client that went away.
type leftOpen struct{ error }

func (e leftOpen) Unwrap() error        { return e.error }
func (e leftOpen) Is(target error) bool { return target == errGone }

// left is the error of a client that was not asked the question in the end.
func (q *question) left(err error) error {
	if q.foreign {
		return leftOpen{err}
	}
	return err
}

// fallBack presents the question to a client that cannot ask it.
func (p *presented) fallBack(ctx context.Context, q *question) (parley.Outcome, error) {
	r := p.run
	how, allowed, err := r.fallBack(ctx, q)
	if err != nil {
		return parley.Outcome{}, p.keep(ctx, err)
	}
	if allowed != nil {
		return p.answer(ctx, parley.Answer{Action: parley.Accept, Content: allowed.Content, Via: "mcp-fallback"})
	}
	if _, task := r.how.(byTask); task {
		if _, model := how.(byModel); model {
			// Nobody would tell it of the question.
			return parley.Outcome{}, p.keep(ctx, &NotSupportedError{Mode: p.opened.Mode, Reason: "a task cannot be continued by the model", modern: r.client.modern})
		}
		if q.onPage { // the task says where
			if err := p.note(ctx); err != nil {
				return parley.Outcome{}, err
			}
		}
		return r.asker.hub.Wait(ctx, p.opened.ID) // it is on the person's other surfaces
	}
	if err := p.note(ctx); err != nil {
		return parley.Outcome{}, err
	}
	if _, link := how.(byLink); !link {
		if err := p.linkToCall(ctx); err != nil {
			return parley.Outcome{}, err
		}
	}
	return p.by(ctx, how, q)
}

// keep makes sure that the same call finds its journal again for as long as the
// question is open.
func (p *presented) keep(ctx context.Context, because error) error {
	r := p.run
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.page != nil {
		r.page.keepUntil(p.opened.Expires)
		if err := r.asker.save(ctx, r.page); err != nil {
			return err
		}
	}
	return leftOpen{because}
}

// ID names the call: it is the same each time the handler runs for it, in this
// process or another, and no other call has it. A handler that starts something
// elsewhere gives it along, and so starts it once. It is in the journal before
// it is returned, for the asker's TTL at least: a handler that works for longer
// asks for it now and then.
func (c *Call) ID(ctx context.Context) (string, error) {
	r := c.run
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.open(ctx); err != nil {
		return "", r.asker.public(ctx, err)
	}
	if !r.page.stored || time.Until(r.page.record.Expires) < r.asker.opts.TTL {
		r.page.keepUntil(now().Add(r.asker.opts.TTL))
		if err := r.asker.save(ctx, r.page); err != nil {
			return "", r.asker.public(ctx, err)
		}
	}
	_, id, _ := strings.Cut(r.page.record.Key, "/")
	return id, nil
}
