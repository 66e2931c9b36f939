package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// phase is where in its course a turn is when its node dies.
type phase string

const (
	phaseModel    phase = "the model writes"
	phaseCall     phase = "a call is under way"
	phaseAsked    phase = "a question is open"
	phaseAnswered phase = "it was just answered"
	phaseWords    phase = "the last words come"
)

var phases = []phase{phaseModel, phaseCall, phaseAsked, phaseAnswered, phaseWords}

// turn is one turn of a conversation in a round.
type turn struct {
	*hold
	tag, conversation string
	question          string
}

// round has five conversations take a turn each, on one node, kills that when each
// is in its phase, and looks what becomes of them.
func (s *site) round(ctx context.Context, number int, random *rand.Rand, all map[phase]*tally) error {
	ctx, stop := context.WithTimeout(ctx, 4*s.o.wait)
	defer stop()
	victim := s.nodes[random.IntN(len(s.nodes))]
	var turns []*turn
	for i, p := range random.Perm(len(phases)) {
		tools := []string{"shop__order", "shop__look", "strict__order", "strict__look"}
		if phases[p] == phaseAsked || phases[p] == phaseAnswered {
			tools = tools[2:]
		}
		tag := fmt.Sprintf("tag-%d-%d", number, i)
		turns = append(turns, &turn{hold: s.fakes.expect(tag, phases[p], tools[random.IntN(len(tools))]), tag: tag, conversation: fmt.Sprint("conversation-", i)})
	}
	jitter := time.Duration(random.IntN(20)) * time.Millisecond
	if err := s.beginAll(ctx, victim, turns); err != nil {
		return err
	}
	for _, t := range turns {
		if t.phase == phaseAnswered {
			t.clock()
			if err := s.answer(ctx, victim, t); err != nil {
				return fmt.Errorf("%s: %w", t.tag, err)
			}
		}
	}
	time.Sleep(jitter)
	victim.kill()
	for _, t := range turns {
		if t.phase != phaseAnswered {
			t.clock()
		}
		close(t.dead)
	}
	s.there = victim
	for _, n := range s.nodes {
		if n != victim {
			s.there = n // which goes on; the victim comes back when all is over
		}
	}
	if s.there == victim {
		if err := victim.start(ctx, s.client); err != nil {
			return err
		}
		return s.judgeAll(ctx, turns, all)
	}
	if err := s.judgeAll(ctx, turns, all); err != nil {
		return err
	}
	return victim.start(ctx, s.client)
}

// beginAll returns when every turn is in its phase.
func (s *site) beginAll(ctx context.Context, n *node, turns []*turn) error {
	var group sync.WaitGroup
	failures := make([]error, len(turns))
	for i, t := range turns {
		group.Go(func() { failures[i] = s.begin(ctx, n, t) })
	}
	group.Wait()
	return errors.Join(failures...)
}

// begin sends the message of a turn, and follows it to its phase.
func (s *site) begin(ctx context.Context, n *node, t *turn) error {
	body := fmt.Sprintf(`{"id":%q,"messages":[{"id":"m-%s","role":"user","parts":[{"type":"text","text":"Do it for %s."}]}]}`, t.conversation, t.tag, t.tag)
	resp, err := s.do(ctx, http.MethodPost, n.url+"/run/api/chat", body)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		raw, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		return fmt.Errorf("%s: %s %s", t.tag, resp.Status, raw)
	}
	asked := make(chan string, 1)
	go func() { // the stream is read until the node dies
		defer resp.Body.Close()
		for in := bufio.NewScanner(resp.Body); in.Scan(); {
			if _, after, ok := strings.Cut(in.Text(), `"elicitationId":"`); ok && !strings.Contains(after, `"outcome":`) {
				id, _, _ := strings.Cut(after, `"`)
				select {
				case asked <- id:
				default:
				}
			}
		}
	}()
	for {
		select {
		case t.question = <-asked:
			if t.phase == phaseAsked || t.phase == phaseAnswered {
				t.reached()
			} else if err := s.answer(ctx, n, t); err != nil {
				return err
			}
		case <-t.there:
			return nil
		case <-ctx.Done():
			return fmt.Errorf("%s did not come to: %s", t.tag, t.phase)
		}
	}
}

func (s *site) do(ctx context.Context, method, url, body string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("x-supports-elicitation", "true")
	return s.client.Do(r)
}

