package pages

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/pages/markup"
	"github.com/parley-hq/parley/passkey"
	"github.com/parley-hq/parley/permit"
)

// assertionField is the field of a form with what a passkey signed.
const assertionField = "assertion"

// signView is about an approval that is allowed with a passkey.
type signView struct {
	What  string // is done so: "allow this call"
	Rule  string // that wants it
	Ready bool   // the person has a passkey
	Add   string // where they add one; empty: this site has none

	free []string // the values of the options that are not signed
}

// viewSign is nil for what needs no signature.
func (p *Pages) viewSign(r *http.Request, s session, q parley.Request, fields []form.Field) (*signView, error) {
	rule := q.Labels[parley.LabelSign]
	if rule == "" {
		return nil, nil
	}
	v := &signView{What: "allow this call", Rule: rule}
	if isDecision(q, fields) {
		for i, o := range fields[0].Options {
			if o.Value == denies || o.Value == string(permit.AskBack) {
				v.free = append(v.free, form.OptionValue(i))
			}
		}
	}
	return v, p.ready(r, s, v, answerPath(q.ID))
}

// ready finds out whether the person has a passkey. next is where they come back to who
// add one.
func (p *Pages) ready(r *http.Request, s session, v *signView, next string) error {
	if p.opts.Passkeys == nil {
		return nil
	}
	all, err := p.opts.Passkeys.List(r.Context(), s.principal())
	v.Ready, v.Add = len(all) > 0, passkeysPath+"?"+url.Values{"next": {next}}.Encode()
	return err
}

// signs reports whether a choice is one that is signed.
func (v *signView) signs(o optionView) bool {
	return v != nil && !slices.Contains(v.free, o.Value)
}

// offers reports whether a choice can be made: to allow a call needs a passkey.
func (v *signView) offers(o optionView) bool { return v == nil || v.Ready || !v.signs(o) }

func (v *signView) write(w *markup.Writer) {
	switch {
	case v == nil:
	case v.Ready:
		w.Put(`
<p class="hint">To {} you sign with your passkey, as <strong dir="auto">{}</strong> wants. Your device then asks for you.</p>
<p class="error" id="sign-error" role="alert" hidden></p>
<noscript><p class="error">To sign, the page needs JavaScript. You can refuse without.</p></noscript>`, v.What, v.Rule)
	case v.Add != "":
		w.Put(`
<p class="error">To {} you need a passkey, as <strong dir="auto">{}</strong> wants, and you have none here. <a href="{}">Add a passkey</a>, and come back: the question stays open.</p>`, v.What, v.Rule, v.Add)
	default:
		w.Put(`
<p class="error">To {} a passkey is needed, as <strong dir="auto">{}</strong> wants, and this site has none. Tell who runs it.</p>`, v.What, v.Rule)
	}
}

// errNoPasskey is for whoever has none.
var errNoPasskey = errors.New("pages: the person has no passkey")

// askSignature says what a person's passkey has to sign for the answer that is about to be
// sent. It decides nothing: the hub computes it again from the answer itself.
func (p *Pages) askSignature(w http.ResponseWriter, r *http.Request) {
	options, err := p.toSign(w, r)
	p.answerSignature(w, options, err)
}

// answerSignature gives the script of the page what the browser is asked.
func (p *Pages) answerSignature(w http.ResponseWriter, options signOptions, err error) {
	w.Header().Set("Content-Type", "application/json")
	var wrong *form.ContentError
	switch {
	case err == nil:
		writeJSON(w, http.StatusOK, options)
	case errors.As(err, &wrong): // the page shows it, when the form is sent
		writeJSON(w, http.StatusUnprocessableEntity, explainSent(err))
	case errors.Is(err, errNoPasskey):
		writeJSON(w, http.StatusConflict, refusedAnswer{Text: "You have no passkey here any more. Reload the page."})
	default:
		said := explainSent(err)
		writeJSON(w, said.status, said)
	}
}

// signOptions is what the script of the page gives to the browser; null: nothing is signed.
type signOptions struct {
	PublicKey json.RawMessage `json:"publicKey"`
}

func (p *Pages) toSign(w http.ResponseWriter, r *http.Request) (o signOptions, err error) {
	s, err := p.session(r)
	if err != nil {
		return o, err
	}
	q, err := p.hub.Get(r.Context(), s.principal(), parley.ID(r.PathValue("id")))
	if err != nil {
		return o, err
	}
	if err := readForm(w, r); err != nil {
		return o, errUnreadable
	}
	content, entered, err := readAnswer(q, r.PostForm)
	if err != nil {
		return o, err
	}
	if entered != nil && len(entered.violations) > 0 {
		return o, &form.ContentError{Violations: entered.violations}
	}
	schema, err := schemaOf(q)
	if err != nil {
		return o, err
	}
	if content, err = schema.Check(content); err != nil {
		return o, err
	}
	statement, needed := permit.ToSign(q, content)
	if !needed {
		return o, nil
	}
	return p.challenge(r, s, statement)
}

// challenge is what the person's passkeys are asked to sign.
func (p *Pages) challenge(r *http.Request, s session, statement passkey.Statement) (o signOptions, err error) {
	all, err := p.opts.Passkeys.List(r.Context(), s.principal())
	if err == nil && len(all) == 0 {
		err = errNoPasskey
	}
	if err != nil {
		return o, err
	}
	o.PublicKey, err = p.opts.Passkeys.Request(r.Context(), s.principal(), statement.Challenge())
	return o, err
}
