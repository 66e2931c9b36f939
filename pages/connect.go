package pages

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/passkey"
	"github.com/parley-hq/parley/vault"
)

// Connections is what the connect pages need of the vault; *vault.Vault is one.
// Every method checks that the question is the principal's before it contacts
// anybody.
type Connections interface {
	// Offer returns what a question asks to connect, and settles it if that is
	// there already.
	Offer(ctx context.Context, p parley.Principal, id parley.ID) (vault.Offer, error)
	// Begin starts an attempt and returns where to send the person; slug is the
	// provider that they agreed to, and shown the other servers that the page named.
	Begin(ctx context.Context, p parley.Principal, id parley.ID, slug string, shown ...vault.Other) (string, error)
	// Callback takes a provider's answer and returns the question it settled.
	Callback(ctx context.Context, p parley.Principal, slug string, answer url.Values) (parley.ID, error)
	// EnterKey takes a key that the person entered.
	EnterKey(ctx context.Context, p parley.Principal, id parley.ID, value string) error
	// Decline settles the question with a no.
	Decline(ctx context.Context, p parley.Principal, id parley.ID) error
}

var _ Connections = (*vault.Vault)(nil)

// connectView is what somebody agrees to before anything happens.
type connectView struct {
	Question questionView
	Action   string // where the form goes
	Method   vault.Method
	Server   string
	Provider string
	Address  *addressView // of the provider
	GoesTo   *addressView // of the server that will get the credential; nil: a program that this site runs
	Others   []otherView  // servers that get it too
	Source   string       // who keeps the credential instead of us
	Scopes   []string
	Params   []string // what else the provider is sent
	Agent    string   // the credential is for this agent, or
	Everyone bool     // for everybody
	KeyError string
	Late     bool      // nobody waits for it any more
	Sign     *signView // it is connected with a passkey
}

var errNoConnections = &refusal{
	status: http.StatusNotFound, heading: "Nothing to connect",
	sentence: "Accounts cannot be connected on this site.",
}

// offered returns the signed-in person and what their question offers to
// connect. If there is nothing to show it has answered the request.
func (p *Pages) offered(w http.ResponseWriter, r *http.Request) (session, vault.Offer, bool) {
	if p.opts.Connections == nil {
		p.fail(w, r, errNoConnections)
		return session{}, vault.Offer{}, false
	}
	s, ok := p.signedIn(w, r)
	if !ok {
		return s, vault.Offer{}, false
	}
	id := parley.ID(r.URL.Query().Get("elicitation_id"))
	offer, err := p.opts.Connections.Offer(r.Context(), s.principal(), id)
	if err == nil && offer.Connected {
		offer.Question, err = p.hub.Get(r.Context(), s.principal(), id)
	}
	switch {
	case err != nil:
		p.failConnect(w, r, s, id, err)
	case offer.Late && offer.Connected:
		p.showLate(w, r, s, offer.Question)
	case over(offer.Question) && !offer.Late:
		p.showSettled(w, r, s, offer.Question, 0)
	case r.PathValue("provider") != "" && r.PathValue("provider") != offer.Slug:
		p.failConnect(w, r, s, id, vault.ErrWrongProvider)
	default:
		return s, offer, true
	}
	return s, offer, false
}

// showConnect says who asks for what, where and for whom. Nothing is sent
// anywhere before the person agrees.
func (p *Pages) showConnect(w http.ResponseWriter, r *http.Request) {
	p.keepReturn(w, r, parley.ID(r.URL.Query().Get("elicitation_id")))
	if server := r.URL.Query().Get("server"); server != "" {
		p.showInvitation(w, r, server)
		return
	}
	if s, offer, ok := p.offered(w, r); ok {
		p.renderConnect(w, r, s, offer, "")
	}
}

