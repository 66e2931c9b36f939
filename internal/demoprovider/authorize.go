package demoprovider

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// authorize takes an authorization request, by GET or POST.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		p.refuseOnPage(w, r, &refusal{"invalid_request", "the request cannot be read"})
		return
	}
	app, ok := p.clients.get(r.Form.Get("client_id"))
	if !ok {
		p.refuseOnPage(w, r, &refusal{"invalid_client", "the application is not known"})
		return
	}
	if !app.redirectsTo(r.Form.Get("redirect_uri")) {
		p.refuseOnPage(w, r, &refusal{"invalid_request", "the application may not be answered there"})
		return
	}
	request, refused := p.parseRequest(r.Form, app)
	if refused == nil && slices.Contains(request.prompt, "none") {
		refused = silent(request, p.visits.of(r))
	}
	if refused != nil {
		p.sendBack(w, r, request, refused, "")
		return
	}
	p.show(w, r, p.flows.open(request), app)
}

// parseRequest reads a request whose application and redirect URI are certain.
func (p *Provider) parseRequest(form url.Values, app application) (flow, *refusal) {
	request := flow{
		client: app.id, redirectURI: form.Get("redirect_uri"), state: form.Get("state"), nonce: form.Get("nonce"), challenge: form.Get("code_challenge"),
		scopes: strings.Fields(form.Get("scope")), prompt: strings.Fields(form.Get("prompt")), hint: form.Get("login_hint"),
	}
	if age, err := strconv.Atoi(form.Get("max_age")); err == nil {
		request.maxAge = &age
	}
	const shortest, longest = 43, 128 // RFC 7636, section 4.2
	switch {
	case form.Get("response_type") != "code":
		return request, &refusal{"invalid_request", "response_type is not code"}
	case form.Get("code_challenge_method") != "S256", len(request.challenge) < shortest, len(request.challenge) > longest:
		return request, &refusal{"invalid_request", "a code_challenge by S256 is required"}
	case form.Has("request"), form.Has("request_uri"), form.Get("response_mode") != "" && form.Get("response_mode") != "query":
		return request, &refusal{"invalid_request", "a parameter is not supported"}
	case !contains(app.scopes, request.scopes):
		return request, &refusal{"invalid_scope", "a scope is not known"}
	}
	if len(p.opts.Resources) > 0 {
		request.resources = form["resource"]
	}
	if !contains(p.opts.Resources, request.resources) {
		return request, &refusal{"invalid_target", "a resource is not known"}
	}
	return request, nil
}

// contains reports whether all of some are in all.
func contains(all, some []string) bool {
	return !slices.ContainsFunc(some, func(one string) bool { return !slices.Contains(all, one) })
}

// sendBack sends the browser to the application, with a code or with an error.
func (p *Provider) sendBack(w http.ResponseWriter, r *http.Request, request flow, refused *refusal, code string) {
	to, err := url.Parse(request.redirectURI)
	if err != nil {
		p.refuseOnPage(w, r, &refusal{"invalid_request", "the application's address cannot be read"})
		return
	}
	query := to.Query()
	query.Set("iss", p.opts.Issuer) // RFC 9207
	if request.state != "" {
		query.Set("state", request.state)
	}
	if refused != nil {
		p.logRefusal(r.Context(), refused)
		query.Set("error", refused.code)
		query.Set("error_description", refused.description)
	} else {
		query.Set("code", code)
	}
	to.RawQuery = query.Encode()
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, to.String(), http.StatusSeeOther)
}
