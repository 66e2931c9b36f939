package mcptool

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/parley-hq/parley"
)

// showingKind is the kind of the records that say how a question is shown in apps.
const showingKind = "mcp.app"

const (
	// mostNonces is how many renderings of a question can be answered: a card that is
	// drawn anew leaves the older ones as they are, up to so many.
	mostNonces = 5
	// mostUsed is how many nonces are remembered that were used, so that a second use
	// is told from a guess.
	mostUsed = 20
)

// showing is how a question is shown in apps, as it is stored. Whose it is says the
// record's owner.
type showing struct {
	Program string    `json:"program,omitempty"` // the key of the program whose call asks
	Call    string    `json:"call"`              // the key of the journal of the call that goes on
	At      endpoints `json:"at,omitempty"`      // where that was made
	Digest  string    `json:"digest"`            // of what is called with which arguments

	Shown  time.Time `json:"shown,omitzero"`   // when the model had it shown, last
	Opened bool      `json:"opened,omitempty"` // an app has it
	Linked bool      `json:"linked,omitempty"` // the model has the link of its page

	Nonces []string `json:"nonces,omitempty"` // that are out, as hashes, the oldest first
	Used   []string `json:"used,omitempty"`   // as hashes
}

func showingAt(tenant string, id parley.ID) parley.Address {
	return parley.Address{Tenant: tenant, Kind: showingKind, Key: string(id)}
}

// showInApp writes down that apps may show a question, before anybody is told of it.
// The newest call that asks it is the one that goes on; nonces are for that one.
func (r *run) showInApp(ctx context.Context, opened *parley.Request) error {
	r.mu.Lock()
	call, digest, made := r.page.record.Key, r.page.Digest, r.page.At
	r.mu.Unlock()
	_, err := r.asker.changeShowing(ctx, tenantOf(r.who), opened.ID, func(record *parley.Record, s *showing) error {
		record.Owner, record.Expires = r.who.User, opened.Expires.Add(10*time.Minute).UTC().Truncate(time.Millisecond)
		s.Program, s.Call, s.Digest, s.At = r.who.Key, call, digest, made
		return nil
	})
	return err
}

// changeShowing changes how a question is shown. Only showInApp makes one.
func (a *Asker) changeShowing(ctx context.Context, tenant string, id parley.ID, change func(*parley.Record, *showing) error) (showing, error) {
	var s showing
	_, err := parley.Update(ctx, a.records, showingAt(tenant, id), func(record *parley.Record) (bool, error) {
		s = showing{}
		if record.Version != 0 {
			if err := json.Unmarshal(record.Data, &s); err != nil {
				return false, fmt.Errorf("how question %s is shown: %w", id, err)
			}
		}
		before, _ := json.Marshal(s)
		if err := change(record, &s); err != nil {
			return false, err
		}
		if record.Owner == "" {
			return false, parley.ErrNotFound
		}
		data, err := json.Marshal(s)
		record.Data = data
		return err == nil && (record.Version == 0 || string(data) != string(before)), err
	})
	return s, err
}

// card is a question as an app of somebody's may show it.
type card struct {
	asker   *Asker
	owner   parley.Principal // whose it is
	opened  parley.Request
	showing showing
	others  bool // apps of others are shown where it was asked, and could allow it
}

var (
	errOtherPerson = errors.New("the question is somebody else's")
	errNoQuestion  = fmt.Errorf("there is no such question: %w", parley.ErrNotFound)
)

// card finds a question for an app. It is the person's own; where nobody is known
// it is the question's id that says whose it is, since apps may call in another
// session than the model. errOtherPerson, errNoQuestion.
func (a *Asker) card(ctx context.Context, who parley.Principal, id parley.ID) (*card, error) {
	if !id.Valid() {
		return nil, errNoQuestion
	}
	c := &card{asker: a, owner: who}
	record, err := a.records.Load(ctx, showingAt(tenantOf(who), id))
	switch {
	case errors.Is(err, parley.ErrNotFound):
		return c, c.forgotten(ctx, id)
	case err != nil:
		return nil, err
	}
	if err := json.Unmarshal(record.Data, &c.showing); err != nil {
		return nil, fmt.Errorf("how question %s is shown: %w", id, err)
	}
	if owner := parley.OwnerOf(record.Tenant, record.Owner); !who.IsPerson() && !owner.IsPerson() && c.showing.Program == who.Key {
		owner.Key = who.Key
		c.owner = owner
	}
	if c.owner.User != record.Owner {
		return nil, errOtherPerson
	}
	c.opened, err = a.hub.Get(ctx, c.owner, id)
	if errors.Is(err, parley.ErrNotFound) {
		err = errNoQuestion
	}
	if err == nil && c.opened.Pending() {
		c.others = a.othersApps(ctx, c.owner, c.showing.At, c.opened)
	}
	return c, err
}

