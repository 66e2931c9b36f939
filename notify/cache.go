package notify

import (
	"sync"
	"time"

	"github.com/parley-hq/parley"
)

// cache remembers what was read for a short time: thousands of questions of one
// person read their record once.
type cache[T any] struct {
	keep time.Duration

	mu   sync.Mutex
	read map[parley.Address]cached[T]
}

type cached[T any] struct {
	value T
	at    time.Time
}

const manyCached = 10_000

func (c *cache[T]) get(at parley.Address, read func() (T, error)) (T, error) {
	c.mu.Lock()
	known, ok := c.read[at]
	c.mu.Unlock()
	if ok && time.Since(known.at) < c.keep {
		return known.value, nil
	}
	began := time.Now()
	value, err := read()
	if err != nil {
		return value, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.read == nil || len(c.read) >= manyCached {
		c.read = map[parley.Address]cached[T]{}
	}
	c.read[at] = cached[T]{value, began}
	return value, nil
}

func (c *cache[T]) forget(at parley.Address) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.read, at)
}
