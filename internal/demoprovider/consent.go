package demoprovider

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// visitFlow shows the page that a flow is at, or takes what its form sent. Only
// what is posted here comes from our forms.
func (p *Provider) visitFlow(w http.ResponseWriter, r *http.Request) {
	request, ok := p.flows.get(r.PathValue("flow"))
	app, known := p.clients.get(request.client)
	if !ok || !known {
		p.refuseOnPage(w, r, errOver)
		return
	}
	step := ""
	if r.Method == http.MethodPost {
		step = r.PostFormValue("step")
	}
	switch step {
	case "login":
		p.login(w, r, request, app)
	case "switch":
		p.visits.end(w, r)
		p.seeFlow(w, r, request)
	case "allow", "deny":
		p.decide(w, r, request, step == "allow")
	default:
		p.show(w, r, request, app)
	}
}

var errOver = &refusal{"invalid_request", "the request is over, was answered already, or was never made"}

func (p *Provider) show(w http.ResponseWriter, r *http.Request, request flow, app application) {
	visit := p.visits.of(r)
	if loginNeeded(request, visit) {
		p.showLogin(w, request, app, "")
		return
	}
	p.showConsent(w, request, app, visit)
}

func (p *Provider) login(w http.ResponseWriter, r *http.Request, request flow, app application) {
	user := strings.TrimSpace(r.PostFormValue("user"))
	if !userName(user) {
		request.hint = user // the field keeps what was typed
		p.showLogin(w, request, app, "A name has 1 to 64 letters, digits, dots, dashes, underscores or @ signs.")
		return
	}
	p.visits.begin(w, r, user)
	p.flows.change(request.id, func(f *flow) { f.loggedIn = user })
	p.seeFlow(w, r, request)
}

// decide takes the answer of the consent page, if it was shown to the person
// who is signed in now: in another browser, or after a switch in another tab,
// it is shown again.
func (p *Provider) decide(w http.ResponseWriter, r *http.Request, request flow, allow bool) {
	visit := p.visits.of(r)
	if loginNeeded(request, visit) || request.shownTo != visit.user {
		p.seeFlow(w, r, request)
		return
	}
	if _, first := p.flows.take(request.id); !first {
		p.refuseOnPage(w, r, errOver)
		return
	}
	if !allow {
		p.sendBack(w, r, request, &refusal{"access_denied", "the user denied the request"}, "")
		return
	}
	p.sendBack(w, r, request, nil, p.grants.add(grant{
		user: visit.user, client: request.client, redirectURI: request.redirectURI, nonce: request.nonce, challenge: request.challenge,
		scopes: request.scopes, resources: request.resources, signedIn: visit.since.Unix(),
	}))
}

// seeFlow sends the browser to the flow's page, so that reloading it does not
// send the form again.
func (p *Provider) seeFlow(w http.ResponseWriter, r *http.Request, request flow) {
	http.Redirect(w, r, p.flowURL(request), http.StatusSeeOther)
}

func (p *Provider) flowURL(request flow) string { return p.path + authorizeURL + "/" + request.id }

// loginNeeded says whether the login page is next, by the request's prompt and
// max_age.
func loginNeeded(request flow, visit *visit) bool {
	if visit == nil {
		return true
	}
	if request.loggedIn == visit.user {
		return false
	}
	if slices.Contains(request.prompt, "login") || slices.Contains(request.prompt, "select_account") {
		return true
	}
	return request.maxAge != nil && time.Since(visit.since) > time.Duration(*request.maxAge)*time.Second
}

// silent answers prompt=none: consent is always asked for.
func silent(request flow, visit *visit) *refusal {
	if loginNeeded(request, visit) {
		return &refusal{"login_required", "nobody is signed in"}
	}
	return &refusal{"consent_required", "the user must be asked"}
}

func (p *Provider) showLogin(w http.ResponseWriter, request flow, app application, problem string) {
	status := http.StatusOK
	if problem != "" {
		status = http.StatusUnprocessableEntity
	}
	p.pages.render(w, status, loginPage{
		Action: p.flowURL(request), Client: app.label(), Users: p.opts.Users, Hint: request.hint, Problem: problem,
	})
}

func (p *Provider) showConsent(w http.ResponseWriter, request flow, app application, visit *visit) {
	p.flows.change(request.id, func(f *flow) { f.shownTo = visit.user })
	page := consentPage{
		Action: p.flowURL(request), Client: app.label(), User: visit.user,
		Unverified: app.registered, Destination: destination(request.redirectURI), Resources: request.resources,
	}
	for _, name := range request.scopes {
		page.Scopes = append(page.Scopes, scopeLine{Name: name, Sentence: p.opts.Scopes[name]})
	}
	p.pages.render(w, http.StatusOK, page)
}

// destination is what a person should recognise of a redirect URI.
func destination(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Host == "" {
		return uri
	}
	return u.Scheme + "://" + u.Host
}
