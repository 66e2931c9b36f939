package parley

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/internal/quietlog"
)

// Options configures a Hub. Nil and zero fields mean the defaults.
type Options struct {
	TTL        time.Duration // how long a question stays open; default ten minutes
	PerSession PerSession    // what a second question of a session does; default Parallel
	Limits     Limits        // caps on everything that comes in
	Hooks      []Hook        // wrap the stages of opening and answering; the first is outermost
	// Logger is told of each question when it is opened and when it ends, at level
	// info. Default: slog.Default(), which is told so at level debug: a program that
	// did not ask for it prints nothing of it.
	Logger *slog.Logger

	// Sealer encrypts messages, schemas, URLs and contents before they are
	// stored. Nil stores them in plain, until somebody calls SealWith.
	Sealer Sealer
	// AcceptPlain reads what was stored in plain although there is a Sealer:
	// for the time after a secret was first configured.
	AcceptPlain bool

	// AllowHTTP accepts http URLs to other hosts than this one; without it a
	// question's URL is https, or http to a loopback address.
	AllowHTTP bool

	// Woken is told when a waiter here has an outcome that another process settled,
	// how long after that. It is as right as the clocks of the two agree, and must be
	// quick. Default: nobody is told.
	Woken func(late time.Duration)

	Patience   time.Duration // how long a failing store is tried again before its error is reported; default 10 s
	SweepEvery time.Duration // how often Run settles what has expired; default 5 s
}

// PerSession says what happens when a session opens a question while another
// one of it is pending.
type PerSession int

const (
	// Parallel leaves both open.
	Parallel PerSession = iota
	// Supersede cancels the older with the reason "superseded". When several
	// open at once the newest id survives.
	Supersede
	// Queue lets them take turns in the order of their ids: Open stores the
	// question and returns when its turn has come, and an answer out of turn is
	// refused with ErrQueued. The TTL runs from opening.
	Queue
)

// Hub opens requests, waits for their outcomes, takes answers and expires what
// nobody answers. It keeps nothing that a restart could lose: several hubs, in
// one process or many, may share a store.
//
// The caller runs Run for as long as the hub is used. Without it the hub
// works, but answers given in other processes are found by polling, and
// questions that nobody waits for do not expire until somebody looks.
type Hub struct {
	store     Store
	opts      Options
	opening   pipeline[Opening]
	answering pipeline[Answering]
	schemas   schemaCache
	turns     turns // to open where there is room for few

	mu       sync.Mutex
	sealer   Sealer // nil: stored in plain
	waiters  map[ID]map[*waiter]struct{}
	recent   recent
	unopened map[ID]struct{}      // what was logged: see leftOut
	watchers map[chan ID]struct{} // of Watch
	live     bool                 // the watch stands: waiters need not poll
	running  bool
}

// New returns a hub over store.
func New(store Store, opts *Options) *Hub {
	h := &Hub{store: store, waiters: map[ID]map[*waiter]struct{}{}, unopened: map[ID]struct{}{}, watchers: map[chan ID]struct{}{}}
	if opts != nil {
		h.opts = *opts
	}
	h.opts.TTL = cmp.Or(h.opts.TTL, 10*time.Minute)
	h.opts.Patience = cmp.Or(h.opts.Patience, 10*time.Second)
	h.opts.SweepEvery = cmp.Or(h.opts.SweepEvery, 5*time.Second)
	h.opts.Limits = h.opts.Limits.orDefault()
	if h.opts.Logger == nil {
		h.opts.Logger = quietlog.Of(slog.Default())
	}
	h.sealer = h.opts.Sealer
	h.opening = newPipeline(h.openingStages(), h.opts.Hooks)
	h.answering = newPipeline(h.answeringStages(), h.opts.Hooks)
	return h
}

// Records returns what the hub's store keeps besides requests, as it is stored,
// or nil when the store is no Records.
func (h *Hub) Records() Records {
	records, _ := h.store.(Records)
	return records
}

// Ask opens a request and waits for its outcome.
func (h *Hub) Ask(ctx context.Context, r Request) (Outcome, error) {
	r, err := h.Open(ctx, r)
	if err != nil {
		return Outcome{}, err
	}
	return h.Wait(ctx, r.ID)
}

// Get returns a request of the principal's, settled or not. ErrNotFound also
// when it is somebody else's.
func (h *Hub) Get(ctx context.Context, p Principal, id ID) (Request, error) {
	r, err := h.load(ctx, id)
	if err != nil {
		return Request{}, err
	}
	if !p.Owns(r) {
		return Request{}, notFound(id)
	}
	return r, nil
}

// Asked is Get for who asks and takes the answers: a question that this process opened a
// moment ago is not read again. It may have been settled elsewhere since then, which
// Answer says.
func (h *Hub) Asked(ctx context.Context, p Principal, id ID) (Request, error) {
	r, err := h.asked(ctx, id)
	if err != nil {
		return Request{}, err
	}
	if !p.Owns(r) {
		return Request{}, notFound(id)
	}
	return r, nil
}

func (h *Hub) asked(ctx context.Context, id ID) (Request, error) {
	h.mu.Lock()
	r, _, known := h.recent.of(id)
	h.mu.Unlock()
	if known {
		return r, nil
	}
	return h.load(ctx, id)
}

