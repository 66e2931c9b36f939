package gateway

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/parley-hq/parley/mcpclient"
)

// How much is kept of what servers offer. Shelves are people's own where the
// servers are, so there may be many.
const (
	maxListing = 16 << 20 // of one server
	maxShelves = 128 << 20
)

// weigh notes how large a listing is and what tells it from others.
func (l *listing) weigh() error {
	hash := sha256.New()
	add := func(it item, kind byte) {
		fmt.Fprintf(hash, "%c%d:%d:", kind, len(it.name), len(it.raw))
		hash.Write([]byte(it.name))
		hash.Write(it.raw)
		l.bytes += len(it.name) + len(it.raw) + len(it.older) + 100
	}
	for _, t := range l.tools {
		add(t.item, 't')
		l.bytes += len(t.Title) + len(t.description) + 200
		if t.plain != nil {
			l.bytes += len(t.plain.raw) + len(t.plain.older)
		}
	}
	for _, it := range l.prompts {
		add(it, 'p')
	}
	for _, it := range l.resources {
		add(it, 'r')
	}
	for _, it := range l.templates {
		add(it, 'm')
	}
	fmt.Fprintf(hash, "i%d:%s%v", len(l.instructions), l.instructions, l.hasResources)
	l.bytes += len(l.instructions)
	l.digest = [sha256.Size]byte(hash.Sum(nil))
	if l.bytes > maxListing {
		return fmt.Errorf("%w: it offers more than %d MiB", mcpclient.ErrTooLarge, maxListing>>20)
	}
	return nil
}

// shared returns the listing of another shelf that is the same: what a server
// offers to everybody is kept once.
func (a *shelves) shared(l *listing) *listing {
	if l == nil {
		return nil
	}
	for _, sh := range a.all() {
		sh.mu.Lock()
		other := cmp.Or(sh.listing, sh.before)
		sh.mu.Unlock()
		if other != nil && other.digest == l.digest && other.faults.same(l.faults) {
			return other
		}
	}
	return l
}

// makeRoom lets go of the shelves that were not used for longest, but not of
// keep, until the others have room. Who uses one again has it filled again.
func (a *shelves) makeRoom(keep *shelf) {
	type shelved struct {
		shelf   *shelf
		listing *listing
		used    int64
	}
	var all []shelved
	uses, total := map[*listing]int{}, 0
	for _, sh := range a.all() {
		sh.mu.Lock()
		one := shelved{sh, cmp.Or(sh.listing, sh.before), sh.used.UnixNano()}
		sh.mu.Unlock()
		if one.listing == nil {
			continue
		}
		all = append(all, one)
		if uses[one.listing]++; uses[one.listing] == 1 {
			total += one.listing.bytes
		}
	}
	if total <= maxShelves {
		return
	}
	slices.SortFunc(all, func(x, y shelved) int { return cmp.Compare(x.used, y.used) })
	for _, one := range all {
		if total <= maxShelves {
			return
		}
		if one.shelf == keep {
			continue
		}
		a.drop(one.shelf)
		if uses[one.listing]--; uses[one.listing] == 0 {
			total -= one.listing.bytes
		}
	}
}