// forgotten finds a question of a person's own of which nobody knows any more how it
// was shown: one that is settled, in a conversation that is opened again.
func (c *card) forgotten(ctx context.Context, id parley.ID) (err error) {
	c.opened, err = c.asker.hub.Get(ctx, c.owner, id)
	if errors.Is(err, parley.ErrNotFound) || err == nil && c.opened.Pending() {
		return errNoQuestion
	}
	return err
}

func tenantOf(who parley.Principal) string {
	if who.Tenant == "" {
		return parley.DefaultTenant
	}
	return who.Tenant
}

// shownAt reports whether apps at an endpoint show the question. Where one that is
// settled was asked nobody may know any more.
func (c *card) shownAt(endpoint string) bool {
	return c.showing.Call == "" || c.showing.At.has(endpoint)
}

// here reports whether the question is answered in the app. A call that cannot be
// shown to the letter is not allowed there.
func (c *card) here() bool {
	return !c.others && c.asker.answeredHere(c.owner, c.opened) && (c.opened.Trigger != parley.TriggerApproval || approvalOf(c.opened) != nil)
}

// change changes how the question is shown.
func (c *card) change(ctx context.Context, change func(*showing) error) (err error) {
	c.showing, err = c.asker.changeShowing(ctx, tenantOf(c.owner), c.opened.ID, func(_ *parley.Record, s *showing) error { return change(s) })
	return err
}

// bound is what is stored of a nonce: it is good for this question, this person and
// what is called, and for nothing else.
func (c *card) bound(nonce string, s *showing) string {
	return hash(nonce, tenantOf(c.owner), c.owner.User, string(c.opened.ID), s.Digest)
}

// open notes that an app has the question, and returns a nonce for its answer; empty
// where it is answered elsewhere.
func (c *card) open(ctx context.Context) (nonce string, err error) {
	if c.here() {
		nonce = rand.Text()
	}
	err = c.change(ctx, func(s *showing) error {
		s.Opened = true
		if nonce != "" {
			s.Nonces = append(s.Nonces, c.bound(nonce, s))
			s.Nonces = s.Nonces[max(0, len(s.Nonces)-mostNonces):]
		}
		return nil
	})
	return nonce, err
}

var (
	errUnknownNonce = errors.New("the nonce is not one that was given out for this question")
	errReplay       = errors.New("the nonce was used before")
)

// consume uses a nonce up, by a compare-and-swap: of two answers with the same one
// only the first goes on. errUnknownNonce, errReplay.
func (c *card) consume(ctx context.Context, nonce string) error {
	return c.change(ctx, func(s *showing) error {
		given := c.bound(nonce, s)
		i := indexOf(s.Nonces, given)
		switch {
		case indexOf(s.Used, given) >= 0:
			return errReplay
		case i < 0:
			return errUnknownNonce
		}
		s.Nonces = slices.Delete(s.Nonces, i, i+1)
		s.Used = append(s.Used, given)
		s.Used = s.Used[max(0, len(s.Used)-mostUsed):]
		return nil
	})
}

// used reports whether a nonce was used before.
func (c *card) used(nonce string) bool {
	return indexOf(c.showing.Used, c.bound(nonce, &c.showing)) >= 0
}

// indexOf finds a hash among those that are stored, in a time that does not tell how
// much of it is right.
func indexOf(stored []string, given string) int {
	return slices.IndexFunc(stored, func(one string) bool { return subtle.ConstantTimeCompare([]byte(one), []byte(given)) == 1 })
}
