package parley

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// Opening is what flows through the stages of Open. Hooks may change it.
type Opening struct {
	// Principal is on whose behalf it is asked: as OpenFor was told, with how they
	// are known and the key of a program, or else whoever the request is for. No hook
	// changes whose question it is by it: that is Request.To.
	Principal Principal
	// Request as given, then complete, then stored; Open returns it.
	Request Request

	stored bool
	later  bool // the disk need not have it at once
}

// The stages of opening, in their order.
const (
	OpeningParse    Stage[Opening] = "parse"    // fill in what was left out
	OpeningValidate Stage[Opening] = "validate" // caps, schema, URL
	OpeningIdentify Stage[Opening] = "identify" // the owner is known; the id is made
	OpeningStore    Stage[Opening] = "store"    // remember it; PerSession applies
	OpeningBuild    Stage[Opening] = "build"    // what the caller gets to show
	OpeningFinish   Stage[Opening] = "finish"
)

// Open stores a question and returns it with its id, times and defaults. It
// does not wait for the answer (under Queue it waits for its turn). A caller
// that mints the id itself may call Open again after an error: ErrExists then
// means that the first call got through.
//
// Errors: ErrInvalid, ErrTooLarge, form.ErrSchema, form.ErrNested, ErrNoOwner,
// ErrExists, ErrTooManyPending.
func (h *Hub) Open(ctx context.Context, r Request) (Request, error) {
	return h.OpenFor(ctx, OwnerOf(cmp.Or(r.Tenant, DefaultTenant), r.To), r)
}

// OpenFor is Open for a caller who knows on whose behalf it asks, so that hooks see
// who that is and how it is known. It is as a rule the person who is asked, and need
// not be: approvers are asked about the calls of others. [FlushLater] is for the
// question alone, and not for what hooks write.
func (h *Hub) OpenFor(ctx context.Context, p Principal, r Request) (Request, error) {
	o := &Opening{Principal: p, Request: r.Clone(), later: FlushesLater(ctx)}
	if o.later {
		ctx = context.WithValue(ctx, flushKey{}, false)
	}
	err := h.opening.run(ctx, o)
	if err == nil {
		h.opened(o.Request.ID)
		return o.Request, nil
	}
	if o.stored {
		// Nobody will know the id, so nobody must be asked.
		err = errors.Join(err, h.withdraw(ctx, o.Request))
	}
	return Request{}, err
}

// Valid reports whether Open would take a question, by what it asks: the error is
// the one that Open would return. Who passes on a question of somebody else's can
// tell them at once.
func (h *Hub) Valid(r Request) error {
	o := &Opening{Request: r.Clone()}
	if err := h.parseOpening(context.Background(), o); err != nil {
		return err
	}
	return h.validateOpening(context.Background(), o)
}

func (h *Hub) withdraw(ctx context.Context, r Request) error {
	err := h.conclude(context.WithoutCancel(ctx), r, Outcome{Action: Cancel, Reason: "withdrawn: opening failed"})
	if errors.Is(err, ErrSettled) {
		return nil
	}
	return err
}

func (h *Hub) openingStages() []stage[Opening] {
	return []stage[Opening]{
		{OpeningParse, h.parseOpening},
		{OpeningValidate, h.validateOpening},
		{OpeningIdentify, identifyOpening},
		{OpeningStore, h.storeOpening},
		{OpeningBuild, func(context.Context, *Opening) error { return nil }},
		{OpeningFinish, h.finishOpening},
	}
}

func (h *Hub) parseOpening(_ context.Context, o *Opening) error {
	r := &o.Request
	r.Tenant = cmp.Or(r.Tenant, DefaultTenant)
	r.Mode = cmp.Or(r.Mode, Form)
	r.Trigger = cmp.Or(r.Trigger, TriggerTool)
	r.Created = now()
	if r.Expires.IsZero() {
		r.Expires = r.Created.Add(h.opts.TTL)
	}
	r.Expires = r.Expires.UTC().Truncate(time.Millisecond)
	r.Outcome = nil
	return nil
}

func identifyOpening(_ context.Context, o *Opening) error {
	if o.Request.To == "" || kindOf(o.Request.To) == KindProgram {
		return ErrNoOwner
	}
	if o.Request.ID == "" {
		o.Request.ID = NewID()
	}
	if !o.Request.ID.Valid() {
		return fmt.Errorf("%w: an id comes from parley.NewID", ErrInvalid)
	}
	return nil
}

func (h *Hub) storeOpening(ctx context.Context, o *Opening) error {
	sealed, err := h.seal(o.Request)
	if err != nil {
		return err
	}
	putting := ctx
	if o.later {
		putting = FlushLater(ctx)
	}
	h.mu.Lock()
	begun := h.recent.begin(o.Request)
	h.mu.Unlock()
	err = h.put(putting, sealed)
	h.mu.Lock()
	h.recent.put(begun, err == nil)
	h.mu.Unlock()
	if err != nil {
		return err
	}
	o.stored = true
	if o.Request.Session == "" {
		return nil
	}
	switch h.opts.PerSession {
	case Supersede:
		return h.supersede(ctx, o.Request)
	case Queue:
		return h.awaitTurn(ctx, o.Request)
	}
	return nil
}

func (h *Hub) finishOpening(ctx context.Context, o *Opening) error {
	h.logOpened(ctx, o.Request)
	return nil
}
