package mcptool

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/parley-hq/parley"
)

// callKind is the kind of the records that hold journals.
const callKind = "mcp.call"

// journal is what a call has done, as it is stored. Its key begins with a hash
// of who calls what, so that the same call by the same person finds it.
type journal struct {
	Target  target           `json:"target"`
	Digest  string           `json:"digest"`
	Session string           `json:"session,omitempty"`
	At      endpoints        `json:"at,omitempty"`
	Program string           `json:"program,omitempty"` // the key of the program whose call it is
	Asked   map[string]asked `json:"asked,omitempty"`
	Once    map[string]done  `json:"once,omitempty"`

	// Node is who works on the call; empty while it only waits.
	Node string `json:"node,omitempty"`
	// Abandoned says that its client gave up: the same call may take it up.
	Abandoned bool `json:"abandoned,omitempty"`
	// Left says that its client gave up, and that Node still works on it: the same
	// call waits for what comes.
	Left bool `json:"left,omitempty"`
	// Linked says that the model of a client up to 2025-11-25 was told of its
	// questions: while it only waits, it waits on no connection, and the same call in
	// another session takes it up. In this one the model knows of it, and the same
	// call is another one.
	Linked bool `json:"linked,omitempty"`
	// Result is what came out when nobody was there any more to take it.
	Result json.RawMessage `json:"result,omitempty"`

	Nonce     string          `json:"nonce,omitempty"`     // of the requestState that is out
	Waits     int             `json:"waits,omitempty"`     // how often a retry was told only to wait
	Links     map[string]bool `json:"links,omitempty"`     // by key: the client has the link of the question's page
	Consented map[string]bool `json:"consented,omitempty"` // URLs that the person went to
	Task      *task           `json:"task,omitempty"`

	Trail *trail `json:"trail,omitempty"` // where it belongs in a trace

	Pieces map[string]piece `json:"pieces,omitempty"` // what of it stands in records of its own
}

// asked is a question in a journal.
type asked struct {
	ID     parley.ID `json:"id"`
	Digest string    `json:"digest"` // of what was asked
}

// done is work of Once in a journal. Without a result it was begun and not
// finished.
type done struct {
	Finished bool            `json:"finished"`
	Value    json.RawMessage `json:"value,omitempty"`
	Unkept   bool            `json:"unkept,omitempty"` // its result was too large
}

// page is a journal with its place in the store.
type page struct {
	journal
	record parley.Record // its data are out of date
	stored bool
	unsure []sum // of data whose writing failed; the last one may be there all the same, or one before it
	noted  bool  // it has questions that are not stored yet

	folded  bool                       // its pieces were not read yet
	written map[string]json.RawMessage // what the records of its pieces hold
}

// writeTime is how long a journal's write may take. It does not end with its
// call: one that is broken off may have happened.
const writeTime = 10 * time.Second

// briefTime is how long whoever has a result waits for the journal's write.
const briefTime = time.Second

// save stores the journal, and keeps it for as long as its questions and a
// while.
func (a *Asker) save(ctx context.Context, p *page) error { return a.saveWithin(ctx, p, writeTime) }

func (a *Asker) saveWithin(ctx context.Context, p *page, most time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), most)
	defer cancel()
	data, unused, err := a.fold(ctx, p)
	if err != nil {
		return err
	}
	r := p.record
	r.Data = data
	if !p.stored {
		r.Version = 0
	}
	version, err := a.records.Save(ctx, r)
	if parley.Overtaken(err) && len(p.unsure) > 0 {
		// What is in the way may be our own.
		if there, loadErr := a.records.Load(ctx, r.Address); loadErr == nil && p.tried(there.Data) {
			r.Version = there.Version
			version, err = a.records.Save(ctx, r)
		}
	}
	if err != nil {
		if !parley.Overtaken(err) && !p.tried(data) {
			p.unsure = append(p.unsure, sha256.Sum256(data))
		}
		if ctx.Err() != nil {
			return fmt.Errorf("the call's journal: the store does not answer: %v", err) // nobody else's time is over
		}
		return fmt.Errorf("the call's journal: %w", err)
	}
	p.record.Version, p.stored, p.unsure, p.noted = version, true, nil, false
	if p.Nonce != "" && p.Node == "" {
		r.Version = version
		a.handed.add(r)
	}
	a.discard(ctx, p, unused)
	return nil
}

// sum is what is known of data.
type sum = [sha256.Size]byte

// tried reports whether these data were to be written, by one of the writes of which it is not known whether they were.
func (p *page) tried(data []byte) bool { return slices.Contains(p.unsure, sha256.Sum256(data)) }

// keepUntil makes sure that the journal outlives t.
func (p *page) keepUntil(t time.Time) {
	const grace = 10 * time.Minute // to come back for the answer
	if until := t.Add(grace).UTC().Truncate(time.Millisecond); p.record.Expires.Before(until) {
		p.record.Expires = until
	}
}

// remove deletes the journal of a call that is over.
func (a *Asker) remove(ctx context.Context, p *page) error {
	if !p.stored && len(p.unsure) == 0 {
		return nil
	}
	err := parley.ErrConflict
	if p.stored {
		err = a.records.Delete(ctx, p.record.Address, p.record.Version)
	}
	if parley.Overtaken(err) && len(p.unsure) > 0 {
		// What is in the way may be our own.
		there, loadErr := a.records.Load(ctx, p.record.Address)
		switch {
		case loadErr != nil:
			err = loadErr
		case p.tried(there.Data):
			err = a.records.Delete(ctx, p.record.Address, there.Version)
		}
	}
	if err != nil && !errors.Is(err, parley.ErrNotFound) {
		return err
	}
	p.stored, p.unsure = false, nil
	for _, at := range p.Pieces {
		a.discard(ctx, p, []string{at.Key})
	}
	return nil
}