func (s *site) answer(ctx context.Context, n *node, t *turn) error {
	body := fmt.Sprintf(`{"conversationId":%q,"elicitationId":%q,"action":"accept","content":{"decision":"allow_once"}}`, t.conversation, t.question)
	resp, err := s.do(ctx, http.MethodPost, n.url+"/run/api/elicitation-responses", body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		raw, _ := io.ReadAll(resp.Body)
		return fmt.Errorf("the answer: %s %s", resp.Status, raw)
	}
	return nil
}

// answerLater answers what a turn asks only after the kill.
func (s *site) answerLater(ctx context.Context, t *turn) error {
	for {
		resp, err := s.do(ctx, http.MethodGet, s.there.url+"/api/elicitations?state=pending", "")
		if err != nil {
			return err
		}
		var open struct {
			Items []struct {
				ID, Session string
			} `json:"items"`
		}
		err = json.NewDecoder(resp.Body).Decode(&open)
		resp.Body.Close()
		if err != nil {
			return err
		}
		for _, q := range open.Items {
			if q.Session == t.conversation {
				t.question = q.ID
				return s.answer(ctx, s.there, t)
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s never asked", t.tag)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// judgeAll answers what is still to be answered and waits for the end of each.
func (s *site) judgeAll(ctx context.Context, turns []*turn, all map[phase]*tally) error {
	var group sync.WaitGroup
	failures := make([]error, len(turns))
	for i, t := range turns {
		group.Go(func() {
			switch {
			case t.phase == phaseAsked:
				t.clock()
				failures[i] = s.answer(ctx, s.there, t)
			case t.phase == phaseModel && strings.HasPrefix(t.tool, "strict"):
				failures[i] = s.answerLater(ctx, t)
			}
			if failures[i] == nil {
				failures[i] = s.judge(ctx, t, all[t.phase])
			}
		})
	}
	group.Wait()
	return errors.Join(failures...)
}

// judge waits for the end of a turn and says what became of it. Each phase has one
// turn in a round, so that nobody else writes its tally.
func (s *site) judge(ctx context.Context, t *turn, into *tally) error {
	into.hits++
	var end string
	over := false
	for deadline := time.Now().Add(s.o.wait); !over && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		var err error
		if end, over, err = s.ending(ctx, t); err != nil {
			return err
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	unknown := strings.Contains(end, "result of this call is unknown") || strings.Contains(end, "its result is not known")
	before := into.lost + into.stuck
	defer func() {
		if into.lost+into.stuck > before || t.done > 1 {
			fmt.Fprintf(os.Stderr, "%s, %s, %s: carried out %d times, and the answer is %q\n", t.tag, t.phase, t.tool, t.done, end)
		}
	}()
	switch {
	case !over:
		into.stuck++
	case !strings.Contains(end, "Finished "+t.tag) || !unknown && !strings.Contains(end, "done for "+t.tag):
		into.lost++
	case !unknown && strings.HasSuffix(t.tool, "order") && t.done == 0:
		into.lost++ // it says that it was done
	case unknown && t.phase != phaseCall && t.phase != phaseAnswered:
		into.lost++ // it was not begun, or had been answered
	case unknown:
		into.unknown++
	}
	if t.done > 1 {
		into.twice++
	}
	if !t.resumed.IsZero() {
		into.resumed = append(into.resumed, t.resumed.Sub(t.killed))
	}
	return nil
}

// ending is the answer of a turn, and whether it is complete.
func (s *site) ending(ctx context.Context, t *turn) (text string, over bool, err error) {
	resp, err := s.do(ctx, http.MethodGet, s.there.url+"/run/api/chat/"+t.conversation, "")
	if err != nil {
		return "", false, err
	}
	defer resp.Body.Close()
	var history struct {
		Active   bool
		Messages []struct {
			ID, Role string
			Parts    []struct{ Type, Text string }
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&history); err != nil {
		return "", false, fmt.Errorf("%s: %w", resp.Status, err)
	}
	ours := false
	for _, m := range history.Messages {
		if m.Role == "user" {
			ours = m.ID == "m-"+t.tag
			continue
		}
		for _, p := range m.Parts {
			if ours && p.Type == "text" {
				text += p.Text + "\n"
			}
		}
	}
	return text, !history.Active, nil
}
