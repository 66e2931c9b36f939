package inbox

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/bench/kit"
)

// page is the inbox in a browser, without one: the same requests in the same order.
type page struct {
	client *http.Client
	base   string
	cookie *http.Cookie
	items  []item
	close  func()

	mu     sync.Mutex
	states map[parley.ID]string
	missed bool          // something was, so that questions have to be read
	told   chan struct{} // closed and made anew whenever something was told
}

type item struct {
	ID    parley.ID
	State string
}

// scriptOf finds the script of the page.
var scriptOf = regexp.MustCompile(`<script type="module" src="([^"]+)"`)

// openPage opens the inbox. It is open when its first questions are there and what
// comes next will be told.
func openPage(ctx context.Context, client *http.Client, base string, cookie *http.Cookie) (*page, time.Duration, error) {
	p := &page{client: client, base: base, cookie: cookie, states: map[parley.ID]string{}, told: make(chan struct{})}
	began := time.Now()
	html, err := p.get(ctx, "/inbox")
	if err != nil {
		return nil, 0, err
	}
	script := scriptOf.FindSubmatch(html)
	if script == nil {
		return nil, 0, fmt.Errorf("the inbox has no script: %.200s", html)
	}
	if _, err := p.get(ctx, string(script[1])); err != nil {
		return nil, 0, err
	}
	if err := p.follow(ctx); err != nil {
		return nil, 0, err
	}
	raw, err := p.get(ctx, "/api/elicitations?state=pending&user="+person+"&limit=50")
	took := time.Since(began)
	var list struct{ Items []item }
	if err == nil {
		err = json.Unmarshal(raw, &list)
	}
	if err == nil && len(list.Items) == 0 {
		err = fmt.Errorf("an empty inbox")
	}
	p.items = list.Items
	return p, took, err
}

func (p *page) request(ctx context.Context, method, path, body string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, p.base+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.AddCookie(p.cookie)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return p.client.Do(r)
}

func (p *page) get(ctx context.Context, path string) ([]byte, error) {
	answer, err := p.request(ctx, http.MethodGet, path, "")
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: status %d: %.200s", path, answer.StatusCode, raw)
	}
	return raw, err
}

// follow opens the stream of events and returns when the first has come.
func (p *page) follow(ctx context.Context) error {
	ctx, leave := context.WithCancel(ctx)
	answer, err := p.request(ctx, http.MethodGet, "/api/elicitations/events?user="+person, "")
	if err != nil {
		leave()
		return err
	}
	lines := bufio.NewReader(answer.Body)
	for _, want := range []string{"event: reload", "data: "} { // so it begins
		if line, err := lines.ReadString('\n'); err != nil || !strings.HasPrefix(line, want) {
			leave()
			return fmt.Errorf("the stream begins with %q: %w", line, err)
		}
	}
	var done sync.WaitGroup
	done.Go(func() {
		defer answer.Body.Close()
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			var one item
			if data, ok := strings.CutPrefix(line, "data: "); ok && json.Unmarshal([]byte(data), &one) == nil {
				p.heard(one)
			}
		}
	})
	p.close = func() { leave(); done.Wait() }
	return nil
}

func (p *page) heard(one item) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.states[one.ID] = one.State; one.ID == "" {
		p.missed = true
	}
	close(p.told)
	p.told = make(chan struct{})
}

// wants waits until the page knows that a question is in a state.
func (p *page) wants(ctx context.Context, id parley.ID, state string) error {
	for {
		p.mu.Lock()
		now, told, missed := p.states[id], p.told, p.missed
		p.mu.Unlock()
		if now == state {
			return nil
		}
		if missed {
			raw, err := p.get(ctx, "/api/elicitations/"+string(id))
			var one item
			if err == nil && json.Unmarshal(raw, &one) == nil && one.State == state {
				return nil
			}
		}
		select {
		case <-told:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// answer says yes as the inbox does. While the server has too much to do it waits.
func (p *page) answer(ctx context.Context, id parley.ID) error {
	for {
		answer, err := p.request(ctx, http.MethodPost, "/answer/"+string(id), fmt.Sprintf(`{"elicitationId":%q,"action":"accept","content":{"decision":"allow_once"}}`, id))
		if err != nil {
			return err
		}
		raw, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		switch answer.StatusCode {
		case http.StatusOK:
			return nil
		case http.StatusTooManyRequests:
			time.Sleep(time.Second)
		default:
			return fmt.Errorf("answering: status %d: %.200s", answer.StatusCode, raw)
		}
	}
}

// lively is how soon pages knew.
type lively struct {
	shown, gone kit.Samples
	lost        int
}

// patience is how long a page is waited for before something counts as lost.
const patience = 30 * time.Second

// live opens questions at this process and answers them at the server, one after the
// other, and waits each time for every page.
func live(ctx context.Context, o options, name string, all []*page, hub *parley.Hub) (l lively, err error) {
	for i := range o.news {
		kit.Progress("%s: new question %d", name, i+1)
		began := time.Now()
		q, err := hub.Open(ctx, question(-i))
		if err != nil {
			return l, err
		}
		l.shown = append(l.shown, l.all(ctx, all, q.ID, "pending", began)...)
		began = time.Now()
		if err := all[0].answer(ctx, q.ID); err != nil {
			return l, err
		}
		l.gone = append(l.gone, l.all(ctx, all, q.ID, "settled", began)...)
	}
	return l, ctx.Err()
}

func (l *lively) all(ctx context.Context, pages []*page, id parley.ID, state string, began time.Time) (took kit.Samples) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, p := range pages {
		if p.wants(ctx, id, state) != nil {
			l.lost++
			continue
		}
		took.Add(time.Since(began))
	}
	return took
}

// atOnce is how many answers the inbox has under way.
const atOnce = 4

// answerMany answers as the table of the inbox does, and returns when the page knows
// of all of them.
func answerMany(ctx context.Context, o options, name string, p *page) (time.Duration, error) {
	kit.Progress("%s: %d answers", name, o.batch)
	var ids []parley.ID
	for cursor := ""; len(ids) < o.batch; {
		raw, err := p.get(ctx, "/api/elicitations?state=pending&user="+person+"&limit=50&cursor="+cursor)
		var list struct {
			Items []item
			Next  string `json:"next_cursor"`
		}
		if err == nil {
			err = json.Unmarshal(raw, &list)
		}
		if err != nil {
			return 0, err
		}
		for _, one := range list.Items {
			ids = append(ids, one.ID)
		}
		if cursor = list.Next; cursor == "" {
			break
		}
	}
	ids = ids[:min(len(ids), o.batch)]
	began := time.Now()
	if err := kit.InParallel(atOnce, len(ids), func(i int) error { return p.answer(ctx, ids[i]) }); err != nil {
		return 0, err
	}
	for _, id := range ids {
		if err := p.wants(ctx, id, "settled"); err != nil {
			return 0, err
		}
	}
	return time.Since(began), nil
}