// errOther says that a journal is not of the call that it says it is.
var errOther = fmt.Errorf("the journal is of another call: %w", parley.ErrNotFound)

// read loads a journal with all its pieces. What cannot be gone on with is
// ErrNotFound.
func (a *Asker) read(ctx context.Context, at parley.Address) (*page, error) {
	r, err := a.records.Load(ctx, at)
	if err != nil {
		return nil, err
	}
	p, err := parsePage(r)
	if err == nil {
		err = a.unfold(ctx, p)
	}
	return p, err
}

func parsePage(r parley.Record) (*page, error) {
	p := &page{record: r, stored: true}
	if err := json.Unmarshal(r.Data, &p.journal); err != nil {
		return nil, fmt.Errorf("the journal of call %q: %w", r.Key, err)
	}
	p.record.Data, p.folded = nil, len(p.Pieces) > 0
	return p, nil
}

// newPage returns an empty journal for a call of who's, by a client. Calls of nobody
// in particular have a key that nobody finds by chance.
func newPage(who parley.Principal, t target, digest string, by client) *page {
	return &page{
		journal: journal{Target: t, Digest: digest, Session: by.session, At: endpointsOf(by.endpoint), Program: who.Key},
		record: parley.Record{
			Address: parley.Address{Tenant: who.Tenant, Kind: callKind, Key: callPrefix(who, digest) + string(parley.NewID())},
			Owner:   who.User,
		},
	}
}

// callPrefix begins the keys of all calls of a person for the same thing.
func callPrefix(who parley.Principal, digest string) string {
	return hash(who.Tenant, who.User, digest) + "/"
}

// dropExpired takes off the journal what nobody answered in time while the call
// was given up: it is asked anew.
func (a *Asker) dropExpired(ctx context.Context, p *page) error {
	owner := p.owner()
	for key, entry := range p.Asked {
		r, err := a.hub.Get(ctx, owner, entry.ID)
		if errors.Is(err, parley.ErrNotFound) {
			continue // it was about to be opened
		}
		if err != nil {
			return err
		}
		if r.Pending() && !now().Before(r.Expires) || !r.Pending() && r.Outcome.Action == parley.Expire {
			delete(p.Asked, key)
		}
	}
	return nil
}

// free reports whether nobody works on a call or waits for its client, of those
// that were found for somebody in a session.
func (a *Asker) free(ctx context.Context, p *page, session string) (bool, error) {
	if p.Abandoned {
		return true, nil
	}
	if p.Node != "" || p.Nonce != "" {
		return a.orphaned(ctx, p.Node)
	}
	if p.Linked && (p.Session != session || session == "") {
		return true, nil
	}
	return a.answered(ctx, p)
}

// answered reports whether all that a call which only waits asks for is settled: the
// same call is the one that was answered, and not another one. Apps, which are told to
// ask and cannot wait, make it again.
func (a *Asker) answered(ctx context.Context, p *page) (bool, error) {
	owner := p.owner()
	for _, entry := range p.Asked {
		r, err := a.hub.Get(ctx, owner, entry.ID)
		if errors.Is(err, parley.ErrNotFound) || err == nil && r.Pending() {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return len(p.Asked) > 0, nil
}

// orphaned reports whether a node has died. One that never said that it lives
// is as good as dead to the others, which is why several nodes must Run.
func (a *Asker) orphaned(ctx context.Context, node string) (bool, error) {
	if node == "" {
		return false, nil
	}
	alive, err := a.node.Alive(ctx, node)
	return err == nil && !alive, err
}

// claim makes this node the one that works on the call. ErrConflict when another
// was faster. Where the store does not say so, the journal is given back: it may have
// been written, and nobody else goes on with a call on which a node works that lives.
func (a *Asker) claim(ctx context.Context, p *page) error {
	p.Abandoned, p.Left, p.Node = false, false, a.node.ID()
	err := a.save(ctx, p)
	if err != nil && !parley.Overtaken(err) && p.Task == nil { // a task is revived by whoever had claimed it
		a.giveBack(p)
	}
	return err
}

// giveBack leaves a journal to the same call when it comes again, as soon as the store
// can be written. The caller does not touch it any more.
func (a *Asker) giveBack(p *page) {
	p.Abandoned, p.Left, p.Node = true, false, ""
	if !a.owed.add(p, false) {
		a.opts.Logger.Error("abandoned call not kept", "err", "too many wait for the store")
	}
}

// leftCalls remembers which calls of sessions were given up on this node, so
// that the others need not look for any.
type leftCalls struct {
	mu    sync.Mutex
	until map[string]time.Time // by prefix of their keys
}

func (l *leftCalls) add(prefix string, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.until == nil {
		l.until = map[string]time.Time{}
	}
	l.until[prefix] = until
	for other, t := range l.until {
		if t.Before(time.Now()) {
			delete(l.until, other)
		}
	}
}

func (l *leftCalls) has(prefix string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	until, ok := l.until[prefix]
	return ok && until.After(time.Now())
}
