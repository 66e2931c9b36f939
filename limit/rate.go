// Package limit bounds what those may take who send requests: how often, how
// much at once, and for how long.
//
// Its nouns: [Rates] are token buckets, one for each who asks. [Held] counts what
// is open at once. [Large] bounds the large bodies that are read at once. [Address] is whom a request comes from. [Web] is the bounds of
// a listener: its connections, and the time that a client may take to send a
// header or a body and to read an answer.
//
// What is kept for each who asks is bounded too: nobody fills the memory by being
// many. Everything here is safe for concurrent use.
package limit

import (
	"crypto/sha256"
	"math"
	"sync"
	"time"
)

// Rate is how often something may happen: Burst times at once, and PerSecond
// times a second after that. The zero Rate has no limit.
type Rate struct {
	PerSecond float64
	Burst     int
}

// mostKeys is how many are told apart. Those who were not seen for longest are
// forgotten first, which makes their buckets full.
const mostKeys = 20_000

// Rates is one Rate for each key. Make it with NewRates.
type Rates struct {
	rate Rate

	mu sync.Mutex
	// Two generations in place of a list by time: what is used moves to the young
	// one, and when that is full it becomes the old one.
	young, old map[string]bucket
}

// bucket is how much was left, and when.
type bucket struct {
	left float64
	at   time.Time
}

// NewRates returns full buckets for everybody.
func NewRates(rate Rate) *Rates {
	rate.Burst = max(rate.Burst, 1)
	return &Rates{rate: rate, young: map[string]bucket{}}
}

// Take takes one from the bucket of key. If that is empty it takes nothing, and
// says how long it will be.
func (r *Rates) Take(key string) (wait time.Duration, ok bool) {
	if r.rate.PerSecond <= 0 {
		return 0, true
	}
	now, key := time.Now(), short(key)
	r.mu.Lock()
	defer r.mu.Unlock()
	b, known := r.young[key]
	if !known {
		b, known = r.old[key]
	}
	full := float64(r.rate.Burst)
	if !known {
		b = bucket{left: full}
	} else {
		b.left = min(full, b.left+now.Sub(b.at).Seconds()*r.rate.PerSecond)
	}
	b.at = now
	if ok = b.left >= 1; ok {
		b.left--
	} else {
		wait = time.Duration(math.Ceil((1 - b.left) / r.rate.PerSecond * float64(time.Second)))
	}
	r.keep(key, b)
	return wait, ok
}

// GiveBack returns to the bucket of key what was taken for something that did not
// happen.
func (r *Rates) GiveBack(key string) {
	key = short(key)
	r.mu.Lock()
	defer r.mu.Unlock()
	b, known := r.young[key]
	if !known {
		b, known = r.old[key]
	}
	if known { // else it is full
		b.left = min(float64(r.rate.Burst), b.left+1)
		r.keep(key, b)
	}
}

// keep stores a bucket among the young. mu is held.
func (r *Rates) keep(key string, b bucket) {
	if _, known := r.young[key]; !known && len(r.young) >= mostKeys/2 {
		r.old, r.young = r.young, make(map[string]bucket, len(r.young))
	}
	r.young[key] = b
}

// Keys is how many are remembered.
func (r *Rates) Keys() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.young) + len(r.old)
}

// short keeps a key from being as long as whoever sends it likes.
func short(key string) string {
	if len(key) <= 2*sha256.Size {
		return key
	}
	sum := sha256.Sum256([]byte(key))
	return string(sum[:])
}
