package permit_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// said is one word of a person, or their silence, as the model remembers it.
type said struct {
	session, digest string
	yes, silent     bool
	at, until       time.Time
	revoked         time.Time
}

func (w *said) latest() time.Time {
	if w.revoked.After(w.at) {
		return w.revoked
	}
	return w.at
}

func (w *said) holds(now time.Time) bool {
	return w != nil && w.revoked.IsZero() && now.Before(w.until)
}

// model is what permit promises, without stores, keys or races.
type model struct {
	made     map[string]bool  // by person and call id
	calls    map[string]*said // by person and call id
	always   map[string]*said // by person, server and tool
	refusals map[string]*said // by person, session and digest
}

func newModel() *model {
	return &model{map[string]bool{}, map[string]*said{}, map[string]*said{}, map[string]*said{}}
}

func callKey(c permit.Call) string { return c.User + "|" + c.ID }
func toolKey(c permit.Call) string { return c.User + "|" + c.Server + "|" + c.Tool }
func refusalKey(c permit.Call, digest string) string {
	return c.User + "|" + c.Session + "|" + digest
}

// hear is what Record does.
func (m *model) hear(c permit.Call, digest string, o parley.Outcome, choice permit.Choice) {
	forever := o.At.Add(1000 * time.Hour)
	if choice == permit.AlwaysAllow {
		put(m.always, toolKey(c), said{yes: true, at: o.At, until: forever})
		return
	}
	word := said{session: c.Session, digest: digest, at: o.At, until: forever}
	switch choice {
	case permit.AllowOnce:
		word.yes, word.until = true, o.At.Add(time.Hour)
	case permit.Refuse:
		quiet := word
		quiet.until = o.At.Add(10 * time.Minute)
		put(m.refusals, refusalKey(c, digest), quiet)
	default:
		word.silent = true
	}
	if !m.made[callKey(c)] {
		put(m.calls, callKey(c), word)
	}
}

func put(in map[string]*said, key string, word said) {
	old := in[key]
	if old == nil || word.at.After(old.latest()) && (!word.silent || word.digest != old.digest) {
		in[key] = &word
	}
}

// status is what Check and Consume find; empty when the call was made before.
func (m *model) status(c permit.Call, digest string, now time.Time) permit.Status {
	if m.made[callKey(c)] {
		return ""
	}
	expired := false
	if own := m.calls[callKey(c)]; own != nil && own.session == c.Session && own.digest == digest {
		switch {
		case !own.revoked.IsZero() || !own.yes:
			return permit.Denied
		case own.holds(now):
			return permit.Granted
		}
		expired = true
	}
	standing, refusal := m.always[toolKey(c)], m.refusals[refusalKey(c, digest)]
	switch allowed, refused := standing.holds(now), refusal.holds(now); {
	case refused && (!allowed || !standing.at.After(refusal.at)):
		return permit.Denied
	case allowed:
		return permit.Granted
	case expired:
		return permit.Expired
	}
	return permit.Required
}

// play is one random story.
type play struct {
	t         *testing.T
	rand      *rand.Rand
	sites     [2]*site
	model     *model
	questions []asked
	log       []string
}

type asked struct {
	id   parley.ID
	call permit.Call
}

func (p *play) pick(n int) int { return p.rand.IntN(n) }
func (p *play) site() *site    { return p.sites[p.pick(2)] }

// call is one of few, so that stories meet.
func (p *play) call() permit.Call {
	return permit.Call{
		User: []string{"alice", "bob"}[p.pick(2)], Session: fmt.Sprint("chat ", p.pick(2)), Server: "bank",
		Tool: fmt.Sprint("tool ", p.pick(2)), Args: fmt.Appendf(nil, `{"n":%d}`, p.pick(2)), ID: fmt.Sprint("call ", p.pick(20)),
	}
}

func short(c permit.Call) string { return fmt.Sprint(c.User, c.Session, c.Tool, string(c.Args), c.ID) }

// recent is mostly one of the last questions, so that stories get on.
func (p *play) recent() asked {
	among := len(p.questions)
	if p.pick(4) > 0 {
		among = min(among, 4)
	}
	return p.questions[len(p.questions)-1-p.pick(among)]
}

func (p *play) note(format string, args ...any) { p.log = append(p.log, fmt.Sprintf(format, args...)) }

func (p *play) fail(format string, args ...any) {
	p.t.Helper()
	p.t.Fatalf("%s\nafter:\n%s", fmt.Sprintf(format, args...), strings.Join(p.log, "\n"))
}

func (p *play) ask() {
	c := p.call()
	q := p.site().ask(p.t, c)
	p.questions = append(p.questions, asked{q.ID, c})
	p.note("ask %s", short(c))
}

// answer answers a question: rightly, by a stranger, or by a model.
func (p *play) answer() {
	if len(p.questions) == 0 {
		return
	}
	q := p.recent()
	a := says([]permit.Choice{permit.AllowOnce, permit.AllowOnce, permit.AlwaysAllow, permit.Refuse}[p.pick(4)])
	who := parley.Principal{User: q.call.User}
	switch p.pick(8) {
	case 0:
		who.User = "mallory"
	case 1:
		a.Via = "mcp-model"
	case 2:
		a = parley.Answer{Action: parley.Decline, Via: "chat"}
	}
	err := p.site().hub.Answer(p.t.Context(), who, q.id, a)
	p.note("answer %s by %s: %s %s via %s: %v", short(q.call), who.User, a.Action, a.Content, a.Via, err)
}

