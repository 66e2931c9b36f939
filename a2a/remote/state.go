package remote

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// state is how far a call is. It is written down before anything is sent, so that
// whoever goes on with the call does so with the same task.
type state struct {
	URL  string `json:"url"`            // where the task is
	Door string `json:"door,omitempty"` // Options.Door
	// Admitted says that what allowed the task is used up.
	Admitted bool `json:"admitted,omitempty"`
	// Refused is how often the agent refused the credential of a task that was allowed,
	// which is then allowed anew; Journal is what Options.Leave has to know of that.
	Refused int             `json:"refused,omitempty"`
	Journal json.RawMessage `json:"journal,omitempty"`
	Task    a2a.TaskID      `json:"task,omitempty"`
	Context string          `json:"context,omitempty"`
	Letters int             `json:"letters"`        // how many messages were begun
	Sent    *letter         `json:"sent,omitempty"` // of which it is not known whether it arrived
	Rounds  int             `json:"rounds,omitempty"`
	Asked   []asked         `json:"asked,omitempty"` // what the person was asked since the last answer
}

// letter is a message on its way.
type letter struct {
	ID    string    `json:"id"`
	At    time.Time `json:"at"`
	Tries int       `json:"tries,omitempty"`
	Keys  []string  `json:"keys,omitempty"` // of what it answers
}

func (l *letter) keys() []string {
	if l == nil {
		return nil
	}
	return l.Keys
}

// asked is a question of the agent's that the person was asked.
type asked struct {
	Key  string    `json:"key"` // in the call
	ID   parley.ID `json:"id"`  // ours: the other side's ids stay there
	Kind kind      `json:"kind"`
	What subject   `json:"what"`
	Told bool      `json:"told,omitempty"` // the agent has the answer, and goes on by itself or not
	// Said is how the question ended, of one that the agent was told of.
	Said parley.Action `json:"said,omitempty"`
	// Seen is a digest of the status to which the answer was told: an agent that has
	// another one since then, with the same question, asks again.
	Seen string `json:"seen,omitempty"`
}

// subject is what a question is about, at the other side.
type subject struct {
	Elicitation string `json:"elicitation,omitempty"` // its id there, by the extension
	Shown       string `json:"shown,omitempty"`       // and a digest of what people are shown of it
	Status      string `json:"status,omitempty"`      // otherwise: a digest of the status that asks
	Words       string `json:"words,omitempty"`       // and one of its words alone: agents say them again in another message
}

// inWords is what a status asks that has nothing of the extension.
func inWords(s a2a.TaskStatus) subject {
	subject := subject{Status: digest(s)}
	if m := s.Message; m != nil {
		s.Message = &a2a.Message{Parts: m.Parts}
		subject.Words = digest(s)
	}
	return subject
}

// same reports whether two questions are one at the other side, whatever it says.
func (s subject) same(as subject) bool {
	return s.Elicitation == as.Elicitation && (s.Status == as.Status || s.Words != "" && s.Words == as.Words)
}

// covers reports whether an answer to s is one to now: it is the same question, and says
// the same. What is asked in the same words once more, in another message, is asked again.
func (s subject) covers(now subject) bool {
	return s.Elicitation == now.Elicitation && s.Status == now.Status && (s.Shown == "" || s.Shown == now.Shown)
}

// kind is how a question is answered.
type kind string

const (
	byForm kind = "form" // by data, of the extension
	byText kind = "text" // by one text
	byURL  kind = "url"  // by going somewhere
	byPage kind = "page" // by what happens where the person goes, and not by a message
	byWord kind = "done" // by the word that it is done
)

// visits reports whether the agent may go on by itself, for what the person did
// elsewhere.
func (k kind) visits() bool { return k == byURL || k == byPage || k == byWord }

// readState is how far a call is. What was not begun here, or was only allowed, is begun
// as the agent is now.
func (r *Remote) readState(c *agent.Invocation) (s state, err error) {
	if len(c.State) > 0 {
		err = json.Unmarshal(c.State, &s)
	}
	if s.URL == "" {
		s.URL, s.Door = r.opts.URL, r.opts.Door
	}
	return s, err
}

// begun reports whether a message of the call may have arrived.
func (s state) begun() bool { return s.Task != "" || s.Sent != nil }

// keep writes down how far the call is.
func (t *talk) keep(ctx context.Context) error {
	raw, err := json.Marshal(t.state)
	if err != nil {
		return err
	}
	return t.call.Keep(ctx, raw)
}

// messageID is the id of the nth message of a call: the same whoever sends it. It says
// nothing of our own ids.
func messageID(call string, n int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", call, n))
	return base64.RawURLEncoding.EncodeToString(sum[:18])
}

// digest tells a status from others: by its state and its message.
func digest(s a2a.TaskStatus) string {
	hash := sha256.New()
	fmt.Fprintf(hash, "%s\x00", s.State)
	if s.Message != nil {
		parts, _ := json.Marshal(s.Message.Parts)
		fmt.Fprintf(hash, "%s\x00%s", s.Message.ID, parts)
	}
	return base64.RawURLEncoding.EncodeToString(hash.Sum(nil)[:18])
}

// interrupted reports whether a task waits for somebody.
func interrupted(s a2a.TaskState) bool {
	return s == a2a.TaskStateInputRequired || s == a2a.TaskStateAuthRequired
}
