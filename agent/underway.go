package agent

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync/atomic"
	"time"
)

// Progress is how far a call is, as its tool says.
type Progress struct {
	Done  float64 `json:"done"`
	Total float64 `json:"total,omitempty"` // 0: it is not known
	Text  string  `json:"text,omitempty"`
}

// String is the progress in words: "3 of 10, reading".
func (p Progress) String() string {
	number := func(n float64) string { return strconv.FormatFloat(math.Round(n*100)/100, 'f', -1, 64) }
	switch {
	case p.Total > 0 && p.Text != "":
		return fmt.Sprintf("%s of %s, %s", number(p.Done), number(p.Total), p.Text)
	case p.Total > 0:
		return fmt.Sprintf("%s of %s", number(p.Done), number(p.Total))
	}
	return p.Text
}

const (
	maxProgress = 300                    // bytes of a sentence about progress
	progressGap = 250 * time.Millisecond // between two of a call
)

// news is the last that is known of a call under way. It is in no log: who comes
// later is told how it stands then.
type news struct {
	Event
	number int // of all news of the run: who was told a higher one knows it
	told   time.Time
	later  *time.Timer // tells of what came too soon after the last
}

// report is how the tool of a call says how far it is, until stop.
func (d *driver) report(c *call) (tell func(Progress), stop func()) {
	var over atomic.Bool
	e := Event{Type: Progressed, ID: c.ID, Tool: c.Name, Title: c.Tool.Title, Box: c.Box, Label: c.Label}
	tell = func(p Progress) {
		if over.Load() || math.IsNaN(p.Done+p.Total) || math.IsInf(p.Done+p.Total, 0) {
			return
		}
		p.Text = beginningOf(p.Text, maxProgress)
		if p.String() == "" {
			return
		}
		e := e
		e.Progress = &p
		d.live.hear(e)
	}
	return tell, func() {
		over.Store(true)
		d.live.over(c.ID)
	}
}

// hear takes the progress of a call, and lets the followers know, now or in a moment.
func (l *live) hear(e Event) {
	l.mu.Lock()
	n := l.news[e.ID]
	if n == nil {
		n = &news{}
		if l.news == nil {
			l.news = map[string]*news{}
		}
		l.news[e.ID] = n
	}
	n.Event = e
	wait := progressGap - time.Since(n.told)
	if wait > 0 {
		if n.later == nil {
			n.later = time.AfterFunc(wait, func() { l.spread(n) })
		}
		l.mu.Unlock()
		return
	}
	l.mu.Unlock()
	l.spread(n)
}

func (l *live) spread(n *news) {
	l.mu.Lock()
	l.heard++
	n.told, n.later, n.number = time.Now(), nil, l.heard
	l.mu.Unlock()
	l.notify()
}

// over forgets the progress of a call that goes no further.
func (l *live) over(call string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := l.news[call]; n != nil {
		if n.later != nil {
			n.later.Stop()
		}
		delete(l.news, call)
	}
}

// newsAfter is what is new since a number, and the number of the last.
func (l *live) newsAfter(number int) ([]Event, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var fresh []*news
	for _, n := range l.news {
		if n.number > number {
			fresh = append(fresh, n)
		}
	}
	slices.SortFunc(fresh, func(a, b *news) int { return a.number - b.number })
	var all []Event
	for _, n := range fresh {
		all, number = append(all, n.Event), max(number, n.number)
	}
	return all, number
}
