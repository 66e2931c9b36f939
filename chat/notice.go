package chat

import (
	"net/url"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// notice tells a person whose client shows no questions that a tool needs them.
type notice struct {
	Type       string `json:"type"`
	ToolCallID string `json:"toolCallId"`
	ToolName   string `json:"toolName"`
	ToolID     string `json:"toolId"`
	Message    string `json:"message"`
	AuthLink   string `json:"authLink,omitempty"`
}

const noticeType = "data-tool-auth-required"

// noticeable reports whether a question that was withheld is one to give notice
// of: it sends the person somewhere, and is the first of its service that was not
// seen before.
func noticeable(e agent.Event, seen map[string]bool) bool {
	if e.Question.Mode != parley.URL || seen[e.Question.From] {
		return false
	}
	seen[e.Question.From] = true
	return true
}

// notice is about a question that was not opened, so it cannot lead there. It
// leads to the page where its person connects the account now, which lasts.
func (b book) notice(e agent.Event) notice {
	q := e.Question
	out := notice{Type: noticeType, ToolCallID: e.Call, ToolName: e.Tool, ToolID: e.Box, Message: q.Message}
	if server := q.Labels[serverLabel]; b.public != "" && server != "" && q.Trigger == parley.TriggerCredential {
		out.AuthLink = b.public + "/auth/connect?" + url.Values{"server": {server}}.Encode()
	}
	return out
}

// notices are those of a run told whole.
func (b book) notices(all Reply) []notice {
	var list []notice
	seen := map[string]bool{}
	for _, e := range all.Withheld {
		if noticeable(e, seen) {
			list = append(list, b.notice(e))
		}
	}
	return list
}
