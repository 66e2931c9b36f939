package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Who answers what waits for them, wherever it comes from.
var (
	deskPeople = []string{"desk0", "desk1", "desk2", "desk3"}
	approvers  = []string{"bob", "carol", "dave"}
)

// desks are these people, with their inboxes.
type desks struct {
	load *load

	mu    sync.Mutex
	given map[string][]*given // by question
}

// given is an answer that somebody sent.
type given struct {
	question, person, key string
	at                    time.Time
	answer                string // the decision, or the content
	decides               bool
	told                  string // taken, refused or unknown
	words                 string
}

// What people are told of their answers.
const (
	taken   = "taken"
	refused = "refused"
)

// run has all of them answer until ctx ends.
func (d *desks) run(ctx context.Context, seed uint64) {
	var all sync.WaitGroup
	for i, person := range append(append([]string{}, deskPeople...), approvers...) {
		all.Go(func() {
			choose := rand.New(rand.NewPCG(seed, 1000+uint64(i)))
			for sleep(ctx, pause/2+time.Duration(choose.Int64N(int64(pause)))) {
				d.look(ctx, person, choose)
			}
		})
	}
	all.Wait()
}

// look answers what waits for somebody.
func (d *desks) look(ctx context.Context, person string, choose *rand.Rand) {
	var open struct{ Items []shown }
	if _, err := d.load.request(ctx, http.MethodGet, "/api/elicitations?state=pending&limit=100&user="+person, "dev-user:"+person, nil, &open); err != nil {
		return
	}
	var sending sync.WaitGroup
	defer sending.Wait()
	for _, q := range open.Items {
		if q.Trigger == "approvers" { // it only tells
			continue
		}
		answers := answersTo(q, choose)
		if choose.IntN(3) > 0 {
			answers = answers[:1]
		}
		for _, a := range answers { // all at once: one counts
			sending.Go(func() { d.answer(ctx, person, q, a) })
		}
	}
}

// answersTo are two that differ.
func answersTo(q shown, choose *rand.Rand) []map[string]any {
	accept := func(content map[string]any) map[string]any {
		return map[string]any{"elicitationId": q.ID, "action": "accept", "content": content}
	}
	decline := map[string]any{"elicitationId": q.ID, "action": "decline"}
	switch schema := string(q.Schema); {
	case strings.Contains(schema, `"decision"`):
		both := []map[string]any{accept(map[string]any{"decision": "allow_once"}), accept(map[string]any{"decision": "deny"})}
		if choose.IntN(5) == 0 {
			both[0], both[1] = both[1], both[0]
		}
		return both
	case strings.Contains(schema, `"size"`):
		return []map[string]any{accept(map[string]any{"size": fmt.Sprint("L", choose.IntN(1000000))}), accept(map[string]any{"size": fmt.Sprint("M", choose.IntN(1000000))})}
	}
	return []map[string]any{accept(nil), decline}
}

var keyPattern = regexp.MustCompile(`(postgres|redis)-\d+-\d+-\d+`)

// answer sends one.
func (d *desks) answer(ctx context.Context, person string, q shown, a map[string]any) {
	key := keyPattern.FindString(q.Message)
	content, _ := json.Marshal(a["content"]) // maps of strings always marshal
	g := &given{
		question: q.ID, person: person, key: key, at: time.Now(), answer: fmt.Sprint(a["action"], " ", string(content)),
		decides: strings.Contains(string(q.Schema), `"decision"`), told: gotUnknown,
	}
	d.mu.Lock()
	d.given[q.ID] = append(d.given[q.ID], g)
	d.mu.Unlock()
	status, err := d.load.request(ctx, http.MethodPost, "/answer/"+q.ID, "dev-user:"+person, a, nil)
	d.mu.Lock()
	switch {
	case err == nil:
		g.told = taken
	case status >= 400 && status < 500:
		g.told, g.words = refused, err.Error()
	default:
		g.words = err.Error()
	}
	d.mu.Unlock()
	d.load.ledger.tell(key, "%s answers %s to question %s: %s %s", person, g.answer, q.ID, g.told, strings.TrimSpace(g.words))
}

// credit counts the yeses in the ledger: those that were taken, or may have been. To
// one question there is one, however often somebody says so.
func (d *desks) credit() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, answers := range d.given {
		for _, g := range answers {
			if g.yes() && g.told != refused {
				consents, allowed := g.counts(d.load.ledger.kindOf(g.key))
				d.load.ledger.count(g.key, consents, allowed)
				break
			}
		}
	}
}

// yes reports whether it allows something, or says what was asked for.
func (g *given) yes() bool {
	return strings.HasPrefix(g.answer, "accept") && !strings.Contains(g.answer, `"deny"`)
}

// counts is what an answer is worth to a call.
func (g *given) counts(k kind) (consents, allowed int) {
	switch {
	case !g.decides:
		return 1, 0
	case k.tool == "buy" || k.tool == "look":
		return 1, 1
	}
	return 0, 1
}

// wrong are the questions to which two different answers were taken.
func (d *desks) wrong() (all []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, answers := range d.given {
		var counted []*given
		for _, g := range answers {
			if g.told == taken && (len(counted) == 0 || counted[0].answer != g.answer) {
				counted = append(counted, g)
			}
		}
		if len(counted) > 1 {
			text := fmt.Sprintf("two outcomes: question %s took more than one answer\n", id)
			for _, g := range answers {
				text += fmt.Sprintf("  %s  %s answers %s: %s %s\n", g.at.UTC().Format("15:04:05.000"), g.person, g.answer, g.told, g.words)
			}
			all = append(all, text)
		}
	}
	return all
}
