package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/parley-hq/parley"
)

// response is what POST /run/api/elicitation-responses takes. Who answers is not
// in it.
type response struct {
	ConversationID string          `json:"conversationId"`
	ElicitationID  string          `json:"elicitationId"`
	Action         string          `json:"action"`
	Content        json.RawMessage `json:"content"`
}

type taken struct {
	Success bool `json:"success"`
}

func (c *Chat) takeResponse(w http.ResponseWriter, r *http.Request, p parley.Principal) error {
	var given response
	if err := c.read(w, r, &given); err != nil {
		return err
	}
	if given.ConversationID == "" || given.ElicitationID == "" {
		return bad("conversationId and elicitationId are required.")
	}
	if err := c.answer(r.Context(), p, given); err != nil {
		return err
	}
	reply(w, http.StatusOK, taken{Success: true})
	return nil
}

// answer gives a person's answer to a question of the conversation that it
// names. The same answer once more is taken as well.
func (c *Chat) answer(ctx context.Context, p parley.Principal, given response) error {
	q, err := c.question(ctx, p, given.ConversationID, parley.ID(given.ElicitationID))
	if err != nil {
		return err
	}
	return c.give(ctx, p, q.ID, parley.Answer{
		Action: parley.Action(given.Action), Content: content(given.Content), Via: Via,
	})
}

// give gives an answer to the hub; the same one again is a success. One that comes too late is told why: that the
// question was withdrawn is nobody's answer.
func (c *Chat) give(ctx context.Context, p parley.Principal, id parley.ID, a parley.Answer) error {
	err := c.hub.Answer(ctx, p, id, a)
	switch {
	case errors.Is(err, parley.ErrRepeated):
		return nil
	case !errors.Is(err, parley.ErrSettled):
		return err
	}
	q, loadErr := c.hub.Get(ctx, p, id)
	if loadErr != nil || q.Pending() || q.Outcome.Action != parley.Cancel || q.Outcome.By != "" {
		return err
	}
	why, given := strings.CutPrefix(q.Outcome.Reason, "withdrawn: ")
	if !given || why == "" {
		why = "a newer one took its place" // superseded
	}
	return errors.Join(&refusal{
		status: http.StatusConflict, text: fmt.Sprintf("This question was withdrawn: %s. Your answer was not taken; ask the agent again.", why),
	}, err)
}

// content is what came with an answer; clients that have nothing to say may say
// so.
func content(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}