// List returns the principal's requests that match q; its tenant and user are
// set to the principal's. One that does not open, because it was sealed with a
// secret that is not here or was damaged, is left out: it keeps no other from its
// owner. ErrNoOwner, ErrPrincipal.
func (h *Hub) List(ctx context.Context, p Principal, q Query) ([]Request, error) {
	q.Tenant, q.To = p.tenant(), p.User
	if q.To == "" {
		return nil, ErrNoOwner
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	q, err := q.Normal()
	if err != nil {
		return nil, err
	}
	var list []Request
	for wanted := q.Limit; ; {
		var page []Request
		err := h.retry(ctx, func() (err error) {
			page, err = h.store.List(ctx, q)
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, r := range page {
			plain, err := h.unseal(r)
			switch {
			case err == nil:
				list = append(list, plain)
			case errors.Is(err, ErrUnopened):
				h.leftOut(ctx, r.ID, err)
			default:
				return nil, err
			}
		}
		if len(page) < q.Limit || len(list) == wanted {
			return list, nil
		}
		q.Limit, q.After = wanted-len(list), page[len(page)-1].ID
	}
}

// mostLeftOut is how many questions that do not open are logged.
const mostLeftOut = 100

// leftOut logs that a question does not open, once.
func (h *Hub) leftOut(ctx context.Context, id ID, err error) {
	h.mu.Lock()
	_, known := h.unopened[id]
	if !known && len(h.unopened) < mostLeftOut {
		h.unopened[id] = struct{}{}
	} else {
		known = true
	}
	h.mu.Unlock()
	if !known {
		h.opts.Logger.WarnContext(ctx, "question left out of lists", "id", id, "err", err)
	}
}

// Cancel withdraws a question on behalf of the program that asked it. ErrSettled
// when it has an outcome already.
func (h *Hub) Cancel(ctx context.Context, id ID, reason string) error {
	r, err := h.load(ctx, id)
	if err != nil {
		return err
	}
	return h.conclude(ctx, r, Outcome{Action: Cancel, Reason: "withdrawn: " + reason})
}

// Resolve settles a question on behalf of the program that asked it, which has found
// out by itself what the question waits for: Accept or Decline, without content, and
// why. ErrSettled when it has an outcome already; ErrAction for another action.
func (h *Hub) Resolve(ctx context.Context, id ID, action Action, reason string) error {
	if action != Accept && action != Decline {
		return fmt.Errorf("%w, not %.20q", ErrAction, string(action))
	}
	r, err := h.load(ctx, id)
	if err != nil {
		return err
	}
	return h.conclude(ctx, r, Outcome{Action: action, Reason: reason})
}

// conclude settles a request that no person answered. It runs the last stages
// of answering, so that hooks see every outcome there is.
func (h *Hub) conclude(ctx context.Context, r Request, o Outcome) error {
	if plain, err := h.unseal(r); err == nil {
		r = plain // else it is plain already, or does not open: it ends all the same
	}
	o.At, o.Claim = now(), newClaim()
	return h.runAnswering(ctx, &Answering{ID: r.ID, Request: r, Outcome: o}, AnsweringPublish, AnsweringFinish)
}

// load reads a request, trying again while the store fails.
func (h *Hub) load(ctx context.Context, id ID) (Request, error) {
	if !id.Valid() {
		return Request{}, notFound(id)
	}
	var r Request
	err := h.retry(ctx, func() (err error) {
		r, err = h.store.Get(ctx, id)
		return err
	})
	if errors.Is(err, ErrNotFound) {
		return Request{}, notFound(id)
	}
	if err != nil {
		return Request{}, err
	}
	return h.unseal(r)
}

// settle is the only way to an outcome. An attempt whose reply was lost
// recognises its own work by the claim.
func (h *Hub) settle(ctx context.Context, r Request, o Outcome) error {
	sealed, err := h.sealOutcome(r, o)
	if err != nil {
		return err
	}
	unsure := false
	err = h.retry(ctx, func() error {
		err := h.store.Settle(ctx, r.ID, sealed)
		if errors.Is(err, ErrSettled) && unsure {
			stored, err := h.store.Get(ctx, r.ID)
			if err != nil {
				return err
			}
			if stored.Outcome != nil && stored.Outcome.Claim == o.Claim {
				return nil
			}
			return fmt.Errorf("request %s: %w", r.ID, ErrSettled)
		}
		unsure = unsure || err != nil && !permanent(err)
		return err
	})
	if err == nil {
		h.wake(r.ID, &o)
	}
	return err
}

// retry calls op until it succeeds, fails for good, or has failed for longer
// than the hub's patience.
func (h *Hub) retry(ctx context.Context, op func() error) error {
	err := op()
	if err == nil || permanent(err) || ctx.Err() != nil {
		return err
	}
	deadline := time.Now().Add(h.opts.Patience)
	pause := backoff{first: 5 * time.Millisecond, most: 500 * time.Millisecond}
	for time.Now().Before(deadline) {
		if !patience.Sleep(ctx, pause.next()) {
			return err
		}
		if err = op(); err == nil || permanent(err) || ctx.Err() != nil {
			return err
		}
	}
	return fmt.Errorf("the store failed for %v: %w", h.opts.Patience, err)
}

func notFound(id ID) error {
	if len(id) > idLength { // do not repeat what a stranger sent at length
		id = id[:idLength] + "…"
	}
	return fmt.Errorf("request %q: %w", string(id), ErrNotFound)
}

// now is the present as stores keep it.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }
