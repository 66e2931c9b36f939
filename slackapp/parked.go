package slackapp

import (
	"context"
	"slices"
	"sync"

	"github.com/parley-hq/parley"
)

// parked are the replies that wait for a question to be settled, as far as this process
// knows: it goes on with them at once. Others look now and then.
type parked struct {
	mu     sync.Mutex
	by     map[parley.ID][]string // jobs by the questions that they wait for
	sooner map[string]bool        // jobs whose question was settled
}

func newParked() *parked {
	return &parked{by: map[parley.ID][]string{}, sooner: map[string]bool{}}
}

func (p *parked) add(key string, questions []parley.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, id := range questions {
		if !slices.Contains(p.by[id], key) {
			p.by[id] = append(p.by[id], key)
		}
	}
}

// settled returns the jobs that waited for a question; of an empty one all.
func (p *parked) settled(id parley.ID) (keys []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id != "" {
		keys = p.by[id]
		delete(p.by, id)
	} else {
		for _, waiting := range p.by {
			keys = append(keys, waiting...)
		}
		clear(p.by)
	}
	for _, key := range keys {
		p.sooner[key] = true
	}
	return keys
}

// forget reports whether a job is to be done before its time, once.
func (p *parked) forget(key string) (sooner bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	sooner = p.sooner[key]
	delete(p.sooner, key)
	return sooner
}

// sooner has a job done now, whatever it waits for.
func (a *App) sooner(key string) {
	a.parked.mu.Lock()
	a.parked.sooner[key] = true
	a.parked.mu.Unlock()
	a.due.put(key)
}

// watchQuestions goes on with the replies whose questions were settled, wherever that was.
func (a *App) watchQuestions(ctx context.Context) {
	hints := a.hub.Watch(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case id := <-hints:
			for _, key := range a.parked.settled(id) {
				a.due.put(key)
			}
		}
	}
}
