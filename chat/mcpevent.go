package chat

import (
	"fmt"
	"hash/fnv"
	"net/http"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// The events of /run/ws and /run/sse. Those about MCP servers are fixed; start,
// delta, done and elicitation_request carry the chat itself.

type startEvent struct {
	Type      string `json:"type"` // start
	SessionID string `json:"session_id"`
	MentorID  string `json:"mentor_id"`
	MessageID string `json:"message_id"`
}

type deltaEvent struct {
	Type      string `json:"type"` // delta
	MessageID string `json:"message_id"`
	Content   string `json:"content"`
}

type doneEvent struct {
	Type      string       `json:"type"` // done
	MessageID string       `json:"message_id"`
	Reason    agent.Reason `json:"reason"`
}

type oauthRequired struct {
	Type       string `json:"type"` // oauth_required
	ServerName string `json:"server_name"`
	ServerID   uint32 `json:"server_id"`
	AuthURL    string `json:"auth_url"`
	Message    string `json:"message"`
}

type oauthResolved struct {
	Type       string `json:"type"` // oauth_connection_resolved
	ServerName string `json:"server_name"`
	ServerID   uint32 `json:"server_id"`
	Message    string `json:"message"`
}

type toolsRetrieved struct {
	Type      string `json:"type"` // mcp_tools_retrieved
	SessionID string `json:"session_id"`
	MentorID  string `json:"mentor_id"`
}

type toolsWarning struct {
	Type           string `json:"type"` // warning
	Message        string `json:"message"`
	DeveloperError string `json:"developer_error"`
	Code           int    `json:"code"`
}

// errorEvent ends a turn, and the socket that it came over.
type errorEvent struct {
	Error      string `json:"error"`
	StatusCode int    `json:"status_code"`
}

// NoOAuthURL is the text of the agent.PublicError with which a toolbox fails
// when it cannot say where a person would connect. Clients of /run/ws and
// /run/sse are told so, and the turn ends.
func NoOAuthURL(server string) string {
	return fmt.Sprintf("Could not build OAuth URL for MCP server '%s'.", server)
}

// NoConnectedService is the text of the agent.PublicError with which a toolbox
// fails when a person has connected and there is still no credential. Clients of
// /run/ws and /run/sse are told so, and the turn ends.
func NoConnectedService(server string) string {
	return fmt.Sprintf("MCP connection for server '%s' is configured for OAuth2 but has no connected service.", server)
}

// oauthFailure reports whether a text is one of those two.
func oauthFailure(text string) bool {
	const mark = "\x00"
	for _, sentence := range []string{NoOAuthURL(mark), NoConnectedService(mark)} {
		before, after, _ := strings.Cut(sentence, mark)
		if strings.HasPrefix(text, before) && strings.HasSuffix(text, after) && len(text) > len(before)+len(after) {
			return true
		}
	}
	return false
}

// serverID is a number for a server that clients can tell it by: positive, and
// always the same for a name.
func serverID(name string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(name))
	return max(h.Sum32()&0x7fffffff, 1)
}

// mcpNarrator tells a run in these events.
type mcpNarrator struct {
	book
	joiner          joiner
	session, mentor string
	message         string
	wait            time.Duration
}

func (c *Chat) newMCPNarrator(session, mentor string) *mcpNarrator {
	return &mcpNarrator{book: c.newBook(), session: session, mentor: mentor, wait: c.opts.OAuthWait}
}

// tell returns the events of an event. An errorEvent is the last.
func (n *mcpNarrator) tell(e agent.Event) []any {
	n.note(e)
	switch e.Type {
	case agent.Started:
		n.message = e.ID
		return []any{startEvent{"start", n.session, n.mentor, e.ID}}
	case agent.TextStarted, agent.TextDelta:
		if text := n.joiner.add(e); text != "" {
			return []any{deltaEvent{"delta", n.message, text}}
		}
	case agent.ToolsCame:
		return []any{toolsRetrieved{"mcp_tools_retrieved", n.session, n.mentor}}
	case agent.ToolsGone:
		if oauthFailure(e.Text) {
			return []any{errorEvent{e.Text, http.StatusBadRequest}}
		}
		// What the toolbox said may name hosts and keys: it is in the log.
		return []any{toolsWarning{
			"warning", "MCP tools temporarily unavailable for this session. Continuing without them.",
			fmt.Sprintf("ConnectionError: the tools of MCP server '%s' could not be listed; the server's log says why", e.Box),
			http.StatusServiceUnavailable,
		}}
	case agent.Asked, agent.Answered:
		return n.tellQuestion(e)
	case agent.Failed:
		if e.Result != nil && oauthFailure(e.Result.Text) {
			return []any{errorEvent{e.Result.Text, http.StatusBadRequest}}
		}
	case agent.Finished:
		if failed(e) {
			return []any{errorEvent{failureText(e), http.StatusInternalServerError}}
		}
		return []any{doneEvent{"done", n.message, e.Reason}}
	}
	return nil
}

func (n *mcpNarrator) tellQuestion(e agent.Event) []any {
	q := e.Question
	if q.Trigger != parley.TriggerCredential {
		shown := n.elicitation(e)
		shown.Type = "elicitation_request"
		return []any{shown}
	}
	name := q.From
	switch {
	case e.Type == agent.Asked && (q.Mode != parley.URL || q.URL == ""):
		return []any{errorEvent{NoOAuthURL(name), http.StatusBadRequest}}
	case e.Type == agent.Asked:
		return []any{oauthRequired{
			"oauth_required", name, serverID(name), q.URL,
			fmt.Sprintf("Authentication required for MCP server '%s'. Please complete the OAuth flow to continue.", name),
		}}
	case q.Outcome.Action == parley.Accept:
		return []any{oauthResolved{
			"oauth_connection_resolved", name, serverID(name),
			fmt.Sprintf("OAuth connection resolved for MCP server '%s'. Continuing with chat.", name),
		}}
	case q.Outcome.Action == parley.Expire:
		return []any{errorEvent{fmt.Sprintf(
			"Timed out waiting for OAuth authentication for MCP server '%s' after %ds. Retry message after completing the OAuth flow.",
			name, int(n.wait.Seconds())), http.StatusBadRequest}}
	}
	return nil // declined: the agent goes on and says so
}
