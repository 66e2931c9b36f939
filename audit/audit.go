// Package audit keeps every decision in an append-only chain, so that nobody can
// take one away or change it later without being found out, and gives receipts that
// anybody can check with a public key alone.
//
// Its nouns:
//
//   - Entry: one decision, as a line of JSON. It has the hash of the entry before it,
//     so a tenant's entries are a chain; and they are the leaves of a Merkle tree
//     (RFC 6962), so that one of them can be proven without the others.
//   - Due: an entry that is not in the chain yet. It is stored before what it tells of
//     is done.
//   - Head: the end of a tenant's chain.
//   - Checkpoint: the size and the root of the tree, signed, in the format of
//     transparency logs.
//   - Receipt: the entries about one question, their proofs, a checkpoint, and what
//     was shown.
//   - Export: a chain as lines of JSON.
//
// An example:
//
//	log, err := audit.New(store, keys, &audit.Options{Name: "parley.example"})
//	hub := parley.New(store, &parley.Options{Hooks: log.Hooks()})
//	log.Reads(hub)
//	go log.Run(ctx)
//
// # What is promised
//
// No decision is without its entry, whichever process dies when. A due is written
// before a question is settled, and names nothing but the question: the entry is made
// from the outcome that the store has. For everything else the due is the entry, and is
// written before the act. Run puts dues into the chain, those of processes that have
// died as well, so an entry may come late; its time is the decision's. An operation
// that was begun and of which nobody knows how it ended has an entry that says so.
//
// No decision has two entries. Of all processes one extends the chain at a time, by
// compare-and-swap of its head. The head has the entries that were added last; whoever
// extends it next first writes them to where they are read and looked up, unless that
// was done. So a death between any two writes leaves nothing out and nothing twice.
//
// A Log may be used by any number of goroutines, and any number of processes may have
// one over the same store.
package audit

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/internal/quietlog"
	"github.com/parley-hq/parley/seal"
)

// Store is where questions and records are.
type Store interface {
	parley.Store
	parley.Records
}

// Options configures a Log. Nil and zero fields mean the defaults.
type Options struct {
	// Name is who signs, such as the host of the site. Default "parley". The first
	// process of an installation decides: the name is part of its key.
	Name string

	// About says what is known of a settled question besides: of an approval its
	// Decision, Server, Tool, Call, Digest, Changes and Signed. Nothing else of the deed is used.
	// Default: entries do not say. It is given the question as it was answered, or as it
	// is stored where that cannot be opened.
	About func(parley.Request) parley.Deed

	// Changes are the arguments that whoever allowed a call changed, in the bytes whose
	// digest was signed, for receipts. Default: receipts have the digest only.
	Changes func(parley.Request) []byte

	Every     time.Duration // how often a chain that has grown gets a checkpoint that is kept; default one hour
	Retention time.Duration // how long entries are kept, to the checkpoint before that; default for ever

	Sync    time.Duration // how often dues of processes that died are looked for; default 15 s
	Age     time.Duration // how old those are at least; default 5 s
	Unknown time.Duration // after which an operation that was begun counts as unknown; default 5 minutes
	Logger  *slog.Logger  // default slog.Default()
}

// Kinds of records. Dues and the key are of no tenant.
const (
	dueKind        = "audit_due"
	headKind       = "audit_head"
	pageKind       = "audit_page"
	indexKind      = "audit_index"
	checkpointKind = "audit_checkpoint"
	startKind      = "audit_start"
	keyKind        = "audit_key"
	tenantKind     = "audit_tenant"
)

// Log is the chains of all tenants. Make one with New, and Run it.
type Log struct {
	store   parley.Store
	records parley.Records
	opts    Options
	hub     *parley.Hub
	wake    chan struct{}
	late    quietlog.Trouble // of the entries

	mu       sync.Mutex
	fresh    []due            // that this process has just written; some by their keys alone
	finished map[string]int64 // by tenant: the version of the head of which all is written
	known    map[string]bool  // tenants that are on the list of those that have a chain
	signing  *signingKey      // nil until it was read
}

// New returns a log over a store. What it keeps is sealed with keys.
func New(store Store, keys *seal.Keyring, opts *Options) (*Log, error) {
	if store == nil || keys == nil {
		return nil, errors.New("audit: a store and a keyring are needed")
	}
	l := &Log{
		store: store, records: seal.Records(store, keys, nil), wake: make(chan struct{}, 1),
		finished: map[string]int64{}, known: map[string]bool{},
	}
	if opts != nil {
		l.opts = *opts
	}
	l.opts.Name = cmp.Or(strings.Map(nameRune, l.opts.Name), "parley")
	l.opts.Every = cmp.Or(l.opts.Every, time.Hour)
	l.opts.Sync = cmp.Or(l.opts.Sync, 15*time.Second)
	l.opts.Age = cmp.Or(l.opts.Age, 5*time.Second)
	l.opts.Unknown = cmp.Or(l.opts.Unknown, 5*time.Minute)
	if l.opts.Logger == nil {
		l.opts.Logger = slog.Default()
	}
	return l, nil
}

// Reads gives the log the hub whose hooks it has: what was shown and chosen is read
// there. Call it before Run.
func (l *Log) Reads(hub *parley.Hub) { l.hub = hub }

// nameRune leaves out what the name of a key may not have.
func nameRune(c rune) rune {
	if c <= ' ' || c == '+' || c > '~' {
		return -1
	}
	return c
}

// persistent is for writes whose loss would be that of a decision.
func persistent(ctx context.Context, op func() error) error {
	return patience.Plan{For: 10 * time.Second, Final: permanent}.Do(ctx, op)
}

func permanent(err error) bool {
	return parley.Overtaken(err) || errors.Is(err, parley.ErrNotFound) || unreadable(err)
}

// unreadable reports whether stored data cannot be opened, now or later.
func unreadable(err error) bool {
	for _, is := range []error{seal.ErrUnknownKey, seal.ErrTampered, seal.ErrMalformed, parley.ErrNotSealed, parley.ErrSealed} {
		if errors.Is(err, is) {
			return true
		}
	}
	return false
}

// now is the present as stores keep it.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }
