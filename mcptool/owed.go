package mcptool

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/parley-hq/parley"
)

// mostOwed bounds how many journals wait for their store. What is over that is
// as after a death of this node.
const mostOwed = 256

// owed are the journals that this node has done with and could not write: the
// store was away. They are written as soon as it is back, and until then the same
// call finds them here.
type owed struct {
	more chan struct{} // has one when there is something to write

	mu    sync.Mutex
	debts map[string]*debt // by the journals' keys
}

// debt is a journal that has to be written, or removed if its call is over.
type debt struct {
	mu   sync.Mutex // held while it is written
	page *page
	over bool
}

// add takes a journal that nobody works on any more.
func (o *owed) add(p *page, over bool) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.debts == nil {
		o.debts = map[string]*debt{}
	}
	if len(o.debts) >= mostOwed {
		return false
	}
	o.debts[p.record.Key] = &debt{page: p, over: over}
	select {
	case o.more <- struct{}{}:
	default:
	}
	return true
}

// has reports whether there is a journal of a call that is not over, with a key
// that begins so.
func (o *owed) has(prefix string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.like(prefix) != nil
}

// like finds such a journal. mu is held.
func (o *owed) like(prefix string) *debt {
	for key, d := range o.debts {
		if strings.HasPrefix(key, prefix) && !d.over {
			return d
		}
	}
	return nil
}

// over reports whether the call of a stored journal is over.
func (o *owed) over(key string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	d := o.debts[key]
	return d != nil && d.over
}

// take returns a journal whose key begins so, for whoever goes on with its call;
// nil: there is none.
func (o *owed) take(prefix string) *page {
	for {
		o.mu.Lock()
		d := o.like(prefix)
		o.mu.Unlock()
		if d == nil {
			return nil
		}
		d.mu.Lock() // it may be being written
		taken := o.remove(d)
		d.mu.Unlock()
		if taken {
			return d.page
		}
	}
}

// remove reports whether the debt was there.
func (o *owed) remove(d *debt) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.debts[d.page.record.Key] != d {
		return false
	}
	delete(o.debts, d.page.record.Key)
	return true
}

func (o *owed) all() []*debt {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Collect(maps.Values(o.debts))
}

// payDebts writes what is owed until ctx ends, and then once more.
func (a *Asker) payDebts(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-a.owed.more:
		}
		for pause := 100 * time.Millisecond; ctx.Err() == nil && a.pay(ctx) > 0; pause = min(2*pause, time.Second) {
			select {
			case <-ctx.Done():
			case <-time.After(pause):
			}
		}
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	a.pay(last)
}

// pay writes what is owed and returns how much could not be written.
func (a *Asker) pay(ctx context.Context) (left int) {
	for _, d := range a.owed.all() {
		d.mu.Lock()
		err := a.payOne(ctx, d)
		d.mu.Unlock()
		if err != nil {
			left++
		}
	}
	return left
}

func (a *Asker) payOne(ctx context.Context, d *debt) error {
	a.owed.mu.Lock()
	gone := a.owed.debts[d.page.record.Key] != d
	a.owed.mu.Unlock()
	if gone {
		return nil // somebody goes on with it
	}
	var err error
	if d.over {
		err = a.remove(ctx, d.page)
	} else if err = a.save(ctx, d.page); err == nil {
		a.left.add(d.page.prefix(), d.page.record.Expires)
	}
	if err != nil && !parley.Overtaken(err) && !errors.Is(err, parley.ErrNotFound) {
		return err
	}
	a.owed.remove(d)
	return nil
}

// prefix begins the keys of the journals of the same call.
func (p *page) prefix() string {
	before, _, _ := strings.Cut(p.record.Key, "/")
	return before + "/"
}
