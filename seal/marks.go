package seal

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley"
)

// A mark is a record that notes that something in a store may be sealed with a secret, so
// that nobody has to look at everything to know. Its key is the id of that secret, and it
// is sealed with it. It is left before the secret seals anything else, and stays until
// Reseal has found that nothing is left: then it is sealed with the secret that followed,
// which retires it. So a mark counts when its key and its envelope name the same secret;
// one that was damaged counts for nothing, and whoever opens no mark leaves none.
//
// The mark of whoever came first, in the beginning, says whose store it is. It ends by
// itself until everything was looked at once: programs before this one let all marks end.
const (
	markKind    = "secret"
	firstMark   = "first"
	firstLife   = 30 * 24 * time.Hour
	retiredLife = 365 * 24 * time.Hour
	mostMarks   = 100
)

// MissingError says that something in a store is sealed with secrets that are not in the
// keyring: who works without them takes what is there for gone.
type MissingError struct {
	IDs []string // of these secrets, which are no secrets
}

func (e *MissingError) Error() string {
	return "secrets: what is stored was sealed with another secret, which is not among those of this node: key " + strings.Join(e.IDs, ", key ") +
		". Put it behind the first one, or run parley secrets --reseal where all of them are configured"
}

// Check says whether the keyring has every secret that is in use in a store: a
// *MissingError if not, or the store's error. It changes nothing, and reads a few records.
func (k *Keyring) Check(ctx context.Context, store parley.Records) error {
	m, err := k.readMarks(ctx, store)
	if err != nil {
		return err
	}
	return m.missing()
}

// Claim is Check, and notes that the first secret is in use: call it before anything is
// sealed, and now and then. A store without marks becomes one of the keyring's.
func (k *Keyring) Claim(ctx context.Context, store parley.Records) error {
	m, err := k.beginMarks(ctx, store)
	if err != nil {
		return err
	}
	if err := m.missing(); err != nil {
		return err
	}
	return m.keep(ctx)
}

// Note looks at everything in a store, unless that was done, and notes which secrets of the
// keyring are in use: programs before this one let their notes end after 30 days. It
// returns what it found by key ids that the keyring has not; it looks again the next time
// while there is any.
func (k *Keyring) Note(ctx context.Context, store Sealable) (foreign map[string]int, err error) {
	m, err := k.beginMarks(ctx, store)
	if err != nil || !m.opens() || m.complete() {
		return nil, err
	}
	found, err := k.walk(ctx, store, false)
	if err != nil {
		return nil, err
	}
	for i, held := range found.Secrets {
		if one := m.all[held.ID]; held.All() > 0 && !one.counts() {
			if err := m.save(ctx, held.ID, k.secrets[i], time.Time{}); err != nil {
				return nil, err
			}
		}
	}
	if len(found.Foreign) > 0 {
		return found.Foreign, nil
	}
	return nil, m.save(ctx, firstMark, k.secrets[0], time.Time{})
}

// Forget removes the note that a secret is in use, which is not there any more or holds
// nothing that is wanted: what it sealed does not open again without it.
// parley.ErrNotFound when there is no such note.
func (k *Keyring) Forget(ctx context.Context, store parley.Records, id string) error {
	m, err := k.readMarks(ctx, store)
	switch {
	case err != nil:
		return err
	case id == k.ID():
		return fmt.Errorf("key %s seals here: it cannot be forgotten", id)
	case !m.all[id].counts():
		return fmt.Errorf("key %.20q: %w", id, parley.ErrNotFound)
	}
	return store.Delete(ctx, markAddress(id), 0)
}

// mark is one that was read.
type mark struct {
	parley.Record
	id    string // of the secret that it is sealed with; empty: it is damaged
	opens bool
}

// counts reports whether the mark notes that its secret is in use.
func (m mark) counts() bool { return m.id != "" && m.id == m.Key }

// marks are those of a store, by their keys.
type marks struct {
	keys  *Keyring
	store parley.Records
	all   map[string]mark
}

func markAddress(key string) parley.Address {
	return parley.Address{Tenant: parley.DefaultTenant, Kind: markKind, Key: key}
}

func isMark(at parley.Address) bool { return at == markAddress(at.Key) }

