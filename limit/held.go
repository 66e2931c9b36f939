package limit

import "sync"

// Held counts what is held at once, by whom. Make it with NewHeld.
type Held struct {
	each, all int

	mu    sync.Mutex
	by    map[string]int
	total int
}

// NewHeld lets each key hold so many, and all together so many. Zero and less
// mean no limit.
func NewHeld(each, all int) *Held {
	return &Held{each: each, all: all, by: map[string]int{}}
}

// Take takes one for key, unless there are as many as there may be. The caller
// gives it back once; giving it back again does nothing. A key that is empty
// counts in all only.
func (h *Held) Take(key string) (give func(), ok bool) {
	key = short(key)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all > 0 && h.total >= h.all || h.each > 0 && key != "" && h.by[key] >= h.each {
		return nil, false
	}
	return h.add(key), true
}

// add counts one. mu is held.
func (h *Held) add(key string) (give func()) {
	h.total++
	h.by[key]++
	return sync.OnceFunc(func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.total--
		if h.by[key]--; h.by[key] == 0 {
			delete(h.by, key)
		}
	})
}

// Add takes one for key, however many there are: for what is let in already.
func (h *Held) Add(key string) (give func()) {
	key = short(key)
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.add(key)
}

// Open is how many are held.
func (h *Held) Open() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.total
}
