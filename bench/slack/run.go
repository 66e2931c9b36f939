package slack

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/bench/kit"
	"github.com/parley-hq/parley/internal/testkit/fakeslack"
)

// Times of a run.
const (
	glance = 200 * time.Millisecond // how often people look
	hands  = 32                     // answer at once
	again  = 5 * time.Second        // after which who was not heard presses once more
)

// approval is a question whether a call may be made.
func approval(to string, i int) parley.Request {
	return parley.Request{
		To: to, From: "shop", Trigger: parley.TriggerApproval, Expires: time.Now().Add(24 * time.Hour),
		Message: fmt.Sprintf("May order be called?\n\n{\n  \"boxes\": %d,\n  \"to\": \"Vienna\"\n}", i),
		Schema:  json.RawMessage(`{"type":"object","properties":{"decision":{"type":"string","enum":["allow_once","deny"]}},"required":["decision"]}`),
		Labels:  map[string]string{"server": "shop", "tool": "order"},
	}
}

// run asks, answers, and kills a node in the middle. It returns when every card is
// answered and updated, or time is up.
func (c *campaign) run(ctx context.Context) (took time.Duration, err error) {
	c.goTo(c.nodes[1])
	began := time.Now()
	var asking sync.WaitGroup
	asked := make(chan error, 1)
	asking.Go(func() { asked <- c.ask(ctx) })
	defer asking.Wait()
	var deadline time.Time
	for killed := c.spared; ; time.Sleep(glance) {
		if err := context.Cause(ctx); err != nil {
			return 0, err
		}
		if !killed && time.Since(began) > c.length/2 {
			killed = true
			c.nodes[1].Kill()
			c.goTo(c.nodes[0])
			kit.Progress("a node is killed")
		}
		open := c.glance(ctx)
		select {
		case err := <-asked:
			if err != nil {
				return 0, err
			}
			deadline = time.Now().Add(c.limit)
		default:
		}
		if !deadline.IsZero() && (open == 0 || time.Now().After(deadline)) {
			return time.Since(began), nil
		}
	}
}

// ask asks for approvals, so many a second whoever keeps up.
func (c *campaign) ask(ctx context.Context) error {
	n := int(c.length.Seconds() * float64(c.rate))
	began := time.Now()
	return kit.InParallel(16, n, func(i int) error {
		due := began.Add(time.Duration(i) * time.Second / time.Duration(c.rate))
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(time.Until(due)):
		}
		if i%(5*c.rate) == 0 {
			kit.Progress("%d of %d asked", i, n)
		}
		p := c.people[i%len(c.people)]
		at := time.Now()
		q, err := c.hub.Open(ctx, approval(p.name, i))
		if err == nil {
			p.isAsked(q.ID, at)
		}
		return err
	})
}

// glance is everybody looking at their messages once, and answering what they are asked.
// It returns how many questions are not over.
func (c *campaign) glance(ctx context.Context) (open int) {
	for i, p := range c.people {
		p.look(func(m fakeslack.Message, of *card) {
			c.pressing <- struct{}{}
			go func() {
				defer func() { <-c.pressing }()
				began := time.Now()
				p.answered(of, began, c.answer(ctx, p, i, m, of.question))
			}()
		})
		open += p.open()
	}
	return open
}
