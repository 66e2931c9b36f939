package api

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/vault"
)

// ruleWire is a rule as it is shown: a condition of package permit.
type ruleWire struct {
	Name        string         `json:"name"`
	Server      string         `json:"server,omitempty"`
	Tool        string         `json:"tool,omitempty"`
	ReadOnly    *bool          `json:"read_only,omitempty"`
	Destructive *bool          `json:"destructive,omitempty"`
	Idempotent  *bool          `json:"idempotent,omitempty"`
	OpenWorld   *bool          `json:"open_world,omitempty"`
	When        string         `json:"when,omitempty"`
	Approve     string         `json:"approve" enum:"never,unsafe,always,refuse"`
	Approvers   *approversWire `json:"approvers,omitempty"`
	TTL         int64          `json:"ttl_seconds,omitempty" doc:"How long those who are asked may take."`
	Choices     []string       `json:"choices,omitempty" nullable:"false" enum:"allow_once,always_allow,changed,deny,asked_back" doc:"What those who are asked may say. Absent: everything."`
	Page        bool           `json:"page,omitempty" doc:"Such calls are decided on the signed-in page of their question, and nowhere else."`
	Sign        string         `json:"sign,omitempty" enum:"passkey" doc:"Such calls are allowed with a passkey, on that page."`
	Slack       string         `json:"slack,omitempty" doc:"The channel of Slack's in which the approvers are asked."`
	Escalate    []stepWire     `json:"escalate,omitempty" doc:"Who is asked besides, while the approvers say nothing. Only rules of the configuration have it."`
	Position    int            `json:"position" doc:"From 1: the first that fits a call decides about it."`
	Source      string         `json:"source" enum:"configuration,api"`
}

type approversWire struct {
	Need int      `json:"need" minimum:"1" maximum:"50" doc:"How many of them have to approve."`
	Of   []string `json:"of" nullable:"false" minItems:"1" maxItems:"50" doc:"The user ids of those who may."`
}

// ruleInput is a rule as clients write it.
type ruleInput struct {
	Name        string         `json:"name,omitempty" pattern:"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$" doc:"Needed for a new one; otherwise that of the path."`
	Server      string         `json:"server,omitempty" maxLength:"100" doc:"Only calls of this server; * stands for any characters, ? for one."`
	Tool        string         `json:"tool,omitempty" maxLength:"100" doc:"Only calls of this tool, likewise."`
	ReadOnly    *bool          `json:"read_only,omitempty" doc:"Only tools that are declared to be so, or not."`
	Destructive *bool          `json:"destructive,omitempty"`
	Idempotent  *bool          `json:"idempotent,omitempty"`
	OpenWorld   *bool          `json:"open_world,omitempty"`
	When        string         `json:"when,omitempty" maxLength:"4096" doc:"Only calls for which this expression (CEL) is true: it sees args, server, tool, user, tenant and annotations."`
	Approve     string         `json:"approve,omitempty" enum:"never,unsafe,always,refuse" doc:"What holds for such calls; refuse: none is made. Needed; with approvers, always is the default."`
	Approvers   *approversWire `json:"approvers,omitempty"`
	TTL         int64          `json:"ttl_seconds,omitempty" minimum:"0" maximum:"31622400" doc:"How long those who are asked may take, in seconds; days are normal for approvers. 0: as long as for other questions."`
	Choices     []string       `json:"choices,omitempty" nullable:"false" maxItems:"5" enum:"allow_once,always_allow,changed,deny,asked_back" doc:"What those who are asked may say; they can always deny. Default: everything."`
	Page        bool           `json:"page,omitempty" doc:"Have such calls decided on the signed-in page of their question, and nowhere else: for those that are worth it."`
	Sign        string         `json:"sign,omitempty" enum:"passkey" doc:"Have such calls allowed with a passkey, on the signed-in page of their question, each once."`
	Slack       string         `json:"slack,omitempty" maxLength:"64" pattern:"^(T[A-Z0-9]{2,30}/)?[CG][A-Z0-9]{2,30}$" doc:"Ask the approvers in this channel of Slack's, by its id, or by those of workspace and channel: T0123456/C0123456. Default: each as they choose."`
}

