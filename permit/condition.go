package permit

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Condition is one entry of the rules: the first that fits a call decides about
// it, else the server's own rule does. Of what the operator's and the tenant's
// say, the stricter holds. What is left out fits every call.
type Condition struct {
	Name string `json:"name"` // unique in its tenant; people and models read it in reasons

	// Server and Tool are names or patterns, in which * stands for any
	// characters and ? for one.
	Server string `json:"server,omitempty"`
	Tool   string `json:"tool,omitempty"`

	// Annotations that the tool must have. What a tool does not declare counts
	// as MCP says, which is the worst: not read-only, destructive unless it is
	// read-only, not idempotent, open to the world.
	ReadOnly    *bool `json:"read_only,omitempty"`
	Destructive *bool `json:"destructive,omitempty"`
	Idempotent  *bool `json:"idempotent,omitempty"`
	OpenWorld   *bool `json:"open_world,omitempty"`

	// When is an expression of the Common Expression Language that is true or
	// false. It sees args, server, tool, user, tenant and annotations. One that
	// fails for a call, for example because an argument is not there, counts as
	// "approval needed": the strictest of what this entry and the rest say.
	When string `json:"when,omitempty"`

	// Approve is what holds for the calls that fit. Empty with Approvers: Always.
	Approve Rule `json:"approve"`

	// Approvers are asked instead of the person whose call it is.
	Approvers *Approvers `json:"approvers,omitempty"`

	// TTL is how long those who are asked may take. Default: Options.TTL.
	TTL time.Duration `json:"ttl,omitempty"`

	// Choices are what the person may say. They can always deny. Default: everything.
	Choices []Choice `json:"choices,omitempty"`

	// Page has the calls decided on the signed-in page of their question, and nowhere
	// else: for those that are worth it.
	Page bool `json:"page,omitempty"`

	// Sign has the calls allowed with a passkey, on that page, and not without:
	// SignPasskey. What is allowed so is allowed once. Default: no signature.
	Sign string `json:"sign,omitempty"`

	// Slack is the channel of Slack's in which Approvers are asked, by its id, or by the
	// workspace's and its own: C0123456, T0123456/C0123456. Default: each as they choose.
	Slack string `json:"slack,omitempty"`
}

// slackChannel is what Slack calls channels, by themselves or within a workspace.
var slackChannel = regexp.MustCompile(`^(T[A-Z0-9]{2,30}/)?[CG][A-Z0-9]{2,30}$`)

// checkSlack says what is wrong with a channel.
func (c Condition) checkSlack() error {
	switch {
	case c.Slack == "":
		return nil
	case !slackChannel.MatchString(c.Slack):
		return fmt.Errorf("%.60q is no channel: write its id, such as C0123456, or T0123456/C0123456 with that of the workspace; Slack shows it in the channel's details", c.Slack)
	case c.Approvers == nil:
		return errors.New("a channel is where approvers are asked: name them in approvers")
	}
	return nil
}

// checkSign says what is wrong with a signature that is asked for.
func (c Condition) checkSign(approve Rule) error {
	switch {
	case c.Sign == "":
		return nil
	case c.Sign != SignPasskey:
		return fmt.Errorf("%.40q is nothing to sign with: write passkey", c.Sign)
	case approve == Never || approve == Forbid:
		return fmt.Errorf("%q asks nobody, so there is nothing to sign", approve)
	case len(c.Choices) > 0 && !slices.Contains(c.Choices, AllowOnce):
		return errors.New("what is signed is one call: add allow_once to choices")
	}
	return nil
}

// Bounds of conditions.
const (
	maxName       = 100 // bytes, of names and patterns
	maxWhen       = 4096
	maxApprovers  = 50
	maxConditions = 200 // of one tenant
	maxTTL        = 366 * 24 * time.Hour
)

// Validate reports what is wrong with c, as ErrCondition that names the place. Which
// groups there are it does not know: see Approvers.Check.
func (c Condition) Validate() error {
	_, err := compile(c, nil)
	return err
}

// ConditionError is what is wrong with a condition. It is an ErrCondition.
type ConditionError struct {
	Name   string // the condition's
	Place  string // server, tool, approve, approvers, ttl, choices, slack, page, sign or when
	Reason error
}

func (e *ConditionError) Error() string {
	return fmt.Sprintf("%v %q, %s: %v", ErrCondition, e.Name, e.Place, e.Reason)
}

// Unwrap makes it an ErrCondition.
func (e *ConditionError) Unwrap() error { return ErrCondition }

// condition is a Condition that is ready to be used.
type condition struct {
	Condition
	server, tool *regexp.Regexp // nil: any
	when         *expression    // nil: always
}

// compile checks a condition and prepares it, its expression included. groups are as
// in Approvers.Check.
func compile(c Condition, groups map[string][]string) (condition, error) {
	out, err := prepare(c, newExpression)
	if err == nil && c.Approvers != nil {
		if err := c.Approvers.Check(groups); err != nil {
			return out, &ConditionError{Name: c.Name, Place: "approvers", Reason: err}
		}
	}
	if err == nil && out.when != nil {
		if _, err = out.when.ready(); err != nil {
			err = &ConditionError{Name: c.Name, Place: "when", Reason: err}
		}
	}
	return out, err
}

