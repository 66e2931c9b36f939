package slackapp

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"
)

// scribe writes the messages of a reply. Each is one message, whoever dies: it is written
// down before it is sent, and found again by what it carries.
type scribe struct {
	app   *App
	held  *held
	sent  map[string]string // by key, what this process has streamed
	wrote map[string]string // by key, what it has written, in either way
}

func (a *App) newScribe(h *held) *scribe {
	return &scribe{app: a, held: h, sent: map[string]string{}, wrote: map[string]string{}}
}

// What messages carry, so that they are found again.
const replyEvent = "parley_reply"

// write makes the messages of a text what it says so far; whole: it says no more.
func (s *scribe) write(ctx context.Context, id, text string, whole bool) error {
	all := parts(strings.TrimSpace(text))
	for i, part := range all {
		if err := s.writePart(ctx, id+"/"+strconv.Itoa(i), shown(part), whole || i < len(all)-1); err != nil {
			return err
		}
	}
	return nil
}

func (s *scribe) writePart(ctx context.Context, key, text string, whole bool) error {
	p, ok := s.find(key)
	if ok && (p.Done || !whole && s.wrote[key] == text) {
		return nil
	}
	api, err := s.app.client(ctx, s.reply().Place.Team)
	if err != nil {
		return err
	}
	gone := s.app.stillTheirs(ctx, s.reply())
	if gone != nil && (!errors.Is(gone, ErrNotLinked) || s.wrote[key] == "") {
		return gone
	}
	if gone != nil { // what stands there stays, and is all
		text, whole = s.wrote[key], true
	}
	switch {
	case !ok:
		p = post{Key: key, Began: now()}
		if err := s.keep(ctx, p); err != nil {
			return err
		}
		err = s.begin(ctx, api, &p, text, whole)
	case p.TS == "": // somebody died before they knew whether it was sent
		if err := s.seek(ctx, api, &p, text); err != nil {
			return err
		}
		if p.TS == "" {
			err = s.begin(ctx, api, &p, text, whole)
		} else {
			err = s.rewrite(ctx, api, &p, text, whole)
		}
	case p.Stream && s.sent[key] != "" && strings.HasPrefix(text, s.sent[key]):
		err = s.extend(ctx, api, &p, text, whole)
	default:
		err = s.rewrite(ctx, api, &p, text, whole)
	}
	if err != nil {
		return err
	}
	p.Done, s.wrote[key] = whole, text
	return errors.Join(s.keep(ctx, p), gone)
}

func (s *scribe) reply() *reply { return s.held.state().Reply }

func (s *scribe) find(key string) (post, bool) {
	posts := s.reply().Posts
	i := slices.IndexFunc(posts, func(p post) bool { return p.Key == key })
	if i < 0 {
		return post{}, false
	}
	return posts[i], true
}

// keep writes a post down, if it changed.
func (s *scribe) keep(ctx context.Context, p post) error {
	if old, ok := s.find(p.Key); ok && old == p {
		return nil
	}
	return s.held.keep(ctx, func(j *job) {
		r := *j.Reply
		r.Posts = slices.Clone(r.Posts)
		if i := slices.IndexFunc(r.Posts, func(old post) bool { return old.Key == p.Key }); i >= 0 {
			r.Posts[i] = p
		} else {
			r.Posts = append(r.Posts, p)
		}
		j.Reply = &r
	})
}

// begin sends a message: as a stream where the workspace has it and more is to come.
func (s *scribe) begin(ctx context.Context, api *slack.Client, p *post, text string, whole bool) error {
	at := s.reply().Place
	if !whole && s.app.streams.may(at.Team) {
		_, ts, err := api.StartStreamContext(ctx, at.Channel, slack.MsgOptionTS(at.Thread), slack.MsgOptionMarkdownText(text),
			slack.MsgOptionRecipientTeamID(at.Team), slack.MsgOptionRecipientUserID(s.reply().Recipient))
		if err == nil {
			p.TS, p.Stream, s.sent[p.Key] = ts, true, text
			return s.keep(ctx, *p)
		}
		if !refusesStreams(err) {
			return err
		}
		s.app.streams.refused(at.Team)
	}
	opts := append(s.content(text, whole), slack.MsgOptionTS(at.Thread), slack.MsgOptionMetadata(slack.SlackMetadata{
		EventType: replyEvent, EventPayload: map[string]any{"run": s.reply().Run, "key": p.Key},
	}))
	_, ts, err := api.PostMessageContext(ctx, at.Channel, opts...)
	if err != nil {
		return err
	}
	p.TS = ts
	return s.keep(ctx, *p)
}

