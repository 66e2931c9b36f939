package limit

import "sync"

// AnonymousShare is for how many people callers count together whom nobody knows.
const AnonymousShare = 10

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
	return h.add(key, 1), true
}

// add counts n. mu is held.
func (h *Held) add(key string, n int) (give func()) {
	h.total += n
	h.by[key] += n
	return sync.OnceFunc(func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.total -= n
		if h.by[key] -= n; h.by[key] == 0 {
			delete(h.by, key)
		}
	})
}

// Add takes one for key, however many there are: for what is let in already.
func (h *Held) Add(key string) (give func()) { return h.AddMany(key, 1) }

// AddMany is Add for n.
func (h *Held) AddMany(key string, n int) (give func()) {
	key = short(key)
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.add(key, n)
}

// Open is how many are held.
func (h *Held) Open() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.total
}

// TakeMany takes n for key, unless that would be more than there may be. Whoever
// holds none may take as many as they like: what is larger than the bound is done
// alone.
func (h *Held) TakeMany(key string, n int) (give func(), ok bool) {
	key = short(key)
	h.mu.Lock()
	defer h.mu.Unlock()
	over := func(held, most int) bool { return most > 0 && held > 0 && held+n > most }
	if over(h.total, h.all) || key != "" && over(h.by[key], h.each) {
		return nil, false
	}
	return h.add(key, n), true
}
