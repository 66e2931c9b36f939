package slackapp

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/slack-go/slack"
)

// message is what somebody said to the app.
type message struct {
	Team    string
	User    string
	Text    string // as Slack has it
	TS      string
	Thread  string // of the thread; its first message's is TS
	Channel string
	Direct  bool // nobody else reads it
	Files   bool // there are some with it, which nobody reads
}

// inner is what happened, as far as it is a message.
type inner struct {
	Type        string          `json:"type"`
	Subtype     string          `json:"subtype"`
	User        json.RawMessage `json:"user"` // an id, or of user_change an object
	Text        string          `json:"text"`
	TS          string          `json:"ts"`
	ThreadTS    string          `json:"thread_ts"`
	Channel     string          `json:"channel"`
	ChannelType string          `json:"channel_type"`
	Bot         string          `json:"bot_id"`
	UserTeam    string          `json:"user_team"`
	SourceTeam  string          `json:"source_team"`
	Team        string          `json:"team"`
	Files       []struct{}      `json:"files"`
	Tokens      struct {
		Bot []string `json:"bot"`
	} `json:"tokens"`
}

// uninstalls reports whether the app was taken out of the workspace.
func (in inner) uninstalls() bool {
	return in.Type == "app_uninstalled" || in.Type == "tokens_revoked" && len(in.Tokens.Bot) > 0
}

// deactivated is the user whose account ended.
func (in inner) deactivated() (user string, ok bool) {
	var u slack.User
	if in.Type != "user_change" || json.Unmarshal(in.User, &u) != nil {
		return "", false
	}
	return u.ID, u.Deleted && slackID.MatchString(u.ID)
}

var slackTime = regexp.MustCompile(`^[0-9]{1,16}\.[0-9]{1,9}$`)

// messageOf reads the message that an event is, if it is one that is for the app: a mention,
// or what a person of the team wrote to it alone.
func messageOf(body []byte) (message, bool) {
	var e envelope
	var in inner
	if json.Unmarshal(body, &e) != nil || json.Unmarshal(e.Event, &in) != nil {
		return message{}, false
	}
	direct := in.Type == "message" && in.ChannelType == "im" && (in.Subtype == "" || in.Subtype == "file_share" || in.Subtype == "thread_broadcast")
	if !direct && in.Type != "app_mention" || in.Bot != "" {
		return message{}, false
	}
	m := message{Team: e.Team, Text: in.Text, TS: in.TS, Thread: in.ThreadTS, Channel: in.Channel, Direct: direct, Files: len(in.Files) > 0}
	if json.Unmarshal(in.User, &m.User) != nil || !slackID.MatchString(m.User) || !slackID.MatchString(m.Channel) || !slackTime.MatchString(m.TS) {
		return message{}, false
	}
	if m.Thread == "" {
		m.Thread = m.TS
	}
	for _, team := range []string{in.UserTeam, in.SourceTeam, in.Team} {
		if foreign(e.Team, team) != nil {
			return message{}, false
		}
	}
	return m, slackTime.MatchString(m.Thread)
}

func (m message) place() place { return place{m.Team, m.Channel, m.Thread} }

var (
	reference = regexp.MustCompile(`<([^<>]*)>`)
	unescaped = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")
)

// plain is a message as its author sees it, without the app's own name.
func plain(text, bot string) string {
	text = reference.ReplaceAllStringFunc(text, func(found string) string {
		target, label, _ := strings.Cut(found[1:len(found)-1], "|")
		switch {
		case target == "@"+bot:
			return ""
		case strings.HasPrefix(target, "@"), strings.HasPrefix(target, "#"), strings.HasPrefix(target, "!"):
			if label != "" {
				return target[:1] + label
			}
			return target
		case label == "" || label == target || "mailto:"+label == target || strings.HasSuffix(target, "://"+label):
			return strings.TrimPrefix(target, "mailto:")
		}
		return label + " (" + target + ")"
	})
	return strings.TrimSpace(unescaped.Replace(text))
}

// forged is what Slack would make a mention or a link of, though a model wrote it.
var forged = regexp.MustCompile(`<([!@#]|[a-zA-Z][a-zA-Z0-9+.-]*:)`)

// shown is a text of a model's as it is sent to Slack: Markdown, in which nobody is
// mentioned and no link has another's face by Slack's own signs.
func shown(text string) string { return forged.ReplaceAllString(text, "&lt;$1") }
