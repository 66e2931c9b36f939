package pages

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/passkey"
	"github.com/parley-hq/parley/permit"
)

// Via is the surface that answers given on these pages come through.
const Via = "page"

// settledByLabel marks a question whose own page settles it: going there is not
// the answer.
const settledByLabel = "settled_by"

// answerView is a form that somebody fills in.
type answerView struct {
	Question questionView
	Fields   []fieldView
	Problems []problemView // everything that is wrong, in the order of the fields
	Decision *fieldView    // an approval: the options of its first choice are the buttons, the other fields narrow them
	Decline  bool          // no option of the decision refuses, so that there is a button for it
	Send     string        // what the button says
	Says     []fieldView   // of an approval: what the program is told in the person's own words
	Edits    []fieldView   // of an approval: the arguments that can be changed
	Change   *optionView   // of an approval: the choice to allow it with these
	Tells    bool          // others decide: the person can only take it back
	Sign     *signView     // of an approval that is allowed with a passkey
}

// asked returns the signed-in person and their question. If there is no such
// thing it has answered the request.
func (p *Pages) asked(w http.ResponseWriter, r *http.Request, id string) (session, parley.Request, bool) {
	s, ok := p.signedIn(w, r)
	if !ok {
		return s, parley.Request{}, false
	}
	q, err := p.hub.Get(r.Context(), s.principal(), parley.ID(id))
	if err != nil {
		p.failQuestion(w, r, s, err)
		return s, q, false
	}
	return s, q, true
}

// signedIn returns who is signed in, or sends them to sign in. What they sent
// is lost then, and they are told.
func (p *Pages) signedIn(w http.ResponseWriter, r *http.Request) (session, bool) {
	s, err := p.session(r)
	if errors.Is(err, ErrNotSignedIn) && r.Method != http.MethodPost {
		http.Redirect(w, r, loginFor(r), http.StatusSeeOther)
		return s, false
	}
	if errors.Is(err, ErrNotSignedIn) {
		err = &refusal{
			status: http.StatusUnauthorized, heading: "You are not signed in", again: loginFor(r),
			sentence: "Nobody is signed in in this browser any more, so nothing was done. Sign in and answer again.",
		}
	}
	if err != nil {
		p.fail(w, r, err)
	}
	return s, err == nil
}

// showAnswer shows a question as it stands.
func (p *Pages) showAnswer(w http.ResponseWriter, r *http.Request) {
	s, q, ok := p.asked(w, r, r.PathValue("id"))
	switch {
	case !ok:
	case over(q) && q.Trigger == parley.TriggerCredential && p.opts.Connections != nil && !refused(q):
		http.Redirect(w, r, connectPath(q.ID), http.StatusSeeOther) // that page knows whether the account is connected
	case over(q):
		p.showSettled(w, r, s, q, 0)
	case q.Mode == parley.URL:
		p.showVisit(w, r, s, q)
	default:
		p.showForm(w, r, s, q, nil)
	}
}

// refused reports whether a question's own person said no to it.
func refused(q parley.Request) bool {
	return !q.Pending() && q.Outcome.By != "" && q.Outcome.Action != parley.Accept
}

// showForm shows a form to fill in. entered is what the person sent and was not
// accepted, if anything.
func (p *Pages) showForm(w http.ResponseWriter, r *http.Request, s session, q parley.Request, entered *entries) {
	fields, err := fieldsOf(q)
	if err != nil {
		p.fail(w, r, err)
		return
	}
	v := answerView{Question: viewQuestion(q, s), Send: "Send answer", Tells: q.OnlyTells()}
	if q.Trigger == parley.TriggerApproval {
		v.Send = "Approve"
	}
	v.Fields, v.Problems = viewFields(fields, entered)
	if isDecision(q, fields) {
		v.sortDecision(fields)
		v.Decline = !slices.ContainsFunc(fields[0].Options, func(o form.Option) bool { return o.Value == denies })
	}
	if v.Sign, err = p.viewSign(r, s, q, fields); err != nil {
		p.fail(w, r, err)
		return
	}
	shown := page{Heading: headingOf(q), who: &s, Watch: watch(q), Body: v}
	if v.Sign != nil && v.Sign.Ready {
		shown.Sign = p.layout.sign
	}
	if entered != nil {
		shown.Failed, shown.status = true, http.StatusUnprocessableEntity
	}
	p.render(w, r, shown)
}

// sortDecision puts the fields of an approval where they belong.
func (v *answerView) sortDecision(fields []form.Field) {
	all := v.Fields
	v.Decision, v.Fields = &all[0], nil
	for i, f := range fields[1:] {
		to := &v.Fields
		switch {
		case isRemark(f):
			to = &v.Says
		case isArgument(f):
			to = &v.Edits
		default:
			all[i+1].Options = limits(f, all[i+1].Options)
		}
		*to = append(*to, all[i+1])
	}
	for i, o := range fields[0].Options {
		if o.Value == string(permit.Changed) {
			v.Change = &v.Decision.Options[i]
		}
	}
}

// limits are the options of a field that narrows a permission. The one that holds for whoever chooses nothing is
// chosen already, and says nothing; where it is none of them there is no other limit.
func limits(f form.Field, options []optionView) []optionView {
	if f.Default != nil || options[len(options)-1].Value != "" {
		return options
	}
	none := &options[len(options)-1]
	if !permit.HoldsUnsaid(f.Options[0].Value) {
		none.Label = "No other limit"
		return options
	}
	options[0].Value, options[0].Chosen = none.Value, options[0].Chosen || none.Chosen
	return options[:len(options)-1]
}

