package mcptool

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool/askapp"
)

// A client that cannot ask may show servers' user interfaces. The model is told to
// call showQuestion, whose user interface the client then draws, and to wait with
// waitForElicitationResult. The app gets the question by parley_open and answers it
// by parley_answer, which clients keep from the model. They need not: on the wire an
// app's call is as anybody's. So an answer counts only with a nonce, which the reply
// to parley_open has and nothing that the model is meant to call.

// The extension by which clients say that they show user interfaces, what these
// are, and ours.
const (
	appsExtension = "io.modelcontextprotocol/ui"
	appsMIME      = "text/html;profile=mcp-app"
	ownApps       = "ui://parley/"
	askURI        = ownApps + "ask.html"
)

// ViaApp is the surface (Outcome.Via) of answers that an app in the client gave. That
// they are a person's is the client's promise: who does not take it for approvals
// names this among permit's model channels.
const ViaApp = "mcp-app"

// ShowsApps reports whether a client with these capabilities, which may be nil,
// shows servers' user interfaces.
func ShowsApps(capabilities *mcp.ClientCapabilities) bool {
	types, _ := appSettings(capabilities)["mimeTypes"].([]any)
	return slices.Contains(types, any(appsMIME))
}

func appSettings(capabilities *mcp.ClientCapabilities) map[string]any {
	if capabilities == nil {
		return nil
	}
	settings, _ := capabilities.Extensions[appsExtension].(map[string]any)
	return settings
}

func (c client) showsApps() bool { return ShowsApps(c.capabilities) }

// rendersForms reports whether the client has user interfaces draw the forms that it
// is asked by elicitation (a draft).
func (c client) rendersForms() bool {
	_, says := appSettings(c.capabilities)["elicitation"].(map[string]any)
	return says && c.showsApps() && c.supports(parley.Form)
}

// elicitation is a question for a client that can be asked. All of the form is there
// for one that draws it itself.
func (c client) elicitation(a *Asker, opened parley.Request) *mcp.ElicitParams {
	params := elicitParams(opened)
	if a.opts.Fallback == App && opened.Mode == parley.Form && c.rendersForms() {
		params.Meta = mcp.Meta{"ui": map[string]any{"resourceUri": askURI}}
	}
	return params
}

// ShowsQuestions reports whether the client shows questions in an app that it cannot
// ask itself.
func (c *Call) ShowsQuestions() bool {
	return c.run.asker.opts.Fallback == App && c.run.client.showsApps()
}

// pageFor is the page where somebody answers a question that an app shows; empty:
// there is none for them.
func (a *Asker) pageFor(who parley.Principal, id parley.ID) string {
	if a.opts.PageURL == nil || a.opts.Fallback == App && a.opts.NoSignIn || !who.IsPerson() {
		return ""
	}
	return a.opts.PageURL(id)
}

// toApp decides how a question is asked where the fallback is App.
func (r *run) toApp(ctx context.Context, q *question, deny func(string) (presenter, *parley.Outcome, error)) (presenter, *parley.Outcome, error) {
	page := r.asker.pageFor(r.who, "") != ""
	_, task := r.how.(byTask)
	switch {
	case task && page:
		return r.how, nil, nil // no model waits; it is on the person's other surfaces
	case task:
		return deny("a task cannot show it")
	case r.client.showsApps() && page:
		return byApp{}, nil, nil
	case r.client.showsApps() && r.asker.answeredHere(r.who, parley.Request{Mode: q.modeFor(), Trigger: q.opts.Trigger}):
		if q.opts.Trigger == parley.TriggerApproval && q.build != nil && r.asker.othersApps(ctx, r.who, endpointsOf(r.client.endpoint), q.build("")) {
			return deny("apps of other servers could give this approval in the person's place, and nobody can sign in to give it on its page: connect to the endpoint of the server alone")
		}
		return byApp{}, nil, nil
	case page:
		return byPage{}, nil, nil
	case !r.who.IsPerson() && r.asker.opts.PageURL != nil && !r.asker.opts.NoSignIn:
		return deny(r.nobody())
	}
	return deny("there is no page where it could be answered")
}

// answeredHere reports whether somebody answers a question in the app itself. All
// else is answered on its page, signed in: what is no form, what only the page shows
// whole, what nobody says in the person's place, and approvals unless the operator
// has them here. Of those the ones for others' calls, for what a model brought about,
// and all of whom nobody knows, are not.
func (a *Asker) answeredHere(who parley.Principal, q parley.Request) bool {
	switch {
	case q.Mode != parley.Form, onPage(q), q.OnlyTells():
		return false
	case q.Labels[parley.LabelPerson] != "", q.Labels[settledLabel] == "page":
		return false
	case q.Trigger == parley.TriggerCredential:
		return false
	case q.Trigger != parley.TriggerApproval:
		return true
	}
	for _, elsewhere := range []string{parley.LabelAsker, parley.LabelSign, parley.LabelPage, parley.LabelCircle} {
		if q.Labels[elsewhere] != "" {
			return false
		}
	}
	return a.opts.AppApprovals && who.IsPerson()
}

// othersApps reports whether apps of others may be shown where the call of an approval
// was made.
func (a *Asker) othersApps(ctx context.Context, who parley.Principal, made endpoints, q parley.Request) bool {
	if a.opts.OthersApps == nil || !a.opts.AppApprovals || q.Trigger != parley.TriggerApproval {
		return false
	}
	if len(made) == 0 {
		made = endpoints{""}
	}
	return slices.ContainsFunc(made, func(endpoint string) bool { return a.opts.OthersApps(ctx, who, endpoint, q.Labels["server"]) })
}

// byApp has the model show the question in an app.
type byApp struct{}

