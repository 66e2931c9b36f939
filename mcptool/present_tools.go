package mcptool

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/parley-hq/parley"
)

// presentedKind is the kind of the records that say which call a question was
// presented in, for clients that cannot ask. A question of our own says so
// itself.
const presentedKind = "mcp.presented"

// link is which call presented a question.
type link struct {
	Call    string `json:"call"` // the key of its journal
	Session string `json:"session,omitempty"`
}

// linkToCall writes down which call goes on when the question is answered.
func (p *presented) linkToCall(ctx context.Context) error {
	r := p.run
	r.mu.Lock()
	to, expires := link{Call: r.page.record.Key, Session: r.client.session}, r.page.record.Expires
	r.mu.Unlock()
	data, err := json.Marshal(to)
	if err != nil {
		return err
	}
	record := parley.Record{Address: presentedAt(r.who, p.opened.ID), Owner: r.who.User, Data: data, Expires: expires}
	_, err = parley.Put(ctx, r.asker.records, record) // the newest call that shows it goes on
	return err
}

func presentedAt(who parley.Principal, id parley.ID) parley.Address {
	return parley.Address{Tenant: who.Tenant, Kind: presentedKind, Key: string(id)}
}

// asPresented is a question with the call that it was presented in to this person,
// and for a model's answer in this session; known is false where it was not.
func (at *attached) asPresented(ctx context.Context, r *run, opened parley.Request, tool string) (_ parley.Request, known bool, err error) {
	record, err := at.asker.records.Load(ctx, presentedAt(r.who, opened.ID))
	if errors.Is(err, parley.ErrNotFound) {
		return opened, false, nil
	}
	var to link
	if err == nil {
		err = json.Unmarshal(record.Data, &to)
	}
	if err != nil || record.Owner != r.who.User || to.Session != r.client.session && tool == sendTool {
		return opened, false, err
	}
	opened = at.asker.named(opened)
	if opened.Labels == nil {
		opened.Labels = map[string]string{}
	}
	opened.Labels[callLabel] = to.Call
	return opened, true, nil
}
