package mcptool

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
)

// rounds suspends the call at each open question: MCP 2026-07-28.
type rounds struct{}

func (p rounds) present(_ context.Context, r *run, key string, q *question, opened *parley.Request) (*parley.Outcome, error) {
	r.suspend(p, key, *opened)
	return nil, ErrSuspended
}

// required is an input_required result, for a tool, a prompt or a resource.
type required struct {
	requests mcp.InputRequestMap
	state    string
}

// takeAnswers gives the answers that came with a retry to the questions of the
// journal. What was not asked is ignored.
func (r *run) takeAnswers(ctx context.Context, responses mcp.InputResponseMap) error {
	for key, response := range responses {
		entry, ok := r.page.Asked[key]
		result, isElicit := response.(*mcp.ElicitResult)
		if !ok || !isElicit {
			continue
		}
		opened, err := r.asker.hub.Asked(ctx, r.who, entry.ID) // the answer shows whether it is open still
		if err != nil {
			return err
		}
		if !opened.Pending() {
			continue
		}
		if err := r.takeAnswer(ctx, key, r.asker.asShown(opened), result); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) takeAnswer(ctx context.Context, key string, opened parley.Request, result *mcp.ElicitResult) error {
	answer, err := answerFrom(result.Action, result.Content)
	if err != nil || opened.OnlyTells() {
		return err // it was not asked
	}
	if opened.Mode == parley.URL && answer.Action == parley.Accept && opened.Labels[consentLabel] == "" {
		if r.page.Consented == nil {
			r.page.Consented = map[string]bool{}
		}
		r.page.Consented[key] = true
		return nil
	}
	err = r.asker.hub.Answer(ctx, r.who, opened.ID, answer)
	var content *form.ContentError
	switch {
	case settled(err):
		return nil
	case errors.As(err, &content), errors.Is(err, parley.ErrAction), errors.Is(err, parley.ErrTooLarge):
		if r.notes == nil {
			r.notes = map[string]string{}
		}
		r.notes[key] = note(content) // it is asked again, with the reason
		return nil
	}
	return err
}

func answerFrom(action string, content map[string]any) (parley.Answer, error) {
	a := parley.Answer{Action: parley.Action(action), Via: viaClient}
	if content == nil {
		return a, nil
	}
	var err error
	a.Content, err = json.Marshal(content)
	return a, err
}

func note(content *form.ContentError) string {
	if content == nil || len(content.Violations) == 0 {
		return "The last answer could not be used."
	}
	var sentences []string
	for _, v := range content.Violations {
		sentences = append(sentences, v.Message)
	}
	return strings.Join(sentences, " ")
}

// idle reports whether every open question is being answered somewhere else, so
// that there is nothing to tell the client but to wait.
func (r *run) idle() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for key, w := range r.waiting {
		if !r.page.Consented[key] && !w.OnlyTells() {
			return false
		}
	}
	return len(r.waiting) > 0
}

// hold waits until one of the open questions is settled. It reports false when
// the client must be told something before it loses patience.
func (r *run) hold(ctx context.Context) (bool, error) { return r.holdFor(ctx, r.asker.opts.Hold) }

// holdFor is hold for a client that is told something after that time.
func (r *run) holdFor(ctx context.Context, most time.Duration) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	message := "Waiting for an answer."
	r.mu.Lock()
	open := make([]parley.ID, 0, len(r.waiting))
	for _, w := range r.waiting {
		open = append(open, w.ID)
		if w.OnlyTells() {
			message = firstLine(w)
		}
	}
	r.mu.Unlock()
	stop := r.client.tell(ctx, r.asker.opts.Progress, message)
	defer stop()
	outcomes := make(chan error, len(open))
	var wg sync.WaitGroup
	for _, id := range open {
		wg.Go(func() {
			_, err := r.asker.hub.Wait(ctx, id)
			outcomes <- err
		})
	}
	err := <-outcomes
	timedOut := errors.Is(ctx.Err(), context.DeadlineExceeded)
	cancel()
	wg.Wait()
	if err == nil {
		return true, nil
	}
	if timedOut {
		return false, nil
	}
	return false, err
}

// stateOnly is how often a client is told only to come back. The Go client takes
// two such answers in all and gives up at the third.
const stateOnly = 2

// require makes the input_required result for the open questions and stores the
// journal under a new state.
func (r *run) require(ctx context.Context) (required, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	result := required{requests: mcp.InputRequestMap{}}
	var expires time.Time
	var consented []string
	var told *parley.Request
	for key, w := range r.waiting {
		if w.Expires.After(expires) {
			expires = w.Expires
		}
		if w.OnlyTells() {
			told = &w
			continue
		}
		if r.page.Consented[key] {
			consented = append(consented, key)
			continue
		}
		result.requests[key] = r.params(key, w)
	}
	if len(result.requests) == 0 {
		if r.page.Waits++; r.page.Waits > stateOnly {
			for _, key := range consented {
				result.requests[key] = r.params(key, r.waiting[key])
			}
			if len(consented) == 0 && told != nil {
				r.page.Waits = 0
				return result, goOnLater(*told)
			}
		}
	}
	r.page.Nonce, r.page.Node = rand.Text(), ""
	if err := r.asker.save(parley.FlushLater(ctx), r.page); err != nil {
		return result, err
	}
	var err error
	at := r.page.record.Address
	result.state, err = r.asker.sealState(ctx, state{
		Tenant: at.Tenant, Key: at.Key, User: r.who.User, Program: r.page.Program, Digest: r.digest, Nonce: r.page.Nonce,
	}, expires.Add(time.Minute))
	return result, err
}

// params is a question with what was wrong with the last answer to it.
func (r *run) params(key string, opened parley.Request) *mcp.ElicitParams {
	params := r.client.elicitation(r.asker, opened)
	params.RequestedSchema = rawSchema(opened)
	if note := r.notes[key]; note != "" {
		params.Message += "\n\n" + note
	}
	return params
}

func rawSchema(opened parley.Request) any {
	if opened.Mode != parley.Form {
		return nil
	}
	return json.RawMessage(opened.Schema)
}
