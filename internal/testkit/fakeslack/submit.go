package fakeslack

import (
	"encoding/json"
	"fmt"
)

// Values are what a person enters in a modal, by block_id: text, the value of an option
// or several ([]string), a date, or for a datetimepicker seconds (int64). What is not
// named stays as the app set it.
type Values map[string]any

// Submission is what came of submitting a modal.
type Submission struct {
	Action string            // response_action: errors, update, push or clear; empty: the modal is closed
	Errors map[string]string // by block_id, which the person sees at the fields
	Answer Attempt
}

// ErrIncomplete is that Slack's clients do not submit a modal as it is filled in.
var ErrIncomplete = fmt.Errorf("it cannot be submitted so")

// Submit submits the modal that is before the person. What they cannot enter, or must
// not leave out, is refused without telling the app, as Slack's clients do; with
// Force it is sent.
func (u *User) Submit(v View, values Values) (Submission, error) {
	s := u.slack
	s.mu.Lock()
	kept := s.top(u)
	if kept == nil || kept.id != v.ID || text(kept.object["type"]) != "modal" {
		s.mu.Unlock()
		return Submission{}, fmt.Errorf("view %s: %w", v.ID, ErrNotThere)
	}
	state, err := filled(kept, values)
	if err != nil {
		s.mu.Unlock()
		return Submission{}, err
	}
	return s.submit(u, kept, state)
}

// Force submits state.values as they are given, which no client of Slack checked.
func (u *User) Force(v View, state map[string]any) (Submission, error) {
	s := u.slack
	s.mu.Lock()
	kept := s.views[v.ID]
	if kept == nil {
		s.mu.Unlock()
		return Submission{}, fmt.Errorf("view %s: %w", v.ID, ErrNotThere)
	}
	return s.submit(u, kept, state)
}

// filled is the state of a view with what was entered. The caller holds the lock.
func filled(kept *view, values Values) (fields, error) {
	state, known := fields{}, map[string]bool{}
	for _, e := range kept.public().Elements() {
		known[e.Block] = true
		start, keeps := initial(e)
		if !keeps {
			continue
		}
		value, entered := values[e.Block]
		if !entered {
			value = start
		}
		one, err := enter(e, value)
		if err != nil {
			return nil, fmt.Errorf("%w: block %q: %w", ErrIncomplete, e.Block, err)
		}
		if e.Input != nil && e.Input["optional"] != true && nothing(one) {
			return nil, fmt.Errorf("%w: block %q is required", ErrIncomplete, e.Block)
		}
		block, _ := state[e.Block].(fields)
		if block == nil {
			block = fields{}
		}
		block[e.Action()] = one
		state[e.Block] = block
	}
	for id := range values {
		if !known[id] {
			return nil, fmt.Errorf("block %q: %w", id, ErrNotThere)
		}
	}
	return state, nil
}

func nothing(entered fields) bool {
	for name, v := range entered {
		if list, ok := v.([]any); ok && len(list) == 0 {
			continue
		}
		if name != "type" && v != nil {
			return false
		}
	}
	return true
}

// submit sends view_submission and does what the app answers. It takes over the lock.
func (s *Slack) submit(u *User, kept *view, state fields) (Submission, error) {
	kept.state = state
	payload := s.base("view_submission", u)
	payload["trigger_id"] = s.trigger(u.Workspace.team, u.ID, kept)
	payload["view"] = kept.wire()
	payload["response_urls"] = []any{}
	d := s.interaction(payload)
	s.mu.Unlock()
	answer, err := s.finish(d)
	made := Submission{Answer: answer}
	if err != nil {
		return made, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.tell()
	return made, s.follow(kept, &made)
}

// follow does what an app answered to view_submission. The caller holds the lock.
func (s *Slack) follow(kept *view, made *Submission) error {
	var said struct {
		Action string            `json:"response_action"`
		Errors map[string]string `json:"errors"`
		View   json.RawMessage   `json:"view"`
	}
	if raw := made.Answer.Response; len(raw) > 0 {
		if err := json.Unmarshal(raw, &said); err != nil {
			return fmt.Errorf("the answer to view_submission: %w", err)
		}
	}
	made.Action, made.Errors = said.Action, said.Errors
	switch said.Action {
	case "":
		s.closeView(kept)
	case "clear":
		s.closeAll(kept.team, kept.user)
	case "errors":
		return kept.checkErrors(said.Errors)
	case "update", "push":
		v, ok := decode(said.View)
		object, refusal := s.checked(v, ok, kept.team, kept)
		if refusal != nil {
			return fmt.Errorf("the view in the answer to view_submission: %s", encode(refusal))
		}
		if said.Action == "push" {
			s.show(kept.team, kept.user, object, kept)
			return nil
		}
		kept.set(s, object)
		kept.updates++
	default:
		return fmt.Errorf("response_action %q is unknown", said.Action)
	}
	return nil
}

// checkErrors is an error if the errors are not of inputs of the view: Slack then shows
// that something is wrong, and none of them.
func (v *view) checkErrors(errors map[string]string) error {
	inputs := map[string]bool{}
	for _, b := range v.public().Blocks {
		if b["type"] == "input" {
			inputs[text(b["block_id"])] = true
		}
	}
	if len(errors) == 0 {
		return fmt.Errorf("response_action errors without any")
	}
	for id, words := range errors {
		if !inputs[id] || words == "" {
			return fmt.Errorf("an error %q of block %q, which is no input of the view", words, id)
		}
	}
	return nil
}

// CloseView closes the modal that is before the person, who then sees the one under it.
// The app hears of it only where the view says notify_on_close.
func (u *User) CloseView(v View) (Attempt, error) {
	s := u.slack
	s.mu.Lock()
	kept := s.top(u)
	if kept == nil || kept.id != v.ID {
		s.mu.Unlock()
		return Attempt{}, fmt.Errorf("view %s: %w", v.ID, ErrNotThere)
	}
	s.closeView(kept)
	if kept.object["notify_on_close"] != true {
		s.mu.Unlock()
		return Attempt{}, nil
	}
	payload := s.base("view_closed", u)
	payload["view"], payload["is_cleared"] = kept.wire(), false
	d := s.interaction(payload)
	s.mu.Unlock()
	return s.finish(d)
}
