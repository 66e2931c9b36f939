package chat

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// errEnough ends the telling of a run before its end.
var errEnough = errors.New("enough was told")

// tries is how often in a row a store may fail before a stream gives up.
const tries = 5

// tell tells of every event of a run as it comes, until it has finished, or until
// there says that nobody is there who may be told. After each silence of a
// heartbeat it calls idle, unless that is nil. It returns the error of either, but
// for errEnough.
func (c *Chat) tell(ctx context.Context, f *agent.Follower, there func() error, each func(agent.Event) error, idle func() error) error {
	return c.tellWith(ctx, f, &panels{chat: c}, there, each, idle)
}

// tellWith is tell with the questions of others that a run waits for.
func (c *Chat) tellWith(ctx context.Context, f *agent.Follower, waits *panels, there func() error, each func(agent.Event) error, idle func() error) error {
	failed := 0
	eyes := onlooker{look: c.opts.Looking}
	defer waits.close()
	for {
		e, err := waits.next(ctx, f)
		if gone := there(); gone != nil {
			return gone
		}
		switch {
		case err == nil:
			failed = 0
			waits.note(ctx, e)
			err = each(e)
			eyes.see(ctx, e)
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, context.DeadlineExceeded):
			err = nil
			if idle != nil {
				err = idle()
			}
			eyes.still(ctx)
		case errors.Is(err, parley.ErrNotFound):
			return err
		default:
			if failed++; failed < tries && pause(ctx, time.Duration(failed)*200*time.Millisecond) {
				err = nil
			}
		}
		if errors.Is(err, errEnough) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// onlooker says that somebody sees the questions that a stream shows.
type onlooker struct {
	look  func(ctx context.Context, p parley.Principal, session string)
	shown map[parley.ID]parley.Request
	last  time.Time
}

// lookEvery is how often it says so, at most.
const lookEvery = 10 * time.Second

func (o *onlooker) see(ctx context.Context, e agent.Event) {
	if o.look == nil {
		return
	}
	switch {
	case e.Type == agent.Asked && e.Question != nil:
		if o.shown == nil {
			o.shown = map[parley.ID]parley.Request{}
		}
		o.shown[e.Question.ID], o.last = *e.Question, time.Time{}
	case e.Type == agent.Answered && e.Question != nil:
		delete(o.shown, e.Question.ID)
	}
	o.still(ctx)
}

func (o *onlooker) still(ctx context.Context) {
	if len(o.shown) == 0 || time.Since(o.last) < lookEvery {
		return
	}
	o.last = time.Now()
	said := map[string]bool{}
	for _, q := range o.shown {
		if q.Session != "" && !said[q.Session] {
			said[q.Session] = true
			o.look(ctx, parley.OwnerOf(q.Tenant, q.To), q.Session)
		}
	}
}

func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// joiner makes one text of the texts of a run, with an empty line in between.
type joiner struct {
	said bool
	gap  bool
}

// add returns what an event adds to the text.
func (j *joiner) add(e agent.Event) string {
	switch {
	case e.Type == agent.TextStarted:
		j.gap = j.said
	case e.Type == agent.TextDelta && e.Text != "":
		text := e.Text
		if j.gap {
			text = "\n\n" + text
		}
		j.said, j.gap = true, false
		return text
	}
	return ""
}

// note returns what a sentence that the agent did not say adds to the text.
func (j *joiner) note(text string) string {
	if j.said {
		text = "\n\n" + text
	}
	j.said, j.gap = true, false
	return text
}

// remark is a sentence for the person that the agent did not say. That of a delegate
// is about what it told the agent, not about the answer, and says so.
func remark(e agent.Event) string {
	if e.Agent != "" {
		return e.Agent + ": " + e.Text
	}
	return e.Text
}

// goneText says that the tools of a server are missing in a turn. It does not say why: that
// may name hosts and keys.
func goneText(e agent.Event) string {
	return "The tools of " + e.Service() + " are not available just now. The answer comes without them."
}

// Reply is a run told whole.
type Reply struct {
	Text      string           // all that the agent said
	Notes     []string         // what the person should know besides, such as that the agent said nothing
	Cut       agent.Cut        // why the text is not all that the agent would have said
	Reason    agent.Reason     // why the run finished
	Failure   string           // a sentence for the person, if it failed
	Questions []parley.Request // what it asked, or would have asked; the last word on each
	Withheld  []agent.Event    // what it would have asked
	Content   []agent.Event    // results that have more than text
	Last      agent.EventType  // how its own last call ended; empty: it has made none
}

// Lost reports whether the run's own last call failed, or was refused: an agent that
// relays (agent.Agent.Relays) has failed with it.
func (r *Reply) Lost() bool { return r.Last == agent.Failed || r.Last == agent.Refused }

// Collect reads a run to its end.
func Collect(ctx context.Context, f *agent.Follower) (Reply, error) {
	var tale Tale
	for {
		e, err := f.Next(ctx)
		if errors.Is(err, io.EOF) {
			return tale.Reply(), nil
		}
		if err != nil {
			return tale.Reply(), err
		}
		tale.Take(e)
	}
}

// Tale is a run as far as it was told, event by event. The zero value is one that has
// not begun. It is for one goroutine.
type Tale struct {
	reply  Reply
	text   strings.Builder
	joiner joiner
}

// Take takes the next event, and returns what it adds to the text.
func (t *Tale) Take(e agent.Event) (text string) {
	text = t.joiner.add(e)
	t.text.WriteString(text)
	if e.Agent == "" && (e.Type == agent.Succeeded || e.Type == agent.Failed || e.Type == agent.Refused) {
		t.reply.Last = e.Type
	}
	switch e.Type {
	case agent.Asked, agent.Answered, agent.Withheld:
		t.reply.note(*e.Question)
		if e.Type == agent.Withheld {
			t.reply.Withheld = append(t.reply.Withheld, e)
		}
	case agent.Succeeded, agent.Failed:
		if e.Result != nil && len(e.Result.Content) > 0 {
			t.reply.Content = append(t.reply.Content, e)
		}
	case agent.Noted:
		t.reply.Notes = append(t.reply.Notes, remark(e))
	case agent.ToolsGone:
		if said := goneText(e); !slices.Contains(t.reply.Notes, said) {
			t.reply.Notes = append(t.reply.Notes, said)
		}
	case agent.Finished:
		t.reply.Reason, t.reply.Cut = e.Reason, e.Cut
		if failed(e) {
			t.reply.Failure = failureText(e)
		}
	}
	return text
}

// Lost is Reply.Lost, so far.
func (t *Tale) Lost() bool { return t.reply.Lost() }

// Reply is what was told so far. Its Reason is agent.Undecided while the run has not
// finished.
func (t *Tale) Reply() Reply {
	reply := t.reply
	reply.Text = t.text.String()
	return reply
}

// Told is the text with the notes below it.
func (r Reply) Told() string {
	return strings.TrimSpace(strings.Join(append([]string{r.Text}, r.Notes...), "\n\n"))
}

func (r *Reply) note(q parley.Request) {
	for i := range r.Questions {
		if r.Questions[i].ID == q.ID {
			r.Questions[i] = q
			return
		}
	}
	r.Questions = append(r.Questions, q)
}

// failed reports whether a run did not come to the end that it should have.
func failed(e agent.Event) bool { return e.Reason == agent.Broken || e.Reason == agent.TooLong }

func failureText(e agent.Event) string {
	if e.Text != "" {
		return e.Text
	}
	return "Something went wrong. Try again in a moment."
}
