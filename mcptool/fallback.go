package mcptool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
)

// Fallback is what happens when the client cannot ask the person.
type Fallback string

const (
	// Deny fails the call.
	Deny Fallback = "deny"
	// Allow goes on as if the person had accepted: with the form's defaults, and
	// yes for what must be yes or no. A form that needs more is denied.
	Allow Fallback = "allow"
	// Page gives the model a link for the person, and a tool to wait.
	Page Fallback = "page"
	// App shows the question inside the client, where that shows servers' user
	// interfaces (io.modelcontextprotocol/ui). What is not answered there, and the
	// clients that show none, are as with Page; without a page they are as with Deny.
	App Fallback = "app"
	// Model lets the model ask the person and pass on the answer: plain forms
	// only, never approvals.
	Model Fallback = "model"
)

// defaultFallback is what is done where nobody has chosen. A tool asks because it
// must have a person's word, and a model that passes an answer on can as well have
// made it up: that is for authors to choose who know the form.
func defaultFallback(page bool) Fallback {
	if page {
		return Page
	}
	return Deny
}

// Approvals is what becomes of approvals by this fallback where nobody has said more:
// they are given by somebody who signs in, or not at all.
func (f Fallback) Approvals(signIn bool) Fallback {
	if f == Page || f == App && signIn {
		return Page
	}
	return Deny
}

// nobody says why the person cannot be asked where there is none.
func (r *run) nobody() string {
	if r.who.OfProgram() {
		return "a program makes the call, and nobody can be asked for it"
	}
	return "it is not known who asks: " + cmp.Or(r.asker.opts.SignIn, "sign in")
}

// fallBack decides how a question is asked that the client cannot ask: by
// another presenter, or not at all.
func (r *run) fallBack(ctx context.Context, q *question) (presenter, *parley.Outcome, error) {
	deny := func(reason string) (presenter, *parley.Outcome, error) {
		return nil, nil, &NotSupportedError{Mode: q.mode, Reason: reason, modern: r.client.modern}
	}
	if q.onPage && r.client.supports(parley.Form) {
		if r.asker.opts.PageURL == nil || !r.who.IsPerson() {
			return deny("it is too long to be shown here, and there is no page where it could be answered")
		}
		return r.toPage(), nil, nil
	}
	nobody := r.who.User == ""
	switch r.asker.opts.Fallback {
	case Allow:
		if q.mode != parley.Form || q.opts.Trigger == parley.TriggerApproval {
			return deny("it cannot be answered without the person")
		}
		content, err := agree(q.schema)
		if err != nil {
			return deny("the form cannot be filled in without the person")
		}
		return nil, &parley.Outcome{Action: parley.Accept, Content: content}, nil
	case Page:
		switch {
		case r.asker.opts.PageURL == nil:
			return deny("no page is configured")
		case !r.who.IsPerson():
			// A page asks who is there, and a session is nobody who could sign in.
			return deny(r.nobody())
		}
		return byPage{}, nil, nil
	case App:
		return r.toApp(ctx, q, deny)
	case Model:
		switch {
		case q.mode != parley.Form:
			return deny("a URL cannot be visited by the model")
		case q.opts.Trigger == parley.TriggerApproval:
			return deny("the model cannot approve")
		case nobody:
			return deny(r.nobody())
		}
		return byModel{}, nil, nil
	}
	return deny("")
}

// agree fills in a form for somebody who says yes to everything.
func agree(raw json.RawMessage) (json.RawMessage, error) {
	schema, err := form.Parse(raw, nil)
	if err != nil {
		return nil, err
	}
	yes := map[string]bool{}
	for _, f := range schema.Fields() {
		if f.Kind == form.Boolean && f.Required && f.Default == nil {
			yes[f.Name] = true
		}
	}
	content, err := json.Marshal(yes)
	if err != nil {
		return nil, err
	}
	return schema.Check(content)
}

// pendingQuestion is a question as the model is told of it.
type pendingQuestion struct {
	ElicitID     parley.ID       `json:"elicitId"`
	Message      string          `json:"message"`
	Schema       json.RawMessage `json:"schema,omitempty"`
	URL          string          `json:"url,omitempty"`
	Instructions string          `json:"instructions"`
}

// byModel lets the model ask.
type byModel struct{}

func (p byModel) present(_ context.Context, r *run, key string, _ *question, opened *parley.Request) (*parley.Outcome, error) {
	r.suspend(p, key, *opened)
	return nil, ErrSuspended
}

func (byModel) pending(ctx context.Context, r *run) (*mcp.CallToolResult, error) {
	return r.tellModel(ctx, func(opened parley.Request) pendingQuestion {
		return pendingQuestion{
			ElicitID: opened.ID, Message: wireMessage(opened), Schema: opened.Schema,
			Instructions: "Call " + sendTool + " tool after collecting user input",
		}
	}, func(p pendingQuestion) string {
		return fmt.Sprintf("This tool requires user input to continue.\n\n**Question:** %s\n\n**Schema:** %s\n\n"+
			"Ask the user; do not answer for them. Then call the %s tool with elicitId %q, "+
			"action \"accept\" and content that fits the schema, or action \"decline\" or \"cancel\".",
			p.Message, p.Schema, sendTool, p.ElicitID)
	})
}

// byPage sends the person to a page.
type byPage struct{}

func (p byPage) present(_ context.Context, r *run, key string, _ *question, opened *parley.Request) (*parley.Outcome, error) {
	r.suspend(p, key, *opened)
	return nil, ErrSuspended
}

func (byPage) pending(ctx context.Context, r *run) (*mcp.CallToolResult, error) {
	return r.tellModel(ctx, func(opened parley.Request) pendingQuestion {
		return pendingQuestion{
			ElicitID: opened.ID, Message: wireMessage(opened), URL: r.asker.opts.PageURL(opened.ID),
			Instructions: "Give the user the link, then call " + waitTool,
		}
	}, func(p pendingQuestion) string {
		return fmt.Sprintf("This tool requires user input to continue.\n\n**Question:** %s\n\n"+
			"Give the user this link to answer it: %s\n\nThen call the %s tool with elicitId %q.",
			p.Message, p.URL, waitTool, p.ElicitID)
	})
}

// overtaken takes up again a call that was left to the model, when one of its
// questions was settled while nobody could act on that: the call was still at
// work.
func (r *run) overtaken(ctx context.Context) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.waiting {
		now, err := r.asker.hub.Get(ctx, r.who, w.ID)
		if err == nil && !now.Pending() {
			if r.asker.claim(ctx, r.page) == nil {
				return true
			}
			r.page = nil // somebody else has it, or the same call is to have it
			return false
		}
	}
	return false
}

// tellModel leaves the call to the model: it may rest for as long as its
// questions are open.
func (r *run) tellModel(ctx context.Context, describe func(parley.Request) pendingQuestion, text func(pendingQuestion) string) (*mcp.CallToolResult, error) {
	linked := r.client.session != "" && r.who.IsPerson()
	if err := r.change(ctx, func(j *journal) { j.Node, j.Linked = "", j.Linked || linked }); err != nil {
		return nil, err
	}
	result := &mcp.CallToolResult{}
	var all []pendingQuestion
	for _, key := range r.suspended() {
		p := describe(r.waiting[key])
		all = append(all, p)
		result.Content = append(result.Content, &mcp.TextContent{Text: text(p)})
	}
	result.Meta = mcp.Meta{"elicitationPending": all[0]}
	if len(all) > 1 {
		result.Meta["elicitationsPending"] = all
	}
	return result, nil
}