// content is a message that is not streamed: its text, and while it is being written a
// button that stops it.
func (s *scribe) content(text string, whole bool) []slack.MsgOption {
	blocks := []slack.Block{slack.NewMarkdownBlock("", text)}
	if !whole {
		button := slack.NewButtonBlockElement(stopAction, s.reply().Run, slack.NewTextBlockObject(slack.PlainTextType, "Stop", false, false))
		blocks = append(blocks, slack.NewActionBlock("", button))
	}
	once := strings.ReplaceAll(text, "&lt;", "<") // it is escaped again
	return []slack.MsgOption{slack.MsgOptionText(once, true), slack.MsgOptionBlocks(blocks...), slack.MsgOptionDisableLinkUnfurl()}
}

// extend appends to a stream of this process.
func (s *scribe) extend(ctx context.Context, api *slack.Client, p *post, text string, whole bool) error {
	at, more := s.reply().Place, strings.TrimPrefix(text, s.sent[p.Key])
	if more != "" {
		if _, _, err := api.AppendStreamContext(ctx, at.Channel, p.TS, slack.MsgOptionMarkdownText(more)); err != nil {
			if !streamOver(err) {
				return err
			}
			return s.rewrite(ctx, api, p, text, whole)
		}
		s.sent[p.Key] = text
	}
	if !whole {
		return nil
	}
	p.Stream = false
	_, _, err := api.StopStreamContext(ctx, at.Channel, p.TS)
	if streamOver(err) {
		return nil
	}
	return err
}

// rewrite makes a message say a text, whatever it said: the same twice changes nothing. A
// stream is ended first; whoever began it is gone.
func (s *scribe) rewrite(ctx context.Context, api *slack.Client, p *post, text string, whole bool) error {
	at := s.reply().Place
	if p.Stream {
		if _, _, err := api.StopStreamContext(ctx, at.Channel, p.TS); err != nil && !streamOver(err) {
			return err
		}
		p.Stream = false
		if err := s.keep(ctx, *p); err != nil {
			return err
		}
	}
	_, _, _, err := api.UpdateMessageContext(ctx, at.Channel, p.TS, s.content(text, whole)...)
	if is(err, "message_not_found", "cant_update_message") { // somebody deleted it
		return nil
	}
	return err
}

// seek looks for a message whose sending nobody saw the end of. Streams carry nothing when
// they begin: one is known by its first words.
func (s *scribe) seek(ctx context.Context, api *slack.Client, p *post, text string) error {
	at := s.reply().Place
	w, err := s.app.workspace(ctx, at.Team)
	if err != nil {
		return err
	}
	const most = 200
	known := map[string]bool{}
	for _, one := range s.reply().Posts {
		known[one.TS] = true
	}
	page, _, _, err := api.GetConversationRepliesContext(ctx, &slack.GetConversationRepliesParameters{
		ChannelID: at.Channel, Timestamp: at.Thread, Oldest: slackTimeOf(p.Began.Add(-time.Minute)), Limit: most, IncludeAllMetadata: true,
	})
	if err != nil {
		return err
	}
	for _, m := range page {
		if m.User != w.Bot || known[m.Timestamp] || m.Timestamp == at.Thread {
			continue
		}
		carried := m.Metadata.EventPayload
		switch {
		case m.Metadata.EventType == replyEvent && carried["run"] == s.reply().Run && carried["key"] == p.Key:
			p.TS = m.Timestamp
			return s.keep(ctx, *p)
		case m.Metadata.EventType == "" && m.SubType == "" && strings.HasPrefix(text, m.Text) && m.Text != "":
			p.TS, p.Stream = m.Timestamp, true
			return s.keep(ctx, *p)
		}
	}
	return nil
}

func slackTimeOf(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) + ".000000" }

// streams remembers which workspaces do not have streams.
type streams struct {
	mu  sync.Mutex
	not map[string]time.Time
}

func newStreams() *streams { return &streams{not: map[string]time.Time{}} }

func (s *streams) may(team string) bool {
	const again = time.Hour
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Since(s.not[team]) > again
}

func (s *streams) refused(team string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.not[team] = time.Now()
}

func refusesStreams(err error) bool {
	return is(err, "unknown_method", "method_deprecated", "not_allowed", "feature_not_enabled", "streaming_mode_mismatch", "missing_scope", "invalid_arguments", "team_not_found", "access_denied", "no_permission", "channel_type_not_supported")
}

func streamOver(err error) bool {
	return is(err, "message_not_in_streaming_state", "message_not_found", "stream_not_found", "streaming_state_conflict")
}
