package agent

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/parley-hq/parley"
)

// defaultHistory is how much of the earlier turns a model is given, in bytes:
// about thirty thousand tokens.
const defaultHistory = 128 << 10

// mostTurns is how many earlier turns are read for a prompt, however short.
const mostTurns = 100

// ErrPromptTooLong is in the errors of models whose server finds a prompt longer
// than it takes. They are asked again with less of the conversation.
var ErrPromptTooLong = errors.New("the conversation is too long for the model")

// CodeTooLong is the code of a run that failed because its conversation has become
// too long: another one has to be begun.
const CodeTooLong = "conversation_too_long"

// codeOf is by which surfaces tell a failure from others; mostly none.
func codeOf(err error) string {
	if errors.Is(err, ErrPromptTooLong) {
		return CodeTooLong
	}
	return ""
}

// leftOut tells a model that it does not see all.
const leftOut = "(The beginning of this conversation is left out, because it has become long.)"

// A conversation that has become longer than its agent's budget has a record that
// says up to which run it is left out, so that no more is read than is used. It
// moves on by a quarter of the budget at a time: servers of models keep the
// beginning of a prompt that stays the same.
const historyKind = "run_history"

func historyAddress(ref Ref, agent string) parley.Address {
	return parley.Address{Tenant: ref.Tenant, Kind: historyKind, Key: ref.prefix() + agent}
}

// history is what a model is given of the earlier turns.
type history struct {
	turns []earlier // oldest first
	short bool      // there are others before them
}

// earlier is a turn before the current one.
type earlier struct {
	run      string
	messages []PromptMessage
	size     int
}

func (h *history) size() (n int) {
	for _, one := range h.turns {
		n += one.size
	}
	return n
}

// shorten leaves out the oldest turns until the others are no longer than that. It
// returns the last that is left out.
func (h *history) shorten(to int) (upTo string) {
	for n := h.size(); len(h.turns) > 0 && n > to; {
		n -= h.turns[0].size
		upTo, h.turns, h.short = h.turns[0].run, h.turns[1:], true
	}
	return upTo
}

// messages is the history as models see it.
func (h *history) messages() []PromptMessage {
	var all []PromptMessage
	if h.short {
		all = append(all, PromptMessage{Role: FromUser, Text: leftOut})
	}
	for _, one := range h.turns {
		all = append(all, one.messages...)
	}
	return all
}

// recall reads the earlier turns, once while the run is driven.
func (d *driver) recall(ctx context.Context) (*history, error) {
	if d.past != nil {
		return d.past, nil
	}
	at, err := d.rt.bookmark(ctx, d.run.Ref, d.run.Agent)
	if err != nil {
		return nil, err
	}
	h := &history{short: at.Run != ""}
	err = d.rt.scanBefore(ctx, d.run.Ref, at.Run, d.run.Ref.Run, func(r *Run) bool {
		one := earlier{run: r.Ref.Run, messages: r.messages()}
		for _, m := range one.messages {
			one.size += m.size()
		}
		h.turns = append(h.turns, one)
		return true
	})
	if err != nil {
		return nil, err
	}
	budget := d.agent.History
	if budget == 0 {
		budget = defaultHistory
	}
	upTo := ""
	if budget > 0 && h.size() > budget {
		upTo = h.shorten(budget - budget/4)
	}
	if over := len(h.turns) - mostTurns; over > 0 {
		over += mostTurns / 4
		upTo, h.turns, h.short = h.turns[over-1].run, h.turns[over:], true
	}
	d.leaveOut(ctx, at, upTo)
	d.past = h
	return h, nil
}

// leaveOut notes up to which run a conversation is left out. That it could not be
// noted costs the next turn some reading.
func (d *driver) leaveOut(ctx context.Context, at bookmark, upTo string) {
	if upTo <= at.Run {
		return
	}
	at.Run = upTo
	if err := d.rt.saveBookmark(ctx, d.run.Ref, d.run.Agent, at); err != nil && ctx.Err() == nil {
		d.rt.opts.Logger.WarnContext(ctx, "history bookmark not saved", "run", d.run.Ref.Run, "err", err)
	}
}

// bookmark is up to which run a conversation is left out.
type bookmark struct {
	Run     string `json:"run"`
	version int64
}

func (rt *Runtime) bookmark(ctx context.Context, ref Ref, agent string) (b bookmark, err error) {
	record, err := rt.records.Load(ctx, historyAddress(ref, agent))
	if errors.Is(err, parley.ErrNotFound) {
		return b, nil
	}
	if err == nil {
		err = json.Unmarshal(record.Data, &b)
		b.version = record.Version
	}
	return b, err
}

func (rt *Runtime) saveBookmark(ctx context.Context, ref Ref, agent string, b bookmark) error {
	data, err := json.Marshal(b)
	if err != nil {
		return err
	}
	record := parley.Record{Address: historyAddress(ref, agent), Owner: ref.User, Data: data, Version: b.version}
	if rt.opts.Keep > 0 {
		record.Expires = time.Now().Add(rt.opts.Keep).UTC().Truncate(time.Millisecond)
	}
	_, err = rt.records.Save(ctx, record)
	if parley.Overtaken(err) {
		return nil // another turn has moved it
	}
	return err
}

// size is how long a message is, about.
func (t PromptMessage) size() int {
	n := len(t.Text)
	for _, c := range t.Calls {
		n += len(c.Tool) + len(c.Args)
	}
	for _, r := range t.Results {
		n += len(r.Text)
		for _, c := range r.Content {
			if c.Kind == Image {
				n += imageSize
			}
		}
	}
	return max(n, len(t.Native))
}

// longestResult is what is left of a call's result where the current turn alone is
// too long for the model.
const longestResult = 4 << 10

// shortened is a prompt of which less is left, after a model found it too long: half
// of the earlier turns, then none, then shorter results of the current one. It
// reports false when there is nothing left to leave out.
func (d *driver) shortened(ctx context.Context, p *Prompt) (bool, error) {
	h, err := d.recall(ctx)
	if err != nil {
		return false, err
	}
	if len(h.turns) > 0 {
		at, err := d.rt.bookmark(ctx, d.run.Ref, d.run.Agent)
		if err != nil {
			return false, err
		}
		upTo := h.shorten(h.size() / 2)
		if upTo == "" { // turns in which nothing was said
			upTo, h.turns, h.short = h.turns[len(h.turns)-1].run, nil, true
		}
		d.leaveOut(ctx, at, upTo)
		p.Messages = append(h.messages(), d.run.messages()...)
		return true, d.withImages(ctx, p.Messages)
	}
	if p.HasImages() {
		*p = p.WithoutImages("Its images are not shown, because the conversation has become too long.")
		return true, nil
	}
	some := false
	for i := range p.Messages {
		for k := range p.Messages[i].Results {
			r := &p.Messages[i].Results[k]
			if len(r.Text) > longestResult {
				r.Text, some = clip(r.Text, longestResult)+"\n(The rest of this result is left out, because the conversation has become too long.)", true
			}
		}
	}
	return some, nil
}

// clip is the beginning of a text, of whole characters.
func clip(text string, n int) string {
	for n > 0 && text[n]&0xc0 == 0x80 {
		n--
	}
	return text[:n]
}
