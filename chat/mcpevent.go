package chat

import (
	"cmp"
	"fmt"
	"net/http"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/vault"
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

// errorEvent ends a turn, and the socket that it came over unless others go on
// there.
type errorEvent struct {
	Error      string `json:"error"`
	StatusCode int    `json:"status_code"`
	MessageID  string `json:"message_id,omitempty"`  // of the client's message that was not taken, or of the turn
	RetryAfter int    `json:"retry_after,omitempty"` // seconds
}

// The failures of toolboxes that end a turn of /run/ws and /run/sse, by their
// codes: a tool may say whatever it likes, and has none.
const (
	codeNoOAuthURL         = "no_oauth_url"
	codeNoConnectedService = "no_connected_service"
)

// NoOAuthURL is the error with which a toolbox fails when it cannot say where a
// person would connect. Clients of /run/ws and /run/sse are told so, and the turn
// ends.
func NoOAuthURL(server string, cause error) *agent.PublicError {
	return &agent.PublicError{Text: fmt.Sprintf("Could not build OAuth URL for MCP server '%s'.", server), Code: codeNoOAuthURL, Cause: cause}
}

// NoConnectedService is the error with which a toolbox fails when a person has
// connected and there is still no credential. Clients of /run/ws and /run/sse are
// told so, and the turn ends.
func NoConnectedService(server string, cause error) *agent.PublicError {
	return &agent.PublicError{
		Text: fmt.Sprintf("MCP connection for server '%s' is configured for OAuth2 but has no connected service.", server), Code: codeNoConnectedService, Cause: cause,
	}
}

func oauthFailure(code string) bool { return code == codeNoOAuthURL || code == codeNoConnectedService }

// connecting is the server that a question asks to connect: people are told its
// title, and programs a number made of its name.
type connecting struct {
	title string
	id    uint32
}

func connectingOf(q *parley.Request) connecting {
	return connecting{
		title: q.Service(),
		id:    vault.ServerID(cmp.Or(q.Labels[vault.LabelServer], q.From)),
	}
}

// mcpNarrator tells a run in these events.
type mcpNarrator struct {
	book
	joiner          joiner
	session, mentor string
	message         string
	wait            time.Duration
	accepted        map[string]connecting // calls whose connection somebody says is there, and to which server
}

func (c *Chat) newMCPNarrator(session, mentor string) *mcpNarrator {
	return &mcpNarrator{book: c.newBook(session), session: session, mentor: mentor, wait: c.opts.OAuthWait, accepted: map[string]connecting{}}
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
	case agent.Noted:
		return []any{deltaEvent{"delta", n.message, n.joiner.note(remark(e))}}
	case agent.ToolsGone:
		if oauthFailure(e.Code) {
			return []any{errorEvent{Error: e.Text, StatusCode: http.StatusBadRequest}}
		}
		// What the toolbox said may name hosts and keys: it is in the log.
		return []any{toolsWarning{
			"warning", "MCP tools temporarily unavailable for this session. Continuing without them.",
			fmt.Sprintf("ConnectionError: the tools of MCP server '%s' could not be listed; the server's log says why", e.Box),
			http.StatusServiceUnavailable,
		}}
	case agent.Asked, agent.Answered:
		return n.tellQuestion(e)
	case agent.Succeeded:
		return append(n.resolved(e.ID), n.tellContent(e)...)
	case agent.Failed:
		delete(n.accepted, e.ID)
		if e.Result != nil && oauthFailure(e.Result.Code) {
			return []any{errorEvent{Error: e.Result.Text, StatusCode: http.StatusBadRequest}}
		}
		return n.tellContent(e)
	case agent.Finished:
		if failed(e) {
			return []any{errorEvent{Error: failureText(e), StatusCode: http.StatusInternalServerError}}
		}
		return []any{doneEvent{"done", n.message, e.Reason}}
	}
	return nil
}

// tellContent tells of the images and links of a result in the text, as Markdown: these events
// have no other place for them.
func (n *mcpNarrator) tellContent(e agent.Event) []any {
	lines := n.content(e).lines()
	if lines == "" {
		return nil
	}
	return []any{deltaEvent{"delta", n.message, n.joiner.note(lines)}}
}

func (n *mcpNarrator) tellQuestion(e agent.Event) []any {
	q := e.Question
	if q.Trigger != parley.TriggerCredential {
		shown := n.elicitation(e)
		shown.Type = "elicitation_request"
		return append(n.resolved(e.Call), shown) // a call that asks something else has got past the credential
	}
	server := connectingOf(q)
	switch {
	case e.Type == agent.Asked && (q.Mode != parley.URL || q.URL == ""):
		return []any{errorEvent{Error: NoOAuthURL(server.title, nil).Text, StatusCode: http.StatusBadRequest}}
	case e.Type == agent.Asked:
		return []any{oauthRequired{
			"oauth_required", server.title, server.id, q.URL,
			fmt.Sprintf("Authentication required for MCP server '%s'. Please complete the OAuth flow to continue.", server.title),
		}}
	case q.Outcome.Action == parley.Accept && q.Outcome.Via == vault.Via:
		return []any{newResolved(server)}
	case q.Outcome.Action == parley.Accept: // somebody says so; whether it is true shows when the call goes on
		n.accepted[e.Call] = server
	case q.Outcome.Action == parley.Expire:
		return []any{errorEvent{Error: fmt.Sprintf(
			"Timed out waiting for OAuth authentication for MCP server '%s' after %ds. Retry message after completing the OAuth flow.",
			server.title, int(n.wait.Seconds())), StatusCode: http.StatusBadRequest}}
	}
	return nil // declined: the agent goes on and says so
}

// resolved tells of a connection that a call has shown to be there.
func (n *mcpNarrator) resolved(call string) []any {
	server, ok := n.accepted[call]
	if !ok {
		return nil
	}
	delete(n.accepted, call)
	return []any{newResolved(server)}
}

func newResolved(server connecting) oauthResolved {
	return oauthResolved{
		"oauth_connection_resolved", server.title, server.id,
		fmt.Sprintf("OAuth connection resolved for MCP server '%s'. Continuing with chat.", server.title),
	}
}