// namedRule is a name of a rule: those of the configuration are freer.
type namedRule struct {
	Name string `path:"name" maxLength:"100"`
}

func (a *API) ruleRoutes(to *huma.OpenAPI) {
	const tag, list, one = "rules", "/api/rules", "/api/rules/{name}"
	add(a, to, operation{
		id: "list-rules", tag: tag, summary: "Which calls need an approval, and whose", method: http.MethodGet, path: list, who: administrators,
	}, a.listRules)
	add(a, to, operation{
		id: "create-rule", tag: tag, summary: "Add a rule", method: http.MethodPost, path: list, who: administrators,
		status: http.StatusCreated, errors: []int{http.StatusConflict},
	}, a.createRule)
	add(a, to, operation{
		id: "get-rule", tag: tag, summary: "One rule", method: http.MethodGet, path: one, who: administrators, errors: []int{http.StatusNotFound},
	}, a.getRule)
	add(a, to, operation{
		id: "replace-rule", tag: tag, summary: "Replace a rule", method: http.MethodPut, path: one, who: administrators,
		errors: []int{http.StatusNotFound, http.StatusConflict},
	}, a.replaceRule)
	add(a, to, operation{
		id: "remove-rule", tag: tag, summary: "Remove a rule", method: http.MethodDelete, path: one, who: administrators,
		errors: []int{http.StatusNotFound, http.StatusConflict},
	}, a.removeRule)
}

func (a *API) listRules(ctx context.Context, c Caller, _ *nothing) (*listAnswer[ruleWire], error) {
	all, err := a.permits.Conditions(ctx, c.tenant())
	if err != nil {
		return nil, err
	}
	var shown []ruleWire
	for _, r := range all {
		shown = append(shown, a.escalating(showRule(r)))
	}
	return listed(shown), nil
}

func (a *API) getRule(ctx context.Context, c Caller, in *namedRule) (*answer[ruleWire], error) {
	r, err := a.rule(ctx, c, in.Name)
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, parley.ErrNotFound
	}
	return &answer[ruleWire]{a.escalating(showRule(*r))}, nil
}