// prepare is compile but for the expression, which is not read before it is needed.
func prepare(c Condition, when func(string) *expression) (condition, error) {
	out := condition{Condition: c}
	if err := checkText("name", c.Name); err != nil {
		return out, err
	}
	wrong := func(place string, err error) error { return &ConditionError{Name: c.Name, Place: place, Reason: err} }
	var err error
	if out.server, err = pattern(c.Server); err != nil {
		return out, wrong("server", err)
	}
	if out.tool, err = pattern(c.Tool); err != nil {
		return out, wrong("tool", err)
	}
	if out.Approve, err = c.approve(); err != nil {
		return out, wrong("approve", err)
	}
	if c.Approvers != nil {
		if err := c.Approvers.check(); err != nil {
			return out, wrong("approvers", err)
		}
		out.Approvers = c.Approvers.distinct()
	}
	if err := checkChoices(c.Choices); err != nil {
		return out, wrong("choices", err)
	}
	if err := c.checkSlack(); err != nil {
		return out, wrong("slack", err)
	}
	if c.Page && (out.Approve == Never || out.Approve == Forbid) {
		return out, wrong("page", fmt.Errorf("%q asks nobody, so there is nothing to decide", out.Approve))
	}
	if err := c.checkSign(out.Approve); err != nil {
		return out, wrong("sign", err)
	}
	if c.TTL < 0 || c.TTL > maxTTL {
		return out, wrong("ttl", fmt.Errorf("%s; it is more than nothing, and %s at most", spelled(c.TTL), spelled(maxTTL)))
	}
	if c.When != "" {
		out.when = when(c.When)
	}
	return out, nil
}

// approve returns the rule of the calls that fit. It must be said: a default
// here would be somebody's surprise.
func (c Condition) approve() (Rule, error) {
	switch {
	case c.Approve == "" && c.Approvers != nil:
		return Always, nil
	case c.Approve == "":
		return "", errors.New("say what holds: never, unsafe, always or refuse; or name approvers, which means always")
	case c.Approvers != nil && (c.Approve == Never || c.Approve == Forbid):
		return "", fmt.Errorf("%q asks nobody, so there is nothing for approvers to do", c.Approve)
	}
	return ParseRule(string(c.Approve))
}

func checkText(what, s string) error {
	switch {
	case s == "":
		return fmt.Errorf("%w: it has no %s", ErrCondition, what)
	case len(s) > maxName:
		return fmt.Errorf("%w: its %s has %d bytes, %d are allowed", ErrCondition, what, len(s), maxName)
	case !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl):
		return fmt.Errorf("%w: its %s has characters that cannot be read", ErrCondition, what)
	}
	return nil
}

// pattern compiles a name with wildcards. A * also stands for slashes, unlike
// path.Match: a tool must not slip past "delete*" by how it is called. The rest
// of what path.Match knows is refused rather than taken for itself.
func pattern(s string) (*regexp.Regexp, error) {
	switch {
	case s == "" || s == "*":
		return nil, nil
	case len(s) > maxName:
		return nil, fmt.Errorf("%d bytes, %d are allowed", len(s), maxName)
	case !utf8.ValidString(s) || strings.ContainsAny(s, `[]\`):
		return nil, fmt.Errorf("%q is no pattern: * stands for any characters, ? for one, and there is nothing else", s)
	}
	quoted := strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(regexp.QuoteMeta(s))
	return regexp.Compile(`(?s)^` + quoted + `$`)
}

// covers reports whether everything but When fits the call.
func (c condition) covers(call Call) bool {
	if c.server != nil && !c.server.MatchString(call.Server) || c.tool != nil && !c.tool.MatchString(call.Tool) {
		return false
	}
	has := call.annotations()
	for name, want := range map[string]*bool{
		"read_only": c.ReadOnly, "destructive": c.Destructive, "idempotent": c.Idempotent, "open_world": c.OpenWorld,
	} {
		if want != nil && has[name] != *want {
			return false
		}
	}
	return true
}

// clone returns a copy that shares no memory with c.
func (c Condition) clone() Condition {
	for _, flag := range []**bool{&c.ReadOnly, &c.Destructive, &c.Idempotent, &c.OpenWorld} {
		if *flag != nil {
			*flag = new(**flag)
		}
	}
	c.Choices = slices.Clone(c.Choices)
	if c.Approvers != nil {
		c.Approvers = &Approvers{Need: c.Approvers.Need, Of: slices.Clone(c.Approvers.Of)}
	}
	return c
}

// spelled is a time as people write it.
func spelled(d time.Duration) string {
	const day = 24 * time.Hour
	if d > 0 && d%day == 0 {
		return fmt.Sprintf("%d days", d/day)
	}
	return d.String()
}
