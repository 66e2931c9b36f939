package chat

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/permit"
)

// Approvals knows whom a call waits for: permit.Permits does.
type Approvals interface {
	Panel(ctx context.Context, q parley.Request) (permit.Panel, error)
}

// panel is whom a question waits for, as clients see it.
type panel struct {
	Need   int        `json:"need"`
	People []approver `json:"people"`
}

type approver struct {
	Name     string        `json:"name"`
	Decision permit.Choice `json:"decision,omitempty"` // allow_once or deny
	At       string        `json:"at,omitempty"`       // with no decision: their time was over, or see Withdrawn

	For       string `json:"for,omitempty"`       // whose deputy they are
	Withdrawn string `json:"withdrawn,omitempty"` // why their question was, before they answered
}

// panelTime is how long the store may take to say who has answered.
const panelTime = 2 * time.Second

// panelOf is whom a question waits for that is open; nil: nobody, or it is not known.
func (c *Chat) panelOf(q *parley.Request) *panel {
	if c.opts.Approvals == nil || !q.OnlyTells() || !q.Pending() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), panelTime)
	defer cancel()
	found, err := c.opts.Approvals.Panel(ctx, *q)
	if err != nil || found.Need == 0 {
		return nil
	}
	shown := &panel{Need: found.Need}
	for _, one := range found.People {
		a := approver{Name: one.Name, Decision: one.Said, For: one.For, Withdrawn: one.Withdrawn}
		if !one.At.IsZero() {
			a.At = one.At.UTC().Format(time.RFC3339Nano)
		}
		shown.People = append(shown.People, a)
	}
	return shown
}

// panels tells of a question again whenever one of those has answered for whom it waits.
type panels struct {
	chat *Chat
	all  sync.WaitGroup

	mu      sync.Mutex
	changed []agent.Event
	wake    context.CancelFunc               // of who waits for the next event
	open    map[parley.ID]context.CancelFunc // the questions that wait; nil: none is told again
}

func (c *Chat) newPanels() *panels {
	p := &panels{chat: c}
	if c.opts.Approvals != nil {
		p.open = map[parley.ID]context.CancelFunc{}
	}
	return p
}

// note begins to watch a question that waits, or ends it.
func (p *panels) note(ctx context.Context, e agent.Event) {
	if p.open == nil || e.Question == nil || !e.Question.OnlyTells() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	stop, known := p.open[e.Question.ID]
	switch {
	case e.Type == agent.Answered && known:
		stop()
		delete(p.open, e.Question.ID)
	case e.Type == agent.Asked && !known:
		watching, stop := context.WithCancel(ctx)
		p.open[e.Question.ID] = stop
		p.all.Go(func() { p.watch(watching, e) })
	}
}

func (p *panels) watch(ctx context.Context, e agent.Event) {
	for said := 0; ; {
		found, err := p.chat.opts.Approvals.Panel(ctx, *e.Question)
		if err != nil {
			return
		}
		open := found.Open()
		if now := len(found.People) - len(open); now > said {
			said = now
			p.push(e)
		}
		if len(open) == 0 || !p.chat.anyOf(ctx, open) {
			return
		}
	}
}

// anyOf waits until one of the questions is settled, and reports false when ctx ends
// first.
func (c *Chat) anyOf(ctx context.Context, questions []parley.ID) bool {
	ctx, cancel := context.WithCancel(ctx)
	settled := make(chan bool, len(questions))
	var all sync.WaitGroup
	for _, id := range questions {
		all.Go(func() {
			_, err := c.hub.Wait(ctx, id)
			settled <- err == nil
		})
	}
	defer all.Wait()
	defer cancel()
	for range questions {
		if <-settled {
			return true
		}
	}
	return false
}

func (p *panels) push(e agent.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.changed = append(p.changed, e)
	if p.wake != nil {
		p.wake()
	}
}

// take returns a question that is to be told again, if it still waits.
func (p *panels) take(wake context.CancelFunc) (e agent.Event, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wake = wake
	for len(p.changed) > 0 && !ok {
		e, p.changed = p.changed[0], p.changed[1:]
		_, ok = p.open[e.Question.ID]
	}
	return e, ok
}

// next returns the next event of a run, or a question once more. It is
// context.DeadlineExceeded when nothing came for a heartbeat.
func (p *panels) next(ctx context.Context, f *agent.Follower) (agent.Event, error) {
	if f.Ready() {
		return f.Next(ctx)
	}
	waiting, cancel := context.WithTimeout(ctx, p.chat.opts.Heartbeat)
	defer cancel()
	if e, ok := p.take(cancel); ok {
		return e, nil
	}
	e, err := f.Next(waiting)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.Canceled) {
		if again, ok := p.take(nil); ok {
			return again, nil
		}
		err = context.DeadlineExceeded
	}
	return e, err
}

func (p *panels) close() {
	p.mu.Lock()
	for _, stop := range p.open {
		stop()
	}
	p.mu.Unlock()
	p.all.Wait()
}
