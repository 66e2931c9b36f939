package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/parley-hq/parley"
)

// Conversation is one of a person's, as lists show it.
type Conversation struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"` // the first words of its first message
	Agent   string    `json:"agent"` // that was spoken to last
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"` // when something was last said, to within a minute
}

// A conversation that is to be found again has a record of its own, so that a list
// reads no runs. It is written before the first run of it, and when something is said
// in it, once a minute at most.
const conversationKind = "conversation"

const (
	noteEvery         = time.Minute
	mostNoted         = 4096 // conversations of which this process knows when they were noted
	mostConversations = 5000 // that are read for one list
	longestTitle      = 80   // characters
)

func conversationAddress(ref Ref) parley.Address {
	return parley.Address{Tenant: ref.Tenant, Kind: conversationKind, Key: url.PathEscape(ref.User) + "/" + url.PathEscape(ref.Conversation)}
}

// Conversations returns those of p's in which something was said with Message.List,
// the last one first. Of more than 5,000 some are left out. ErrNoPerson.
func (rt *Runtime) Conversations(ctx context.Context, p parley.Principal) ([]Conversation, error) {
	ref, err := refOf(p, "")
	if err != nil {
		return nil, err
	}
	var all []Conversation
	for record, err := range parley.Each(ctx, rt.records, conversationAddress(ref), "") {
		if err != nil {
			return nil, err
		}
		var c Conversation
		if err := json.Unmarshal(record.Data, &c); err != nil {
			return nil, fmt.Errorf("conversation %s: %w", record.Key, err)
		}
		if all = append(all, c); len(all) == mostConversations {
			break
		}
	}
	slices.SortFunc(all, func(a, b Conversation) int {
		return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(b.ID, a.ID))
	})
	return all, nil
}

// noteConversation writes down that something is said in a conversation. A turn does
// not fail because that was not possible: the next one says it again.
func (rt *Runtime) noteConversation(ctx context.Context, ref Ref, m Message) {
	ref.Run = ""
	at := time.Now().UTC().Truncate(time.Millisecond)
	if !rt.noted.due(ref, m.Agent, at) {
		return
	}
	c := Conversation{ID: m.Conversation, Title: firstWords(m.Text), Agent: m.Agent, Created: at, Updated: at}
	record := parley.Record{Address: conversationAddress(ref), Owner: ref.User}
	if rt.opts.Keep > 0 { // as long as its newest run, if nobody lets that wait
		record.Expires = at.Add(rt.opts.Keep + rt.ttl(m))
	}
	err := rt.saveConversation(ctx, record, c)
	if errors.Is(err, parley.ErrExists) {
		_, err = parley.Update(ctx, rt.records, record.Address, func(r *parley.Record) (bool, error) {
			var known Conversation
			if r.Version != 0 {
				if err := json.Unmarshal(r.Data, &known); err != nil {
					return false, err
				}
				c.Title, c.Created = known.Title, known.Created
			}
			var err error
			r.Owner, r.Expires = record.Owner, record.Expires
			r.Data, err = json.Marshal(c)
			return true, err
		})
	}
	if err != nil {
		rt.noted.forget(ref)
		rt.opts.Logger.WarnContext(ctx, "conversation not listed", "err", err)
	}
}

func (rt *Runtime) saveConversation(ctx context.Context, record parley.Record, c Conversation) error {
	var err error
	if record.Data, err = json.Marshal(c); err != nil {
		return err
	}
	_, err = rt.records.Save(ctx, record)
	return err
}

// firstWords are the first words of a text, on one line.
func firstWords(text string) string {
	if len(text) > 4*longestTitle { // of a long text, enough
		text = strings.ToValidUTF8(text[:4*longestTitle], "")
	}
	words := []rune(strings.Join(strings.Fields(text), " "))
	if len(words) <= longestTitle {
		return string(words)
	}
	cut := string(words[:longestTitle-1])
	if at := strings.LastIndexByte(cut, ' '); at > len(cut)/2 {
		cut = cut[:at]
	}
	return cut + "…"
}

// noted is which conversations this process has written down lately.
type noted struct {
	mu  sync.Mutex
	all map[Ref]note
}

type note struct {
	agent string
	at    time.Time
}

// due reports whether a conversation is to be written down, and takes it that it is.
func (n *noted) due(ref Ref, agent string, now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if last, ok := n.all[ref]; ok && last.agent == agent && now.Sub(last.at) < noteEvery {
		return false
	}
	if n.all == nil || len(n.all) >= mostNoted {
		n.all = map[Ref]note{}
	}
	n.all[ref] = note{agent, now}
	return true
}

func (n *noted) forget(ref Ref) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.all, ref)
}
