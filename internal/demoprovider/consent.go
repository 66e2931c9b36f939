package demoprovider

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/luikyv/go-oidc/pkg/goidc"
)

// What a flow remembers between its pages.
const (
	storeLoggedIn = "logged_in" // the user who signed in within this flow
	storeShownTo  = "shown_to"  // the user whose consent page was shown
	storeSignedIn = "signed_in" // when that user signed in, in seconds
)

// policy is the one way to authenticate: our two pages.
func (p *Provider) policy() goidc.AuthnPolicy {
	return goidc.NewPolicy("demo", func(_ *http.Request, flow *goidc.AuthnSession, _ *goidc.Client) bool {
		flow.Store = map[string]any{}
		return true
	}, p.authenticate)
}

// authenticate shows the page that a flow is at, or takes what its form sent.
func (p *Provider) authenticate(
	w http.ResponseWriter, r *http.Request, flow *goidc.AuthnSession, c *goidc.Client,
) (goidc.Status, error) {
	visit := p.visits.of(r)
	if prompted(flow, goidc.PromptTypeNone) {
		return goidc.StatusFailure, silentError(flow, visit)
	}
	// An authorization request may be posted too, by any site: only what is
	// posted to the flow itself comes from our forms.
	step := ""
	if r.Method == http.MethodPost && r.PathValue("callback") == flow.ID {
		step = r.PostFormValue("step")
	}
	switch step {
	case "login":
		return p.login(w, r, flow, c)
	case "switch":
		p.visits.end(w, r)
		return p.seeFlow(w, r, flow)
	case "allow", "deny":
		return p.decide(w, r, flow, visit, step == "allow")
	}
	if loginNeeded(flow, visit) {
		return p.showLogin(w, flow, c, "")
	}
	return p.showConsent(w, flow, c, visit)
}

func (p *Provider) login(
	w http.ResponseWriter, r *http.Request, flow *goidc.AuthnSession, c *goidc.Client,
) (goidc.Status, error) {
	user := strings.TrimSpace(r.PostFormValue("user"))
	if !userName(user) {
		flow.LoginHint = user // the field keeps what was typed
		return p.showLogin(w, flow, c, "A name has 1 to 64 letters, digits, dots, dashes, underscores or @ signs.")
	}
	p.visits.begin(w, r, user)
	flow.Store[storeLoggedIn] = user
	return p.seeFlow(w, r, flow)
}

// decide takes the answer of the consent page, if it was shown to the person
// who is signed in now: in another browser, or after a switch in another tab,
// it is shown again.
func (p *Provider) decide(
	w http.ResponseWriter, r *http.Request, flow *goidc.AuthnSession, visit *visit, allow bool,
) (goidc.Status, error) {
	if loginNeeded(flow, visit) || flow.Store[storeShownTo] != visit.user {
		return p.seeFlow(w, r, flow)
	}
	if !allow {
		return goidc.StatusFailure, goidc.NewError(goidc.ErrorCodeAccessDenied, "the user denied the request")
	}
	flow.Subject, flow.Username = visit.user, visit.user
	flow.GrantedScopes, flow.GrantedResources = flow.Scopes, flow.Resources
	flow.Store[storeSignedIn] = visit.since.Unix()
	return goidc.StatusSuccess, nil
}

// seeFlow sends the browser to the flow's page, so that reloading it does not
// send the form again.
func (p *Provider) seeFlow(w http.ResponseWriter, r *http.Request, flow *goidc.AuthnSession) (goidc.Status, error) {
	http.Redirect(w, r, p.flowURL(flow), http.StatusSeeOther)
	return goidc.StatusPending, nil
}

func (p *Provider) flowURL(flow *goidc.AuthnSession) string {
	return p.path + authorizeURL + "/" + flow.ID
}

// loginNeeded says whether the login page is next, by the request's prompt and
// max_age.
func loginNeeded(flow *goidc.AuthnSession, visit *visit) bool {
	if visit == nil {
		return true
	}
	if flow.Store[storeLoggedIn] == visit.user {
		return false
	}
	if prompted(flow, goidc.PromptTypeLogin) || prompted(flow, goidc.PromptTypeSelectAccount) {
		return true
	}
	age := flow.MaxAuthnAgeSecs
	return age != nil && time.Since(visit.since) > time.Duration(*age)*time.Second
}

// silentError answers prompt=none: consent is always asked for.
func silentError(flow *goidc.AuthnSession, visit *visit) error {
	if loginNeeded(flow, visit) {
		return goidc.NewError(goidc.ErrorCodeLoginRequired, "nobody is signed in")
	}
	return goidc.NewError("consent_required", "the user must be asked")
}

func prompted(flow *goidc.AuthnSession, prompt goidc.PromptType) bool {
	return slices.Contains(strings.Fields(string(flow.Prompt)), string(prompt))
}

func (p *Provider) showLogin(
	w http.ResponseWriter, flow *goidc.AuthnSession, c *goidc.Client, problem string,
) (goidc.Status, error) {
	status := http.StatusOK
	if problem != "" {
		status = http.StatusUnprocessableEntity
	}
	p.pages.render(w, status, "login", loginPage{
		Action: p.flowURL(flow), Client: clientName(c), Users: p.opts.Users, Hint: flow.LoginHint, Problem: problem,
	})
	return goidc.StatusPending, nil
}

func (p *Provider) showConsent(
	w http.ResponseWriter, flow *goidc.AuthnSession, c *goidc.Client, visit *visit,
) (goidc.Status, error) {
	flow.Store[storeShownTo] = visit.user
	page := consentPage{
		Action: p.flowURL(flow), Client: clientName(c), User: visit.user,
		Unverified: !p.isKnown(c.ID), Destination: destination(flow.RedirectURI),
	}
	for name := range strings.FieldsSeq(flow.Scopes) {
		page.Scopes = append(page.Scopes, scopeLine{Name: name, Sentence: p.opts.Scopes[name]})
	}
	if len(p.opts.Resources) > 0 {
		page.Resources = flow.Resources
	}
	p.pages.render(w, http.StatusOK, "consent", page)
	return goidc.StatusPending, nil
}

func clientName(c *goidc.Client) string {
	if c.Name == "" {
		return c.ID
	}
	return c.Name
}

// destination is what a person should recognise of a redirect URI.
func destination(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Host == "" {
		return uri
	}
	return u.Scheme + "://" + u.Host
}
