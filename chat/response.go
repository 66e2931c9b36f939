package chat

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

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
	err = c.hub.Answer(ctx, p, q.ID, parley.Answer{
		Action: parley.Action(given.Action), Content: content(given.Content), Via: Via,
	})
	if errors.Is(err, parley.ErrRepeated) {
		return nil
	}
	return err
}

// content is what came with an answer; clients that have nothing to say may say
// so.
func content(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}