func (a *API) createRule(ctx context.Context, c Caller, in *struct{ Body ruleInput }) (*created[ruleWire], error) {
	if in.Body.Name == "" {
		return nil, invalid("body.name", "a new rule needs a name")
	}
	var shown *answer[ruleWire]
	err := a.change(ctx, c, "api_rule", in.Body.Name, func() error {
		old, err := a.rule(ctx, c, in.Body.Name)
		if err != nil {
			return err
		}
		if old != nil {
			return parley.ErrExists
		}
		shown, err = a.putRule(ctx, c, in.Body)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &created[ruleWire]{Location: "/api/rules/" + in.Body.Name, Body: shown.Body}, nil
}

func (a *API) replaceRule(ctx context.Context, c Caller, in *struct {
	Name string `path:"name" maxLength:"100"`
	Body ruleInput
}) (shown *answer[ruleWire], err error) {
	err = a.change(ctx, c, "api_rule", in.Name, func() error {
		if err := a.ownRule(ctx, c, in.Name); err != nil {
			return err
		}
		if in.Body.Name != "" && in.Body.Name != in.Name {
			return invalid("body.name", "a rule keeps its name: remove it and add another")
		}
		in.Body.Name = in.Name
		shown, err = a.putRule(ctx, c, in.Body)
		return err
	})
	return shown, err
}

func (a *API) removeRule(ctx context.Context, c Caller, in *namedRule) (*nothing, error) {
	return nil, a.change(ctx, c, "api_rule", in.Name, func() error {
		if err := a.ownRule(ctx, c, in.Name); err != nil {
			return err
		}
		return a.permits.RemoveCondition(ctx, c.tenant(), in.Name)
	})
}

// rule returns the rule of a name, or nil.
func (a *API) rule(ctx context.Context, c Caller, name string) (*permit.PlacedCondition, error) {
	all, err := a.permits.Conditions(ctx, c.tenant())
	if err != nil {
		return nil, err
	}
	if at := slices.IndexFunc(all, func(r permit.PlacedCondition) bool { return r.Name == name }); at >= 0 {
		return &all[at], nil
	}
	return nil, nil
}

func (a *API) ownRule(ctx context.Context, c Caller, name string) error {
	old, err := a.rule(ctx, c, name)
	switch {
	case err != nil:
		return err
	case old == nil:
		return parley.ErrNotFound
	case old.Source == permit.FromConfiguration:
		return vault.ErrConfigured
	}
	return nil
}

// readRule makes a condition of what a client sent.
func readRule(in ruleInput) (permit.Condition, error) {
	r := permit.Condition{
		Name: in.Name, Server: in.Server, Tool: in.Tool, ReadOnly: in.ReadOnly, Destructive: in.Destructive, Idempotent: in.Idempotent, OpenWorld: in.OpenWorld,
		When: in.When, Approve: permit.Rule(in.Approve), TTL: time.Duration(in.TTL) * time.Second,
		Page: in.Page, Sign: in.Sign, Slack: in.Slack,
	}
	if in.Choices != nil && len(in.Choices) == 0 {
		return r, invalid("body.choices", "name what may be said, such as allow_once and deny, or leave it out for everything")
	}
	for _, choice := range in.Choices {
		r.Choices = append(r.Choices, permit.Choice(choice))
	}
	if in.Approvers != nil {
		r.Approvers = &permit.Approvers{Need: in.Approvers.Need, Of: in.Approvers.Of}
		if distinct := len(slices.Compact(slices.Sorted(slices.Values(r.Approvers.Of)))); r.Approvers.Need > distinct {
			return r, invalid("body.approvers.need", "more people have to approve than may")
		}
	}
	return r, nil
}

func (a *API) putRule(ctx context.Context, c Caller, in ruleInput) (*answer[ruleWire], error) {
	r, err := readRule(in)
	if err != nil {
		return nil, err
	}
	if r.Sign != "" && a.opts.Unsigned != nil { // as the configuration's rules are refused
		return nil, invalid("body.sign", a.opts.Unsigned.Error())
	}
	if err := a.permits.PutCondition(ctx, c.tenant(), r); err != nil {
		return nil, err
	}
	stored, err := a.rule(ctx, c, r.Name)
	if err != nil {
		return nil, err
	}
	if stored == nil {
		return nil, parley.ErrConflict // somebody has removed it again
	}
	return &answer[ruleWire]{showRule(*stored)}, nil
}

func showRule(r permit.PlacedCondition) ruleWire {
	shown := ruleWire{
		Name: r.Name, Server: r.Server, Tool: r.Tool, ReadOnly: r.ReadOnly, Destructive: r.Destructive, Idempotent: r.Idempotent, OpenWorld: r.OpenWorld,
		When: r.When, Approve: string(r.Approve), TTL: int64(r.TTL / time.Second), Position: r.Position, Source: "api",
		Page: r.Page, Sign: r.Sign, Slack: r.Slack,
	}
	for _, choice := range r.Choices {
		shown.Choices = append(shown.Choices, string(choice))
	}
	if r.Approve == "" { // one of the configuration, which says who approves instead
		shown.Approve = string(permit.Always)
	}
	if r.Approvers != nil {
		shown.Approvers = &approversWire{Need: r.Approvers.Need, Of: texts(r.Approvers.Of)}
	}
	if r.Source == permit.FromConfiguration {
		shown.Source = "configuration"
	}
	return shown
}
