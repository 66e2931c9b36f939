// Package crew is about what runs beside its callers: how long it may, and waiting
// for its end.
package crew

import "sync"

// Crew is what runs beside its callers until its owner is closed. Unlike a
// sync.WaitGroup it may be given more while somebody waits for it: a task that
// outlives its session may still come for a server.
type Crew struct {
	mu   sync.Mutex
	busy int
	free *sync.Cond // made by the first who waits
}

// Go runs f beside the caller.
func (c *Crew) Go(f func()) {
	c.mu.Lock()
	c.busy++
	c.mu.Unlock()
	go func() {
		defer c.over()
		f()
	}()
}

func (c *Crew) over() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy--; c.busy == 0 && c.free != nil {
		c.free.Broadcast()
	}
}

// Wait returns when nothing runs.
func (c *Crew) Wait() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.free == nil {
		c.free = sync.NewCond(&c.mu)
	}
	for c.busy > 0 {
		c.free.Wait()
	}
}