func (p *Pages) renderConnect(w http.ResponseWriter, r *http.Request, s session, offer vault.Offer, keyError string) {
	q := offer.Question
	v := connectView{
		Question: viewQuestion(q, s), Action: connectPath(q.ID), Method: offer.Method, Server: offer.Server.Label(),
		Provider: offer.Provider, Scopes: offer.Scopes, Params: offer.Params, Source: keptBy(offer.Server.Auth), Everyone: offer.Key.Scope == vault.Platform, KeyError: keyError, Late: offer.Late,
	}
	if offer.Key.Scope == vault.Mentor {
		v.Agent = offer.Key.Owner
	}
	if offer.Method == vault.ByConsent {
		v.Action = "/oauth/connect/" + url.PathEscape(offer.Slug) + "?elicitation_id=" + string(q.ID)
		address, err := viewAddress(offer.AuthURL)
		if err != nil {
			p.failConnect(w, r, s, q.ID, &vault.ProviderError{Provider: offer.Provider})
			return
		}
		v.Address = &address
		v.Others = p.viewOthers(r.Context(), offer.Others)
	}
	if offer.Server.URL != "" {
		address, err := viewAddress(offer.Server.URL)
		if err != nil { // nobody agrees to what cannot be shown
			p.failConnect(w, r, s, q.ID, fmt.Errorf("%w: server %s: %w", vault.ErrInvalid, offer.Server.Name, err))
			return
		}
		v.GoesTo = &address
	}
	var err error
	if v.Sign, err = p.viewConnectSign(r, s, offer); err != nil {
		p.fail(w, r, err)
		return
	}
	shown := page{Heading: "Connect " + offer.Server.Label(), who: &s, Body: v}
	if v.Sign != nil && v.Sign.Ready {
		shown.Sign = p.layout.sign
	}
	if !offer.Late {
		shown.Watch = &watchView{Status: statusPath(q.ID), Then: connectPath(q.ID)}
		if offer.Method == vault.BySource {
			shown.Watch.Status += "&look=1"
		}
	}
	if keyError != "" {
		shown.Failed, shown.status = true, http.StatusUnprocessableEntity
	}
	p.render(w, r, shown)
}

// takeConnect does what the person chose on the connect page.
func (p *Pages) takeConnect(w http.ResponseWriter, r *http.Request) {
	s, offer, ok := p.offered(w, r)
	if !ok {
		return
	}
	if err := readForm(w, r); err != nil {
		p.fail(w, r, err)
		return
	}
	ctx, who, id := r.Context(), s.principal(), offer.Question.ID
	var to string
	action := r.PostForm.Get("action")
	err := p.checkConnectSigned(ctx, s, offer, action, r.PostForm.Get(assertionField))
	switch {
	case err != nil:
	case action == "decline":
		err = p.opts.Connections.Decline(ctx, who, id)
	case action != "connect":
		err = parley.ErrAction
	case offer.Method == vault.ByKey:
		err = p.opts.Connections.EnterKey(ctx, who, id, r.PostForm.Get("key"))
	case offer.Method == vault.ByConsent && r.PathValue("provider") == "":
		err = vault.ErrWrongProvider // agreed to on a page that named none
	default:
		to, err = p.opts.Connections.Begin(ctx, who, id, offer.Slug, shownOthers(r.PostForm[alsoField])...)
	}
	switch {
	case errors.Is(err, passkey.ErrNotSigned):
		p.fail(w, r, &refusal{
			status: http.StatusForbidden, heading: "Not signed", cause: err, again: connectPath(id),
			sentence: "This was not signed with a passkey of yours, so nothing was connected. You can still connect it.",
		})
	case errors.Is(err, vault.ErrKey):
		p.renderConnect(w, r, s, offer, keyProblem(err))
	case err != nil:
		p.failConnect(w, r, s, id, err)
	case to != "":
		p.forward(w, r, s, to)
	default:
		http.Redirect(w, r, connectPath(id), http.StatusSeeOther)
	}
}

// keyProblem says what is wrong with a key that was entered.
func keyProblem(err error) string {
	switch {
	case errors.Is(err, vault.ErrKeyEmpty):
		return "Nothing was entered. Enter the key or token."
	case errors.Is(err, vault.ErrKeyLong):
		return fmt.Sprintf("This is too long. A key or token has at most %d characters.", vault.MaxKey)
	}
	return "This has a character that a key or token cannot have. Enter it without spaces, line breaks, accents or other signs that are not ASCII."
}

func connectPath(id parley.ID) string {
	return "/auth/connect?elicitation_id=" + url.QueryEscape(string(id))
}

// keptBy says who keeps a credential instead of us, and as what.
func keptBy(a vault.Auth) string {
	if a.Source == "" || a.Integration == "" {
		return a.Source
	}
	return a.Source + ", as " + a.Integration
}
