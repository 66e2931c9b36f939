package chat

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// conversations is a page of GET /run/api/chat.
type conversations struct {
	Conversations []listed `json:"conversations"`
	NextCursor    string   `json:"nextCursor,omitempty"` // for the next page
}

// listed is a conversation as lists show it.
type listed struct {
	ID        string    `json:"id"`
	Title     string    `json:"title"`
	Agent     string    `json:"agent"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
	Waiting   bool      `json:"waiting"` // a question of it waits for the person
}

// Bounds of a page.
const (
	usualPage = 50
	mostPage  = 200
)

// listConversations shows who asks their own conversations, the last first.
func (c *Chat) listConversations(w http.ResponseWriter, r *http.Request, p parley.Principal) error {
	limit, err := pageSize(r.URL.Query().Get("limit"))
	if err != nil {
		return err
	}
	all, err := c.rt.Conversations(r.Context(), p)
	if err != nil {
		return err
	}
	if cursor := r.URL.Query().Get("cursor"); cursor != "" {
		if all, err = behind(all, cursor); err != nil {
			return err
		}
	}
	waiting, err := c.waiting(r, p)
	if err != nil {
		return err
	}
	page := conversations{Conversations: []listed{}}
	for _, one := range all[:min(limit, len(all))] {
		page.Conversations = append(page.Conversations, listed{one.ID, one.Title, one.Agent, one.Created, one.Updated, waiting[one.ID]})
	}
	if len(all) > limit {
		page.NextCursor = cursorOf(all[limit-1])
	}
	reply(w, http.StatusOK, page)
	return nil
}

func pageSize(asked string) (int, error) {
	if asked == "" {
		return usualPage, nil
	}
	n, err := strconv.Atoi(asked)
	if err != nil || n < 1 || n > mostPage {
		return 0, bad("The limit is a number from 1 to " + strconv.Itoa(mostPage) + ".")
	}
	return n, nil
}

// A cursor is the place of a conversation in the list: what is said meanwhile in
// others moves nothing that comes behind it.
func cursorOf(one agent.Conversation) string {
	return strconv.FormatInt(one.Updated.UnixMilli(), 10) + "." + one.ID
}

func behind(all []agent.Conversation, cursor string) ([]agent.Conversation, error) {
	before, id, ok := strings.Cut(cursor, ".")
	at, err := strconv.ParseInt(before, 10, 64)
	if !ok || err != nil {
		return nil, bad("This is no cursor. Take nextCursor of the page before.")
	}
	for i, one := range all {
		if then := one.Updated.UnixMilli(); then < at || then == at && one.ID < id {
			return all[i:], nil
		}
	}
	return nil, nil
}

// waiting are the conversations of a person's in which a question waits, by one
// look at their newest questions.
func (c *Chat) waiting(r *http.Request, p parley.Principal) (map[string]bool, error) {
	if !p.IsPerson() {
		return nil, nil // nobody asks a program
	}
	open, err := c.hub.List(r.Context(), p, parley.Query{Pending: true, Newest: true, Limit: parley.MaxLimit})
	if err != nil {
		return nil, err
	}
	all := map[string]bool{}
	for _, q := range open {
		all[q.Session] = all[q.Session] || !q.OnlyTells()
	}
	return all, nil
}
