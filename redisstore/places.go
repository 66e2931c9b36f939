package redisstore

import (
	"fmt"
	"slices"
	"sync"
)

// places are the addresses of servers that can help to find ours: the one that did last,
// those that it named, and those of the URL.
type places struct {
	given []string

	mu    sync.Mutex
	best  string
	worst string
	named []string
}

// all are the places to ask, in this order.
func (p *places) all() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []string
	for _, place := range slices.Concat([]string{p.best}, p.named, p.given) {
		if place != "" && place != p.worst && !slices.Contains(all, place) {
			all = append(all, place)
		}
	}
	if p.worst != "" {
		all = append(all, p.worst)
	}
	return all
}

// prefer says which place to ask first.
func (p *places) prefer(best string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.best = best
	if p.worst == best {
		p.worst = ""
	}
}

// avoid says which place to ask last.
func (p *places) avoid(worst string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.worst = worst
}

// know replaces those that were named. None is not knowing.
func (p *places) know(named []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(named) > 0 {
		p.named = named
	}
}

// both is why two places were of no help, in one line.
func both(one, other error) error {
	if one == nil {
		return other
	}
	return fmt.Errorf("%w; %w", one, other)
}
