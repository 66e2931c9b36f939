package slackapp

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// reply is what is said in a thread of one run.
type reply struct {
	Place     place  `json:"place"`
	Recipient string `json:"recipient"` // whom it answers
	Tenant    string `json:"tenant"`
	User      string `json:"user"`
	Run       string `json:"run"`
	Posts     []post `json:"posts,omitempty"` // messages, in their order
}

// post is one message of a reply. It is written down before it is sent, and again with its
// ts: whoever goes on after a death looks for one that has none.
type post struct {
	Key    string    `json:"key"` // of the run's text, and which part of it
	Began  time.Time `json:"began"`
	TS     string    `json:"ts,omitempty"`
	Stream bool      `json:"stream,omitempty"` // it is being written (chat.startStream)
	Done   bool      `json:"done,omitempty"`   // it has all of its text
}

// Times of replies.
const (
	replyTime   = 30 * 24 * time.Hour // as long as runs are remembered
	writeEvery  = time.Second         // a message is changed so often at most
	quietTime   = 5 * time.Second     // without a word, while the run waits for somebody
	waitingLook = time.Minute         // how often a run that waits is looked at, unless its question is settled here
)

// tell tells a run in its thread, from where the record says. It returns when to look
// again, while the run waits for somebody; zero: it is told.
func (a *App) tell(ctx context.Context, h *held) (again time.Time, err error) {
	r := h.state().Reply
	who := parley.Principal{Tenant: r.Tenant, User: r.User, Method: Via}
	if err := a.stillTheirs(ctx, r); errors.Is(err, ErrNotLinked) {
		return time.Time{}, nil
	} else if err != nil {
		return time.Time{}, err
	}
	run, err := a.runs.Find(ctx, who, r.Place.conversation(), r.Run)
	if errors.Is(err, parley.ErrNotFound) {
		return time.Time{}, nil // it was forgotten
	}
	if err != nil {
		return time.Time{}, err
	}
	t := &teller{scribe: a.newScribe(h), texts: map[string]*strings.Builder{}, open: map[parley.ID]bool{}}
	f := a.runs.Follow(who, run.Ref)
	defer f.Close()
	for {
		e, err := t.next(ctx, f)
		switch {
		case errors.Is(err, errQuiet):
			waits := t.waits()
			if err := t.flush(ctx, waits); errors.Is(err, ErrNotLinked) {
				return time.Time{}, nil
			} else if err != nil {
				return time.Time{}, err
			}
			if waits {
				a.parked.add(h.key, t.questions())
				return now().Add(waitingLook), nil
			}
			continue
		case errors.Is(err, io.EOF):
			return time.Time{}, nil
		case err != nil:
			return time.Time{}, err
		}
		if err := t.tell(ctx, e); errors.Is(err, ErrNotLinked) {
			return time.Time{}, nil
		} else if err != nil {
			return time.Time{}, err
		}
	}
}

// stillTheirs reports whether whom a reply is for is still who they were: nothing more is
// said to somebody who is unlinked. ErrNotLinked.
func (a *App) stillTheirs(ctx context.Context, r *reply) error {
	who, err := a.person(ctx, r.Place.Team, r.Recipient)
	if err == nil && (who.Tenant != r.Tenant || who.User != r.User) {
		return ErrNotLinked
	}
	return err
}

// teller turns what happens in a run into messages.
type teller struct {
	*scribe
	texts   map[string]*strings.Builder
	current string             // the text that is being written
	written time.Time          // when that was sent last
	heard   time.Time          // when something happened last
	open    map[parley.ID]bool // questions that somebody is asked
}

// errQuiet says that nothing has happened, and that it is time to write.
var errQuiet = errors.New("nothing has happened")

// next is the next event, or errQuiet when what was said is to be written down.
func (t *teller) next(ctx context.Context, f *agent.Follower) (agent.Event, error) {
	waiting, stop := context.WithTimeout(ctx, writeEvery)
	defer stop()
	e, err := f.Next(waiting)
	if err != nil && !errors.Is(err, io.EOF) && waiting.Err() != nil && ctx.Err() == nil {
		return e, errQuiet
	}
	t.heard = time.Now()
	return e, err
}

// waits reports whether the run waits for somebody, and has for a moment.
func (t *teller) waits() bool { return len(t.open) > 0 && time.Since(t.heard) > quietTime }

func (t *teller) questions() (all []parley.ID) {
	for id := range t.open {
		all = append(all, id)
	}
	return all
}

// tell tells of one event.
func (t *teller) tell(ctx context.Context, e agent.Event) error {
	switch e.Type {
	case agent.TextStarted:
		t.current = e.ID
		t.texts[e.ID] = &strings.Builder{}
	case agent.TextDelta:
		if t.texts[e.ID] == nil {
			t.texts[e.ID] = &strings.Builder{}
		}
		t.current = e.ID
		t.texts[e.ID].WriteString(e.Text)
		if time.Since(t.written) >= writeEvery {
			return t.flush(ctx, false)
		}
	case agent.TextFinished:
		return t.flush(ctx, true)
	case agent.Asked:
		if e.Question != nil {
			t.open[e.Question.ID] = true
		}
		return t.flush(ctx, true)
	case agent.Answered, agent.Withheld:
		if e.Question != nil {
			delete(t.open, e.Question.ID)
		}
	case agent.Noted:
		return t.remark(ctx, "noted-"+e.ID, e.Text)
	case agent.Finished:
		if err := t.flush(ctx, true); err != nil {
			return err
		}
		return t.finish(ctx, e)
	}
	return nil
}

// flush writes down what was said of the current text; whole: nothing follows.
func (t *teller) flush(ctx context.Context, whole bool) error {
	text := t.texts[t.current]
	if t.current == "" || text == nil || strings.TrimSpace(text.String()) == "" {
		return nil
	}
	t.written = time.Now()
	err := t.write(ctx, t.current, text.String(), whole)
	if whole {
		t.current = ""
	}
	return err
}

// finish says how a run ended, unless its last words do.
func (t *teller) finish(ctx context.Context, e agent.Event) error {
	switch e.Reason {
	case agent.Stopped:
		return t.remark(ctx, "finished", "Stopped. What was done until then is done.")
	case agent.Broken, agent.TooLong:
		text := e.Text
		if text == "" {
			text = "Something went wrong here. Try again in a moment."
		}
		return t.remark(ctx, "finished", text)
	}
	return nil
}

// remark says something that the agent did not say.
func (t *teller) remark(ctx context.Context, key, text string) error {
	return t.write(ctx, key, "_"+strings.TrimSpace(text)+"_", true)
}

// partBytes is how long a message is at most; longer texts are several.
const partBytes = 3000

// parts cuts a text into messages. What is added to a text later changes only the last.
func parts(text string) (all []string) {
	for len(text) > partBytes {
		at := strings.LastIndexByte(text[:partBytes], '\n')
		if at < partBytes/2 {
			at = strings.LastIndexByte(text[:partBytes], ' ')
		}
		if at < partBytes/2 {
			at = partBytes
			for at > 0 && text[at]&0xC0 == 0x80 { // within a character
				at--
			}
		}
		all = append(all, text[:at])
		text = text[at:]
	}
	return append(all, text)
}