func (p byApp) present(ctx context.Context, r *run, key string, _ *question, opened *parley.Request) (*parley.Outcome, error) {
	if err := r.showInApp(ctx, opened); err != nil {
		return nil, err
	}
	r.suspend(p, key, *opened)
	return nil, ErrSuspended
}

func (byApp) pending(ctx context.Context, r *run) (*mcp.CallToolResult, error) {
	return r.tellModel(ctx, func(opened parley.Request) pendingQuestion {
		return pendingQuestion{
			ElicitID: opened.ID, Message: wireMessage(opened),
			Instructions: "Call " + showTool + ", then " + waitTool,
		}
	}, func(p pendingQuestion) string {
		return fmt.Sprintf("This tool requires user input to continue.\n\n**Question:** %s\n\n"+
			"Do not answer for the user. Call the %s tool with elicitId %q, which shows them the question; then call the %s tool with the same elicitId, which waits for their answer.",
			p.Message, showTool, p.ElicitID, waitTool)
	})
}

// OwnApp reports whether a URI is of those that an asker's own user interfaces have: it
// is never relayed, whether there is one of that name or not.
func OwnApp(uri string) bool {
	return len(uri) >= len(ownApps) && strings.EqualFold(uri[:len(ownApps)], ownApps)
}

// ownApp reports whether a resource is the app of our own.
func (at *attached) ownApp(uri string) bool { return uri == askURI && at.asker.opts.Fallback == App }

// refuseApp answers for the app as for what is not there, to clients that show none.
func (at *attached) refuseApp(req mcp.Request) error {
	read, ok := req.(*mcp.ReadResourceRequest)
	if !ok || !at.ownApp(read.Params.URI) || ShowsApps(read.ClientCapabilities()) {
		return nil
	}
	return mcp.ResourceNotFoundError(read.Params.URI)
}

// hideApp takes the app off a list for clients that show none.
func (at *attached) hideApp(req mcp.Request, list *mcp.ListResourcesResult) *mcp.ListResourcesResult {
	r, ok := req.(serverRequest)
	if at.asker.opts.Fallback != App || ok && ShowsApps(r.ClientCapabilities()) {
		return list
	}
	l := *list
	l.Resources = slices.DeleteFunc(slices.Clone(list.Resources), func(r *mcp.Resource) bool { return r.URI == askURI })
	return &l
}

// addApp adds the app's resource.
func (at *attached) addApp(server *mcp.Server) {
	look := mcp.Meta{"ui": map[string]any{"prefersBorder": true}}
	server.AddResource(&mcp.Resource{Meta: look, Name: "parley-ask", Title: "A question", URI: askURI, MIMEType: appsMIME},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: askURI, MIMEType: appsMIME, Text: askapp.HTML, Meta: look}}}, nil
		})
}

// announceApps tells clients that our app draws the forms of elicitation (a draft).
func (at *attached) announceApps(result *mcp.DiscoverResult) *mcp.DiscoverResult {
	if at.asker.opts.Fallback != App {
		return result
	}
	r := *result
	r.Capabilities = withApps(r.Capabilities)
	return &r
}

func (at *attached) announceInitialized(result *mcp.InitializeResult) *mcp.InitializeResult {
	if at.asker.opts.Fallback != App {
		return result
	}
	r := *result
	r.Capabilities = withApps(r.Capabilities)
	return &r
}

func withApps(given *mcp.ServerCapabilities) *mcp.ServerCapabilities {
	capabilities := mcp.ServerCapabilities{}
	if given != nil {
		capabilities = *given
	}
	capabilities.Extensions = maps.Clone(capabilities.Extensions)
	if capabilities.Extensions == nil {
		capabilities.Extensions = map[string]any{}
	}
	capabilities.Extensions[appsExtension] = map[string]any{"elicitation": map[string]any{}}
	return &capabilities
}

// The tools of the app. Clients that show none do not see them.
const (
	showTool   = "showQuestion"
	openTool   = "parley_open"
	answerTool = "parley_answer"
)

// appTool reports whether a tool is one of the app's.
func (at *attached) appTool(name string) bool {
	return at.asker.opts.Fallback == App && (name == showTool || name == openTool || name == answerTool)
}

var (
	openSchema = json.RawMessage(`{"type":"object","properties":{` +
		`"elicitId":{"type":"string","description":"The question; left out: the oldest that is open"}}}`)
	answerSchema = json.RawMessage(`{"type":"object","properties":{` +
		`"elicitId":{"type":"string"},"nonce":{"type":"string"},"action":{"type":"string","enum":["accept","decline","cancel"]},"content":{"type":"object"}},` +
		`"required":["elicitId","nonce","action"]}`)
)

func appToolsListed() []*mcp.Tool {
	visible := func(to string) map[string]any { return map[string]any{"visibility": []string{to}} }
	shown := visible("model")
	shown["resourceUri"] = askURI
	return []*mcp.Tool{
		{
			Meta: mcp.Meta{"ui": shown, "ui/resourceUri": askURI}, Name: showTool, Title: "Show a question",
			Description: "Shows the user a question of another tool, which they answer there. Then call " + waitTool + ".",
			InputSchema: waitSchema, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
		},
		{
			Meta: mcp.Meta{"ui": visible("app"), "openai/visibility": "private"}, Name: openTool,
			Description: "For the user interface of " + showTool + " alone: gets the question.",
			InputSchema: openSchema, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
		},
		{
			Meta: mcp.Meta{"ui": visible("app"), "openai/visibility": "private"}, Name: answerTool,
			Description: "For the user interface of " + showTool + " alone: passes on what the user answered there.",
			InputSchema: answerSchema,
		},
	}
}
