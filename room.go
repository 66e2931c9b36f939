package parley

import (
	"context"
	"errors"
	"math"
	"sync"
)

// roomPage is how many questions are read at a time where their number, not what
// they say, is wanted: each is read whole.
const roomPage = 50

// put stores a question if there is room for one of its kind. The store counts the
// questions of a person, and knows no kinds: for those of which there may be fewer,
// the hub counts, one opening of a person at a time. Several processes may overshoot
// by one each.
func (h *Hub) put(ctx context.Context, r Request) error {
	most, asker, model := h.most(r), askerOf(r), ofModel(r)
	if asker == "" && !model && !isLong(r) {
		return h.putOnce(ctx, r, most)
	}
	leave, err := h.turns.take(ctx, [2]string{r.Tenant, r.To})
	if err != nil {
		return err
	}
	defer leave()
	if err := h.room(ctx, r); err != nil {
		return err
	}
	if asker == "" && !model {
		return h.putOnce(ctx, r, most)
	}
	if err = h.putOnce(ctx, r, most); errors.Is(err, ErrTooManyPending) {
		return tooManyFor(r)
	}
	return err
}

// tooManyFor says for whom of those who ask there is no more room.
func tooManyFor(r Request) error {
	switch {
	case askerOf(r) != "":
		return ErrTooManyOfOthers
	case ofModel(r):
		return ErrTooManyOfModels
	}
	return ErrTooManyPending
}

// putOnce stores a question, and knows its own work again where a reply was lost.
func (h *Hub) putOnce(ctx context.Context, r Request, most int) error {
	unsure := false
	return h.retry(ctx, func() error {
		err := h.store.Put(ctx, r, most)
		if unsure && (errors.Is(err, ErrExists) || errors.Is(err, ErrTooManyPending)) {
			// Perhaps our own first attempt is what is in the way.
			stored, getErr := h.store.Get(ctx, r.ID)
			switch {
			case getErr == nil && stored.Created.Equal(r.Created) && stored.Message == r.Message:
				return nil
			case getErr != nil && !permanent(getErr):
				return getErr
			}
		}
		unsure = unsure || err != nil && !permanent(err)
		return err
	})
}

// Room reports whether its person has room for one more question such as r, and opens
// none: the error is the one that Open would return, ErrTooManyPending. It is for who
// asks several people or none. Others may come in between, so that Open can refuse it
// all the same.
func (h *Hub) Room(ctx context.Context, r Request) error {
	o := &Opening{Request: r.Clone()}
	if err := h.parseOpening(ctx, o); err != nil {
		return err
	}
	return h.count(ctx, o.Request, h.most(o.Request))
}

// most is how many questions a person may have open for r to be one more.
func (h *Hub) most(r Request) int {
	if askerOf(r) == "" && !ofModel(r) {
		return h.opts.Limits.Pending
	}
	return max(1, h.opts.Limits.Pending/2)
}

// room reports which kind of open questions its person has too many of for r to be
// one more. How many there are of all kinds is counted by the store.
func (h *Hub) room(ctx context.Context, r Request) error {
	return h.count(ctx, r, math.MaxInt)
}

// count reports why there is no room for r beside the open questions of its person, of
// which there may be most. The newest come first: who asks too much did so just now.
func (h *Hub) count(ctx context.Context, r Request, most int) error {
	q := Query{Tenant: r.Tenant, To: r.To, Pending: true, Newest: true, Limit: roomPage}
	count := tally{of: r, most: most}
	for {
		var page []Request
		err := h.retry(ctx, func() (err error) {
			page, err = h.store.List(ctx, q)
			return err
		})
		if err != nil {
			return err
		}
		for _, other := range page {
			q.After = other.ID
			count.add(other)
		}
		if full := count.full(h.opts.Limits); full != nil {
			_, err := h.load(ctx, r.ID)
			if errors.Is(err, ErrNotFound) {
				return full
			}
			return err // nil: it is one of them, and Put says so
		}
		if len(page) < roomPage {
			return nil
		}
	}
}

// tally counts the open questions of a person that are of the kind of one more.
type tally struct {
	of   Request
	most int // of all kinds together

	all, ofAsker, ofModels, long, longOfOthers, longOfAsker int
}

func (t *tally) add(r Request) {
	t.all++
	asker := askerOf(r)
	same := asker != "" && asker == askerOf(t.of)
	if same {
		t.ofAsker++
	}
	if ofModel(r) {
		t.ofModels++
	}
	if !isLong(r) {
		return
	}
	t.long++
	if asker != "" {
		t.longOfOthers++
	}
	if same {
		t.longOfAsker++
	}
}

func (t *tally) full(l Limits) error {
	asked := askerOf(t.of) != ""
	switch {
	case asked && t.ofAsker >= l.PendingOfAsker:
		return ErrTooManyOfAsker
	case ofModel(t.of) && t.ofModels >= l.PendingOfModels:
		return ErrTooManyOfModels
	case t.all >= t.most:
		return tooManyFor(t.of)
	case !isLong(t.of):
		return nil
	case t.long >= l.PendingLong, asked && t.longOfOthers >= max(1, l.PendingLong/2), asked && t.longOfAsker >= max(1, l.PendingLong/4):
		return ErrTooManyLong
	}
	return nil
}

// isLong reports whether a question may hold as much as Limits.CallBytes. Stored ones
// are sealed: the label tells.
func isLong(r Request) bool {
	return r.Trigger == TriggerApproval && r.Labels[LabelBrief] != "" && r.Labels[LabelPage] == ""
}

// ofModel reports whether a model's message brought a question about.
func ofModel(r Request) bool { return r.Labels[LabelCircle] != "" }

// askerOf is whose call an approver is asked about, or which program or person asks.
// It is empty where people are asked about their own. Whoever is not known can begin sessions and calls at will,
// so all of them are one.
func askerOf(r Request) string {
	asker := r.Labels[LabelAsker]
	if r.Trigger != TriggerApproval && r.Trigger != TriggerProgram || asker == r.To {
		return ""
	}
	if OwnerOf(r.Tenant, asker).Anonymous() {
		return sessionPrefix
	}
	return asker
}

// turns lets one at a time do something for an owner.
type turns struct {
	mu   sync.Mutex
	held map[[2]string]*turn
}

type turn struct {
	taken chan struct{} // full while somebody has it
	users int           // who has it, and who waits for it
}

// take waits for the turn. Whoever has it calls leave.
func (t *turns) take(ctx context.Context, owner [2]string) (leave func(), err error) {
	t.mu.Lock()
	its := t.held[owner]
	if its == nil {
		its = &turn{taken: make(chan struct{}, 1)}
		if t.held == nil {
			t.held = map[[2]string]*turn{}
		}
		t.held[owner] = its
	}
	its.users++
	t.mu.Unlock()
	select {
	case its.taken <- struct{}{}:
		return func() {
			<-its.taken
			t.forget(owner, its)
		}, nil
	case <-ctx.Done():
		t.forget(owner, its)
		return nil, ctx.Err()
	}
}

func (t *turns) forget(owner [2]string, its *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if its.users--; its.users == 0 {
		delete(t.held, owner)
	}
}
