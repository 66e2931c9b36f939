package pages

import (
	"errors"
	"net/http"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

// takeCallback takes somebody back from a provider. The vault checks that they
// are who was sent there before it contacts the provider. Whatever happens, the
// code does not stay in the address bar.
func (p *Pages) takeCallback(w http.ResponseWriter, r *http.Request) {
	if p.opts.Connections == nil {
		p.fail(w, r, errNoConnections)
		return
	}
	s, err := p.session(r)
	if errors.Is(err, ErrNotSignedIn) {
		// Not by way of the sign-in page: the code would go along.
		err = &refusal{
			status: http.StatusUnauthorized, heading: "You are not signed in",
			sentence: "Nobody is signed in in this browser, so nothing was connected. Sign in, then open the question's link again.",
			again:    "/login",
		}
	}
	if err != nil {
		p.fail(w, r, err)
		return
	}
	id, err := p.opts.Connections.Callback(r.Context(), s.principal(), r.PathValue("provider"), r.URL.Query())
	if err != nil {
		p.failConnect(w, r, s, id, err)
		return
	}
	http.Redirect(w, r, connectPath(id), http.StatusSeeOther)
}

// failConnect says why an account was not connected, and what can be done.
func (p *Pages) failConnect(w http.ResponseWriter, r *http.Request, s session, id parley.ID, err error) {
	if errors.Is(err, vault.ErrNotConnecting) {
		if q, getErr := p.hub.Get(r.Context(), s.principal(), id); getErr == nil && q.Trigger != parley.TriggerCredential {
			http.Redirect(w, r, answerPath(id), http.StatusSeeOther)
			return
		}
	}
	known, ok := connectRefusal(err)
	if !ok {
		p.failOpen(w, r, s, id, err)
		return
	}
	if known.status >= http.StatusBadRequest {
		p.opts.Logger.WarnContext(r.Context(), "account not connected", "id", id, "err", err)
	}
	shown := page{status: known.status, Heading: known.heading, who: &s}
	v := failureView{Sentence: known.sentence}
	if q, getErr := p.hub.Get(r.Context(), s.principal(), id); getErr == nil {
		switch {
		case stateOf(q) == string(parley.Expire):
			v.Again, v.AgainText = connectPath(id), "Try again" // late, and still possible
		case over(q):
			shown.Settled = p.viewSettled(q)
		default:
			v.Again, v.AgainText, v.Decline = connectPath(id), "Try again", connectPath(id)
		}
	}
	if errors.Is(err, vault.ErrWrongPerson) {
		v.Switch = "/login"
	}
	shown.Body = v
	p.render(w, r, shown)
}

// failOpen shows errors of the question itself.
func (p *Pages) failOpen(w http.ResponseWriter, r *http.Request, s session, id parley.ID, err error) {
	q, getErr := p.hub.Get(r.Context(), s.principal(), id)
	if getErr != nil {
		p.failQuestion(w, r, s, errors.Join(err, getErr))
		return
	}
	p.failAnswer(w, r, s, q, nil, err)
}

// connectRefusal turns the vault's errors into sentences.
func connectRefusal(err error) (*refusal, bool) {
	refused := func(status int, sentence string) (*refusal, bool) {
		return &refusal{status: status, heading: "Not connected", sentence: sentence}, true
	}
	var provider *vault.ProviderError
	switch {
	case errors.As(err, &provider) && provider.Code == "access_denied": // an answer, not a failure
		return refused(http.StatusOK, "You declined at "+provider.Provider+", so it was not connected. To connect it after all, ask for it again where you came from.")
	case errors.As(err, &provider):
		return refused(http.StatusBadGateway, provider.Error())
	case errors.Is(err, vault.ErrState):
		return refused(http.StatusBadRequest, "This attempt to connect is over, was used already, or was never made. Nothing was connected. Open the question's link again and start anew.")
	case errors.Is(err, vault.ErrWrongPerson):
		return refused(http.StatusForbidden, "Somebody else started this, so nothing was connected. If a stranger gave you the link, do not use it.")
	case errors.Is(err, vault.ErrWrongProvider):
		return refused(http.StatusBadRequest, "This belongs to another provider than the one you agreed to, so nothing was connected. Start anew.")
	case errors.Is(err, vault.ErrIssuer):
		return refused(http.StatusForbidden, "The answer does not come from the provider you were sent to, so nothing was connected. Start anew; if it happens again, tell the administrator.")
	case errors.Is(err, vault.ErrNotOpen):
		return refused(http.StatusForbidden, "This service may not use the provider that it asks you to connect, so nothing was connected. Decline it, or tell the administrator.")
	case errors.Is(err, vault.ErrInvalid):
		return refused(http.StatusConflict, "The provider that this asks you to connect is not set up correctly, so nothing was connected. Decline it, or tell the administrator.")
	case errors.Is(err, vault.ErrNotConnecting), errors.Is(err, vault.ErrUnknown), errors.Is(err, vault.ErrSource):
		return refused(http.StatusConflict, "What this question asks to connect was changed or removed meanwhile. Decline it, or tell the administrator.")
	}
	return nil, false
}