func (k *Keyring) readMarks(ctx context.Context, store parley.Records) (marks, error) {
	m := marks{keys: k, store: store, all: map[string]mark{}}
	found, err := store.Scan(ctx, markAddress(""), "", mostMarks)
	for _, r := range found {
		r.Address = markAddress(r.Key)
		one := mark{Record: r}
		if e, err := parse(r.Data); err == nil {
			one.id = e.id.String()
			_, err = k.Open(r.Data, RecordBinding(r.Address, r.Owner))
			one.opens = err == nil
		}
		m.all[r.Key] = one
	}
	return m, err
}

// beginMarks reads the marks, and makes the first one where there are none: of several
// that find none, one does.
func (k *Keyring) beginMarks(ctx context.Context, store parley.Records) (marks, error) {
	m, err := k.readMarks(ctx, store)
	if err != nil || len(m.all) > 0 {
		return m, err
	}
	first, err := k.first()
	if err != nil {
		return m, err
	}
	if err := m.save(ctx, firstMark, first, time.Now().Add(firstLife)); err != nil {
		return m, err
	}
	return k.readMarks(ctx, store)
}

// opens reports whether the store is one of the keyring's.
func (m marks) opens() bool {
	for _, one := range m.all {
		if one.opens {
			return true
		}
	}
	return false
}

// complete reports whether everything was looked at once.
func (m marks) complete() bool {
	first, there := m.all[firstMark]
	return there && first.Expires.IsZero()
}

// missing is a *MissingError where a mark counts whose secret is not in the keyring. Who
// opens none lacks the secrets of all.
func (m marks) missing() error {
	var ids []string
	ours := m.opens()
	for _, one := range m.all {
		if one.id != "" && !m.keys.has(one.id) && (one.counts() || !ours) {
			ids = append(ids, one.id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	return &MissingError{IDs: slices.Compact(ids)}
}

// keep leaves the mark of the secret that seals, and mends what is not as it should be:
// marks that were damaged, that would end by themselves, or that nobody here opens.
func (m marks) keep(ctx context.Context) error {
	seals, err := m.keys.first()
	if err != nil {
		return err
	}
	if own := m.all[seals.id.String()]; !own.counts() || !own.opens || !own.Expires.IsZero() {
		if err := m.save(ctx, seals.id.String(), seals, time.Time{}); err != nil {
			return err
		}
	}
	for _, s := range m.keys.secrets[1:] {
		if one := m.all[s.id.String()]; one.counts() && (!one.opens || !one.Expires.IsZero()) {
			if err := m.save(ctx, one.Key, s, time.Time{}); err != nil {
				return err
			}
		}
	}
	if first, there := m.all[firstMark]; !there {
		return m.save(ctx, firstMark, seals, time.Now().Add(firstLife))
	} else if !first.opens {
		return m.save(ctx, firstMark, seals, first.Expires)
	}
	return nil
}

// retire ends the marks of all secrets but the first, as nothing is left that they sealed.
// One that was left again meanwhile stays.
func (m marks) retire(ctx context.Context, foreign bool) error {
	for _, s := range m.keys.secrets[1:] {
		if one := m.all[s.id.String()]; one.counts() {
			if err := m.save(ctx, one.Key, m.keys.secrets[0], time.Now().Add(retiredLife)); err != nil {
				return err
			}
		}
	}
	if foreign {
		return nil
	}
	return m.save(ctx, firstMark, m.keys.secrets[0], time.Time{})
}

// save stores a mark at the version that was read, unless somebody else was faster.
func (m marks) save(ctx context.Context, key string, with secret, expires time.Time) error {
	only := &Keyring{secrets: []secret{with}}
	_, err := Records(m.store, only, nil).Save(ctx, parley.Record{
		Address: markAddress(key), Version: m.all[key].Version, Data: []byte("opened by whoever has the secret"), Expires: expires.UTC().Truncate(time.Millisecond),
	})
	if parley.Overtaken(err) {
		return nil
	}
	return err
}

// tell says of each secret what the marks say.
func (m marks) tell(held []Held) {
	for i := range held {
		one, there := m.all[held[i].ID]
		held[i].Marked, held[i].Retired = one.counts(), there && !one.counts()
	}
}
