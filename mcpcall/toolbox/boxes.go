package toolbox

import (
	"errors"
	"maps"
	"sync"

	"github.com/parley-hq/parley/mcpcall"
)

// Boxes are boxes by name. A server that moves, or comes to want another
// credential, gets another name from its owner, and so another box. They are safe
// for concurrent use. Close them.
type Boxes[Key comparable] struct {
	mu     sync.Mutex
	all    map[Key]*Box
	closed bool
}

// Get returns the box of that name, which is made if there is none.
func (b *Boxes[Key]) Get(key Key, opts *Options) (*Box, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if box := b.all[key]; box != nil {
		return box, nil
	}
	if b.closed {
		return nil, mcpcall.ErrClosed
	}
	box, err := New(opts)
	if err != nil {
		return nil, err
	}
	if b.all == nil {
		b.all = map[Key]*Box{}
	}
	b.all[key] = box
	return box, nil
}

// Drop closes some of them. A call that is under way ends without a result.
func (b *Boxes[Key]) Drop(which func(Key) bool) error {
	var gone []*Box
	b.mu.Lock()
	maps.DeleteFunc(b.all, func(key Key, box *Box) bool {
		if !which(key) {
			return false
		}
		gone = append(gone, box)
		return true
	})
	b.mu.Unlock()
	var problems []error
	for _, box := range gone {
		problems = append(problems, box.Close())
	}
	return errors.Join(problems...)
}

// Close closes all.
func (b *Boxes[Key]) Close() error {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	return b.Drop(func(Key) bool { return true })
}
