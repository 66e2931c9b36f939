package slack

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/bench/kit"
	"github.com/parley-hq/parley/internal/testkit/fakeslack"
	"github.com/parley-hq/parley/internal/visitor"
)

// person is somebody who is asked, in Slack and elsewhere.
type person struct {
	*fakeslack.User
	name string

	mu    sync.Mutex
	asked map[parley.ID]time.Time // when
	cards map[string]*card        // by their ts
	over  int                     // of the cards
}

// card is a message with buttons that the person has seen.
type card struct {
	question parley.ID
	tried    time.Time // when they last answered; zero: never
	answered time.Time // when they did and were heard
	over     bool      // it has no buttons any more
}

func (p *person) isAsked(id parley.ID, at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked[id] = at
}

// open is how many questions are not over.
func (p *person) open() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.asked) - p.over
}

// look is the person looking at their messages, who answers those that they have not.
func (p *person) look(answer func(fakeslack.Message, *card)) {
	for _, m := range p.DM().Messages() {
		if m.Metadata["event_type"] == "parley_question" && p.sees(m) {
			p.mu.Lock()
			of := p.cards[m.TS]
			p.mu.Unlock()
			answer(m, of)
		}
	}
}

// sees reports whether a message wants an answer: one that was not given, or that
// nothing came of.
func (p *person) sees(m fakeslack.Message) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	of := p.cards[m.TS]
	if of != nil && of.over {
		return false
	}
	button := m.Button(allow)
	if of == nil {
		of = &card{}
		p.cards[m.TS] = of
	}
	if button == nil {
		of.over = true
		p.over++
		return false
	}
	id, _ := button["value"].(string)
	of.question = parley.ID(id)
	if !of.answered.IsZero() || time.Since(of.tried) < again {
		return false
	}
	of.tried = time.Now()
	return true
}

// answered notes whether an answer was heard.
func (p *person) answered(of *card, at time.Time, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil {
		of.answered = at
	}
}

// join lets people in, who link their accounts and want to be told at once.
func (c *campaign) join(ctx context.Context) error {
	c.goTo(c.nodes[0])
	for i := range c.options.people {
		name := fmt.Sprintf("person-%d", i)
		c.people = append(c.people, &person{User: c.team.AddUser(name), name: name, asked: map[parley.ID]time.Time{}, cards: map[string]*card{}})
	}
	return kit.InParallel(4, len(c.people), func(i int) error {
		if i%50 == 0 {
			kit.Progress("person %d", i)
		}
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		return c.people[i].link(ctx, c.nodes[0].URL)
	})
}

func (p *person) link(ctx context.Context, node string) error {
	p.Say(p.DM(), "hello")
	asked, err := p.DM().WaitFor(ctx, func(m fakeslack.Message) bool { return m.Has("parley_link") })
	if err != nil {
		return err
	}
	v := visitor.New()
	defer v.Leave()
	if err := v.Send(ctx, node+"/login", url.Values{"user": {p.name}}); err != nil {
		return err
	}
	if err := v.Open(ctx, asked.Button("parley_link")["url"].(string)); err != nil {
		return err
	}
	if err := v.Press(ctx, "This is me", nil); err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPut, node+"/api/me/channels", strings.NewReader(`{"channels":[{"channel":"slack","after":0}]}`))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := v.Browser.Do(r)
	if err != nil {
		return err
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("choosing Slack: status %d", answer.StatusCode)
	}
	return nil
}

// allow is the button that allows a call.
const allow = "parley.allow_once"

// answer allows what a card asks: every other person in Slack, the others elsewhere.
func (c *campaign) answer(ctx context.Context, p *person, at int, m fakeslack.Message, id parley.ID) error {
	if at%2 == 0 {
		got, err := p.Press(m, allow)
		if errors.Is(err, fakeslack.ErrNotThere) {
			return nil // it was heard the last time
		}
		if err == nil && got.Status != http.StatusOK {
			err = fmt.Errorf("status %d", got.Status)
		}
		return err
	}
	err := c.hub.Answer(ctx, parley.Principal{User: p.name}, id, parley.Answer{Action: parley.Accept, Content: []byte(`{"decision":"allow_once"}`), Via: "inbox"})
	if errors.Is(err, parley.ErrSettled) {
		return nil
	}
	return err
}