// record records a question, sometimes for another call.
func (p *play) record() {
	if len(p.questions) == 0 {
		return
	}
	q, c := p.recent(), p.call()
	if p.pick(3) > 0 {
		c = q.call
	}
	right := short(c) == short(q.call)
	d, err := p.site().Record(p.t.Context(), c, q.id)
	p.note("record %s for %s: %+v, %v", short(q.call), short(c), d, err)
	stored, getErr := p.sites[0].hub.Get(p.t.Context(), parley.Principal{User: q.call.User}, q.id)
	if getErr != nil {
		p.fail("Get: %v", getErr)
	}
	if !right || stored.Pending() || err != nil && !errors.Is(err, permit.ErrConsumed) {
		if err == nil && d.Status == permit.Granted && p.model.status(c, digest(p.t, c), time.Now()) != permit.Granted {
			p.fail("granted by a question about %s", short(q.call))
		}
		return
	}
	p.model.hear(c, digest(p.t, c), *stored.Outcome, meant(*stored.Outcome))
}

// meant reads an outcome as a person would.
func meant(o parley.Outcome) permit.Choice {
	if o.Via == "mcp-model" || o.Action == parley.Expire {
		return ""
	}
	for _, choice := range []permit.Choice{permit.AllowOnce, permit.AlwaysAllow} {
		if strings.Contains(string(o.Content), string(choice)) {
			return choice
		}
	}
	return permit.Refuse
}

func (p *play) consume() {
	c := p.call()
	if len(p.questions) > 0 && p.pick(3) > 0 {
		c = p.recent().call
	}
	want := p.model.status(c, digest(p.t, c), time.Now())
	d, checked := p.site().Check(p.t.Context(), permit.Always, c)
	err := p.site().execute(p.t, c)
	p.note("consume %s: %v", short(c), err)
	var refused *permit.NotPermittedError
	switch {
	case want == "" && errors.Is(err, permit.ErrConsumed) && errors.Is(checked, permit.ErrConsumed):
	case want == "" || checked != nil || d.Status != want:
		p.fail("Check = %+v, %v; Consume: %v; want %q", d, checked, err, want)
	case want == permit.Granted && err == nil:
		p.model.made[callKey(c)] = true
	case errors.As(err, &refused) && refused.Decision.Status == want:
	default:
		p.fail("Consume: %v; want %q", err, want)
	}
}

func (p *play) revoke() {
	if p.pick(4) > 0 {
		return // rare enough that there is something to revoke
	}
	c := p.call()
	list := p.sites[0].listed(p.t, c.User)
	if len(list) == 0 {
		return
	}
	it := list[p.pick(len(list))]
	if err := p.site().Revoke(p.t.Context(), "", c.User, it.ID); err != nil {
		p.fail("Revoke: %v", err)
	}
	p.note("revoke %+v", it)
	var w *said
	switch {
	case it.Call != "":
		w = p.model.calls[c.User+"|"+it.Call]
	case it.Effect == permit.Deny:
		w = p.model.refusals[c.User+"|"+it.Session+"|"+it.Digest]
	default:
		w = p.model.always[c.User+"|"+it.Server+"|"+it.Tool]
	}
	if !w.holds(time.Now()) {
		p.fail("listed, and does not hold: %+v", it)
	}
	w.revoked = time.Now().Truncate(time.Millisecond)
}

func (p *play) lift() {
	c := p.call()
	if err := p.site().Lift(p.t.Context(), "", c.User, c.Session); err != nil {
		p.fail("Lift: %v", err)
	}
	p.note("lift %s %s", c.User, c.Session)
	for key, w := range p.model.refusals {
		if strings.HasPrefix(key, c.User+"|"+c.Session+"|") && w.holds(time.Now()) {
			w.revoked = time.Now().Truncate(time.Millisecond)
		}
	}
}

func TestRandomStoriesMatchTheModel(t *testing.T) {
	executed := 0
	for seed := range uint64(25) {
		synctest.Test(t, func(t *testing.T) {
			store := parley.NewMemoryStore()
			store.Retention = 1000 * time.Hour
			opts := &permit.Options{TTL: 2 * time.Hour}
			one := newSiteOn(t, store, opts, nil)
			p := &play{
				t: t, rand: rand.New(rand.NewPCG(seed, 7)), model: newModel(),
				sites: [2]*site{one, one.again(t, opts)},
			}
			steps := []func(){
				p.ask, p.ask, p.answer, p.answer, p.answer, p.record, p.record, p.record, p.consume, p.consume, p.consume, p.revoke, p.lift,
				func() { time.Sleep(time.Duration(p.pick(12)) * time.Minute) },
			}
			for range 250 {
				time.Sleep(time.Millisecond) // no two words at the same time
				steps[p.pick(len(steps))]()
			}
			for id, n := range one.server.ids {
				if n > 2 { // alice's and bob's
					t.Errorf("%s was made %d times", id, n)
				}
			}
			executed += one.server.count()
		})
	}
	if executed < 50 {
		t.Errorf("only %d calls were made: the stories do not get anywhere", executed)
	}
	t.Logf("%d calls were made", executed)
}