// takeAnswer gives the person's answer to the hub.
func (p *Pages) takeAnswer(w http.ResponseWriter, r *http.Request) {
	if isJSON(r) {
		p.takeSent(w, r)
		return
	}
	s, q, ok := p.asked(w, r, r.PathValue("id"))
	if !ok {
		return
	}
	if err := readForm(w, r); err != nil {
		p.fail(w, r, err)
		return
	}
	answer := parley.Answer{Action: parley.Action(r.PostForm.Get("action")), Via: Via}
	var entered *entries
	if answer.Action == parley.Accept {
		if q.Mode == parley.URL && !over(q) {
			p.takeVisit(w, r, s, q)
			return
		}
		var err error
		if answer.Content, entered, err = readAnswer(q, r.PostForm); err != nil {
			p.fail(w, r, err)
			return
		}
		if entered != nil && len(entered.violations) > 0 {
			p.showForm(w, r, s, q, entered)
			return
		}
		answer.Assertion = json.RawMessage(r.PostForm.Get(assertionField))
	}
	if err := p.hub.Answer(r.Context(), s.principal(), q.ID, answer); err != nil && !errors.Is(err, parley.ErrRepeated) {
		p.failAnswer(w, r, s, q, entered, err)
		return
	}
	http.Redirect(w, r, r.URL.Path, http.StatusSeeOther)
}

// readAnswer turns a form that was sent into the content of an answer.
func readAnswer(q parley.Request, sent url.Values) (json.RawMessage, *entries, error) {
	if q.Mode != parley.Form {
		return nil, nil, nil
	}
	fields, err := fieldsOf(q)
	if err != nil {
		return nil, nil, err
	}
	entered := &entries{sent: sent}
	if isDecision(q, fields) {
		entered.violations = unusedLimits(fields, entered)
	}
	return entered.entered().Content(fields), entered, nil
}

// fieldsOf reads the fields of a stored question. The hub has checked it
// against limits that may be wider than the usual ones.
func fieldsOf(q parley.Request) ([]form.Field, error) {
	if len(q.Schema) == 0 {
		return nil, nil
	}
	schema, err := schemaOf(q)
	if err != nil {
		return nil, err
	}
	return schema.Fields(), nil
}

func schemaOf(q parley.Request) (*form.Schema, error) {
	const wide = 1 << 20
	schema, err := form.Parse(q.Schema, &form.Limits{Bytes: len(q.Schema) + wide, Fields: wide, Depth: wide, Options: wide})
	if err != nil {
		return nil, fmt.Errorf("request %s: its stored schema: %w", q.ID, err)
	}
	return schema, nil
}

// failAnswer shows why an answer was not taken.
func (p *Pages) failAnswer(w http.ResponseWriter, r *http.Request, s session, q parley.Request, entered *entries, err error) {
	var wrong *form.ContentError
	switch {
	case errors.As(err, &wrong) && entered != nil:
		entered.violations = wrong.Violations
		p.showForm(w, r, s, q, entered)
	case errors.Is(err, parley.ErrSettled), errors.Is(err, parley.ErrExpired):
		status := http.StatusConflict
		if errors.Is(err, parley.ErrExpired) {
			status = http.StatusGone
		}
		if settled, getErr := p.hub.Get(r.Context(), s.principal(), q.ID); getErr == nil {
			q = settled
		}
		p.showSettled(w, r, s, q, status)
	case errors.Is(err, parley.ErrQueued):
		p.showQueued(w, r, s, q)
	case errors.Is(err, parley.ErrTooLarge):
		p.fail(w, r, &refusal{
			status: http.StatusRequestEntityTooLarge, heading: "Too long",
			sentence: "That is more than can be sent" + parley.Allowed(err) + ". Go back and shorten it.",
		})
	case errors.Is(err, passkey.ErrNotSigned):
		p.fail(w, r, &refusal{
			status: http.StatusForbidden, heading: "Not signed", cause: err, again: answerPath(q.ID),
			sentence: "This was not signed with a passkey of yours, so nothing was decided. The question is still open.",
		})
	case errors.Is(err, permit.ErrNotYours):
		p.fail(w, r, &refusal{
			status: http.StatusForbidden, heading: "Others decide about this call",
			sentence: "You can take the call back, and nothing else. Go back and use the buttons of the page.",
		})
	case errors.Is(err, parley.ErrAction):
		p.fail(w, r, &refusal{
			status: http.StatusBadRequest, heading: "That could not be read",
			sentence: "It is not clear what you chose. Go back, reload the page and use its buttons.",
		})
	default:
		p.failQuestion(w, r, s, err)
	}
}

// over reports whether a question takes no answer any more. One that nobody
// has swept yet is as good as expired.
func over(q parley.Request) bool { return !q.Pending() || !time.Now().Before(q.Expires) }

// headingOf says what kind of question it is.
func headingOf(q parley.Request) string {
	switch q.Trigger {
	case parley.TriggerApproval:
		return "Your approval is needed"
	case parley.TriggerApprovers:
		return "Others decide about your call"
	case parley.TriggerCredential:
		return "Connect an account"
	}
	return "A question for you"
}

func watch(q parley.Request) *watchView {
	return &watchView{Status: statusPath(q.ID), Then: answerPath(q.ID)}
}

func answerPath(id parley.ID) string { return "/answer/" + string(id) }

func statusPath(id parley.ID) string { return "/auth/status?elicitation_id=" + string(id) }

// sameOrigin reports whether raw is an address of this site.
func (p *Pages) sameOrigin(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && u.Scheme == p.public.Scheme && strings.EqualFold(u.Host, p.public.Host)
}
