package mcpcall

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"
)

// maxListing is how much is kept of what one server offers. Lists are people's own
// where the servers are, so there may be many.
const maxListing = 16 << 20

// Warm begins to read a list that nobody has asked for yet.
func (c *ToolCache[L]) Warm(who Person, s Server) {
	t := c.Of(who, s)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.used = time.Now()
	if t.listing == *new(L) && t.err == nil {
		t.refresh()
	}
}

// Keep keeps lists fresh, tries servers again that are down, and lets go of lists
// that nobody uses, until ctx ends. warm is called at once and then every 5 s.
func (c *ToolCache[L]) Keep(ctx context.Context, warm func(context.Context)) {
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	warm(ctx)
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-c.opts.Calls.life.Done():
			return
		case <-tick.C:
		}
		if n%20 == 0 {
			warm(ctx)
		}
		for _, t := range c.lists() {
			t.look()
		}
	}
}

// look does for a list what is due.
func (t *ToolList[L]) look() {
	now := time.Now()
	t.mu.Lock()
	unused := t.refreshing == nil && !t.closed && now.Sub(t.used) > forgotten
	if !unused && !t.closed && (t.listing != *new(L) && t.stale() || t.err != nil && !t.wanting() && now.After(t.retry)) {
		t.refresh()
	}
	t.mu.Unlock()
	if unused {
		t.cache.drop(t)
	}
}

func (c *ToolCache[L]) lists() []*ToolList[L] {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Collect(maps.Values(c.all))
}

func (c *ToolCache[L]) drop(t *ToolList[L]) {
	c.mu.Lock()
	if c.all[t.key] == t {
		delete(c.all, t.key)
	}
	c.mu.Unlock()
	t.close()
}

// Close hangs up. Lists that are being read are waited for by Calls.Close.
func (c *ToolCache[L]) Close() {
	for _, t := range c.lists() {
		t.close()
	}
}

// kept is what a list holds, and when it was used last.
func (t *ToolList[L]) kept() (L, time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return cmp.Or(t.listing, t.before), t.used
}

// shared returns the listing of another list that is the same: what a server offers
// to everybody is kept once.
func (c *ToolCache[L]) shared(l L) L {
	var none L
	if l == none {
		return l
	}
	for _, t := range c.lists() {
		if other, _ := t.kept(); same(other, l) && other.Of().Faults.same(l.Of().Faults) {
			return other
		}
	}
	return l
}

// Size is how many bytes are kept, and of how many lists.
func (c *ToolCache[L]) Size() (bytes, lists int) {
	uses := map[L]int{}
	for _, t := range c.lists() {
		if l, _ := t.kept(); l != *new(L) {
			lists++
			if uses[l]++; uses[l] == 1 {
				bytes += l.Of().Bytes
			}
		}
	}
	return bytes, lists
}

// makeRoom lets go of the lists that were not used for longest, but not of the one
// that came last, until the others have room, and of those that nobody uses. Who uses
// one again has it read again.
func (c *ToolCache[L]) makeRoom(last *ToolList[L]) {
	all := c.lists()
	used := map[*ToolList[L]]time.Time{}
	for _, t := range all {
		_, used[t] = t.kept()
	}
	slices.SortFunc(all, func(x, y *ToolList[L]) int { return used[x].Compare(used[y]) })
	for _, t := range all {
		bytes, _ := c.Size()
		if bytes <= c.opts.MaxBytes && time.Since(used[t]) <= forgotten {
			return
		}
		if t != last {
			c.drop(t)
		}
	}
}
