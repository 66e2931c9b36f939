package form

import "sync"

// A question's schema is read anew at each step of its life, often within
// milliseconds, and a form that was compiled is safe to share. So those that were
// read last are kept, up to so many, and only short ones.
const (
	mostRecent  = 256 // of each generation
	shortSchema = 8 << 10
)

// recent are the schemas that Parse returned last, in two generations: the older one
// goes when the newer one is full.
type recent struct {
	mu           sync.Mutex
	newer, older map[reading]*Schema
}

// reading is a text that was read, and the limits that it kept.
type reading struct {
	text string
	Limits
}

var parsed recent

// get returns the schema of a text that kept these limits; nil where there is none.
func (r *recent) get(raw []byte, l Limits) *Schema {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.newer[reading{string(raw), l}]; s != nil {
		return s
	}
	s := r.older[reading{string(raw), l}]
	if s != nil {
		r.add(reading{string(raw), l}, s)
	}
	return s
}

// put keeps a schema.
func (r *recent) put(raw []byte, l Limits, s *Schema) {
	if len(raw) > shortSchema {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(reading{string(raw), l}, s)
}

func (r *recent) add(text reading, s *Schema) {
	if r.newer == nil || len(r.newer) >= mostRecent {
		r.newer, r.older = make(map[reading]*Schema, mostRecent), r.newer
	}
	r.newer[text] = s
}
