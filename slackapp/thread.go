package slackapp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// happened acts on an event. It returns when to look again; zero: it is done.
func (a *App) happened(ctx context.Context, h *held) (again time.Time, err error) {
	if m, ok := messageOf(h.state().Body); ok {
		return a.said(ctx, h, m)
	}
	var e envelope
	var in inner
	if json.Unmarshal(h.state().Body, &e) != nil || json.Unmarshal(e.Event, &in) != nil {
		return time.Time{}, nil
	}
	if in.uninstalls() {
		return time.Time{}, a.uninstalled(ctx, e.Team, time.Unix(e.Time, 0))
	}
	if user, ok := in.deactivated(); ok {
		a.members.forget(account{e.Team, user})
		return time.Time{}, a.unlink(ctx, e.Team, user, bySlack(deactivated))
	}
	return time.Time{}, nil
}

// said acts on a message: of somebody who is known it starts a run, others are asked who
// they are.
func (a *App) said(ctx context.Context, h *held, m message) (again time.Time, err error) {
	w, err := a.workspace(ctx, m.Team)
	if errors.Is(err, ErrNoWorkspace) || err == nil && m.User == w.Bot {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	text := plain(m.Text, w.Bot)
	command := strings.ToLower(strings.Trim(text, " .!"))
	who, err := a.person(ctx, m.Team, m.User)
	switch {
	case errors.Is(err, ErrNotLinked) && (command == "stop" || command == "unlink"): // later it would mean something else
		return time.Time{}, a.answer(ctx, m, "Your Slack account is not linked to anybody here, so there is nothing to end.")
	case errors.Is(err, ErrNotLinked):
		return a.askWho(ctx, h, m)
	case err != nil:
		return time.Time{}, err
	}
	switch command {
	case "":
		return time.Time{}, a.answer(ctx, m, m.howTo())
	case "stop":
		return time.Time{}, a.stopped(ctx, m, who)
	case "unlink":
		if err := a.unlink(ctx, m.Team, m.User, byPerson(who)); err != nil {
			return time.Time{}, err
		}
		return time.Time{}, a.answer(ctx, m, "Your Slack account is no longer linked. I do nothing for you here until you link it again.")
	}
	return a.start(ctx, h, m, who, text)
}

// linkLook is how often a message is looked at whose author is not known yet. Who links
// their account in this process's sight does not wait for it.
const linkLook = 5 * time.Second

// askWho asks the author of a message to link their account, once; the message waits.
func (a *App) askWho(ctx context.Context, h *held, m message) (again time.Time, err error) {
	if h.state().Asked {
		if time.Since(h.state().Came) > wishTime {
			return time.Time{}, nil
		}
		return now().Add(linkLook), nil
	}
	url, err := a.wish(ctx, account{m.Team, m.User})
	if errors.Is(err, errForeign) {
		return time.Time{}, a.answer(ctx, m, "You are not a member of this workspace, so I cannot do anything for you here.")
	}
	if err != nil {
		return time.Time{}, err
	}
	const text = "I do not know who you are yet. Link your Slack account to go on: your message waits for 15 minutes. The link is for you alone."
	button := slack.NewButtonBlockElement(linkAction, "", slack.NewTextBlockObject(slack.PlainTextType, "Link your account", false, false)).WithURL(url).WithStyle(slack.StylePrimary)
	if err := a.answerWith(ctx, m, text, slack.NewActionBlock("", button)); err != nil {
		return time.Time{}, err
	}
	if err := h.keep(ctx, func(j *job) { j.Asked = true }); err != nil {
		return time.Time{}, err
	}
	if _, err := a.linked(ctx, m.Team, m.User); err == nil { // who was faster could not know that this waits
		return now(), nil
	}
	return now().Add(linkLook), nil
}

// answer says something to the author of a message, and to nobody else.
func (a *App) answer(ctx context.Context, m message, text string) error {
	return a.answerWith(ctx, m, text)
}

func (a *App) answerWith(ctx context.Context, m message, text string, more ...slack.Block) error {
	api, err := a.client(ctx, m.Team)
	if err != nil {
		return err
	}
	opts := []slack.MsgOption{slack.MsgOptionText(text, true), slack.MsgOptionDisableLinkUnfurl()}
	if len(more) > 0 {
		section := slack.NewSectionBlock(slack.NewTextBlockObject(slack.PlainTextType, text, false, false), nil, nil)
		opts = append(opts, slack.MsgOptionBlocks(append([]slack.Block{section}, more...)...))
	}
	if m.Thread != m.TS || m.Direct {
		opts = append(opts, slack.MsgOptionTS(m.Thread))
	}
	if m.Direct {
		_, _, err = api.PostMessageContext(ctx, m.Channel, opts...)
	} else {
		_, err = api.PostEphemeralContext(ctx, m.Channel, m.User, opts...)
	}
	return err
}

// agentOf is who answers in a channel.
func (a *App) agentOf(channel string) string { return cmp.Or(a.opts.Channels[channel], a.opts.Agent) }

// patienceForRoom is how long a message waits for other turns to end before its author is
// told.
const patienceForRoom = 30 * time.Second

// start starts the run of a message, and the job that tells it. The same message twice
// starts one.
func (a *App) start(ctx context.Context, h *held, m message, who parley.Principal, text string) (again time.Time, err error) {
	name := a.agentOf(m.Channel)
	if name == "" {
		return time.Time{}, a.answer(ctx, m, "No agent answers here. Tell the administrator.")
	}
	at := m.place()
	if err := a.keepThread(ctx, at, who); err != nil {
		return time.Time{}, err
	}
	ref, err := a.runs.Start(ctx, who, agent.Message{
		Agent: name, Conversation: at.conversation(), ID: "slack-" + m.Channel + "-" + m.TS, Text: text, CanAsk: true, List: true,
	})
	var busy *agent.BusyError
	switch {
	case errors.As(err, &busy) && time.Since(h.state().Came) < patienceForRoom:
		return now().Add(busy.After), nil
	case err != nil:
		if said := refusalOf(err); said != "" {
			return time.Time{}, a.answer(ctx, m, said)
		}
		return time.Time{}, err
	}
	err = a.accept(ctx, replyJobs+ref.Run, job{Kind: replyJob, Ends: now().Add(replyTime), Reply: &reply{
		Place: at, Recipient: m.User, Tenant: who.Tenant, User: who.User, Run: ref.Run,
	}})
	if err == nil && m.Files {
		err = a.answer(ctx, m, "I read text only: what you attached was not read.")
	}
	return time.Time{}, err
}

// replyJobs is what the keys of replies begin with.
const replyJobs = "reply/"

// howTo is what the author of a message without a word is told.
func (m message) howTo() string {
	switch {
	case m.Files:
		return "I read text only: what you attached was not read. Write what you want."
	case m.Direct:
		return "Write what you want."
	}
	return "Write what you want after my name."
}

// refusalOf is what a person is told of a message that cannot be taken; empty: it is tried
// again.
func refusalOf(err error) string {
	var busy *agent.BusyError
	switch {
	case errors.As(err, &busy) && busy.Whose == agent.ThePersons:
		return "You have as many turns going on as you may have at once. Wait for one to end, then write again."
	case errors.As(err, &busy):
		return "As many turns are going on here as can be at once. Write again in a moment."
	case errors.Is(err, agent.ErrUnknownAgent):
		return "The agent of this channel does not exist. Tell the administrator."
	case errors.Is(err, parley.ErrTooLarge):
		return "This is more than I can read at once" + parley.Allowed(err) + ". Shorten it."
	case errors.Is(err, parley.ErrInvalid):
		return "I cannot take this message."
	}
	return ""
}

// stopped ends what runs for a person in a thread, or, where they say it to the app alone
// and in none, all that runs there. The thread says so where something did.
func (a *App) stopped(ctx context.Context, m message, who parley.Principal) error {
	conversations := []string{m.place().conversation()}
	if m.Direct && m.Thread == m.TS {
		var err error
		if conversations, err = a.goingOn(ctx, m.Channel, who); err != nil {
			return err
		}
	}
	ended := false
	for _, one := range conversations {
		err := a.runs.Stop(ctx, who, one)
		if err != nil && !errors.Is(err, agent.ErrNoRun) && !errors.Is(err, parley.ErrNotFound) {
			return err
		}
		ended = ended || err == nil
	}
	if !ended {
		return a.answer(ctx, m, "Nothing is going on for you here.")
	}
	return nil
}

// goingOn are the conversations of a person's in a channel that are still being told.
func (a *App) goingOn(ctx context.Context, channel string, who parley.Principal) (all []string, err error) {
	for r, err := range parley.Each(ctx, a.records, jobAt(replyJobs), "") {
		if err != nil {
			return nil, err
		}
		var j job
		if json.Unmarshal(r.Data, &j) != nil || j.Reply == nil {
			continue
		}
		if t := j.Reply; t.Tenant == who.Tenant && t.User == who.User && t.Place.Channel == channel {
			all = append(all, t.Place.conversation())
		}
	}
	return all, nil
}
