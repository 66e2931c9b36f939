package load

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/bench/kit"
)

// question is a form of the usual size.
func question(to string, expires time.Time) parley.Request {
	return parley.Request{
		Tenant: parley.DefaultTenant, To: to, From: "shop", Trigger: parley.TriggerTool, Expires: expires,
		Message: "How many boxes should go to Vienna, and on which day?",
		Schema:  json.RawMessage(`{"type":"object","properties":{"boxes":{"type":"integer","minimum":1},"day":{"type":"string","format":"date"}},"required":["boxes"]}`),
	}
}

// callers is how many questions are opened at a time.
const callers = 16

// park opens n questions, 500 to a person.
func (s *site) park(ctx context.Context, n int, who func(i int) string, expires time.Time) (time.Duration, error) {
	began := time.Now()
	var done atomic.Int64
	err := kit.InParallel(callers, n, func(i int) error {
		if k := done.Add(1); k%10_000 == 0 {
			kit.Progress("%d of %d questions parked", k, n)
		}
		_, err := s.hub.Open(ctx, question(fmt.Sprint(who(i), "-", i/500), expires))
		return err
	})
	return time.Since(began), err
}

// fallDue has many questions expire at one moment, and waits until the nodes have
// expired all of them. It returns how long that took, and their processor time.
func (s *site) fallDue(ctx context.Context) (took, cpu time.Duration, err error) {
	if s.due == 0 {
		return 0, 0, nil
	}
	counter := s.store.(parley.Counter)
	before, err := counter.CountPending(ctx)
	if err != nil {
		return 0, 0, err
	}
	spare := time.Duration(s.due) * time.Millisecond // so long opening may take
	at := time.Now().Add(spare)
	opening, err := s.park(ctx, s.due, func(int) string { return "late" }, at)
	if err != nil {
		return 0, 0, err
	}
	if opening > spare {
		return 0, 0, fmt.Errorf("opening %d questions took %s, longer than they were to be open", s.due, kit.Seconds(opening))
	}
	kit.Progress("%d questions fall due in %s", s.due, kit.Seconds(time.Until(at)))
	if err := sleep(ctx, time.Until(at)); err != nil {
		return 0, 0, err
	}
	used := s.cpu()
	for {
		left, err := counter.CountPending(ctx)
		if err != nil {
			return 0, 0, err
		}
		if left <= before {
			break
		}
		kit.Progress("%d of them are open", left-before)
		if err := sleep(ctx, 200*time.Millisecond); err != nil {
			return 0, 0, err
		}
	}
	kit.Progress("")
	return time.Since(at), s.cpu() - used, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
