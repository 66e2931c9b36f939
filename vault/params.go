package vault

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// reservedParams are what an authorization request says by itself, or what could
// say the same in other words. Another state, challenge or redirect URI in their
// place would undo what they protect from; another scope would not be what the
// person agreed to.
var reservedParams = []string{
	"authorization_details", "client_id", "client_secret", "code_challenge", "code_challenge_method", "nonce", "redirect_uri",
	"request", "request_uri", "resource", "response_mode", "response_type", "scope", "state",
}

// paramForm leaves out what some providers read as another name: PHP, for one,
// takes "scope[]" and "redirect.uri" for scope and redirect_uri.
var paramForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)

// wrongParam says why a parameter cannot be added to an authorization request.
func wrongParam(name string) error {
	switch {
	case slices.ContainsFunc(reservedParams, func(ours string) bool { return strings.EqualFold(ours, name) }):
		return fmt.Errorf("%q is ours to say", name)
	case !paramForm.MatchString(name):
		return fmt.Errorf("%.70q is no name of a parameter: it has letters, digits, - and _", name)
	}
	return nil
}

// paramProblems says what a provider would add to an authorization request that
// it must not, by its parameters or in the query of its address.
func (p Provider) paramProblems() []error {
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(p.AuthParams)) {
		if err := wrongParam(name); err != nil {
			problems = append(problems, fmt.Errorf("auth_params: %w", err))
		}
	}
	query, err := authQuery(p.AuthURL)
	if err != nil {
		return append(problems, fmt.Errorf("auth_url: its query cannot be read"))
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if err := wrongParam(name); err != nil {
			problems = append(problems, fmt.Errorf("auth_url: %w", err))
		}
	}
	return problems
}

func authQuery(raw string) (url.Values, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return nil, err
	}
	return url.ParseQuery(u.RawQuery)
}

// params are what a provider's settings add to a request, as the page shows it.
func (p Provider) params() []string {
	if p.server != "" {
		return nil // ours
	}
	var all []string
	for name, value := range p.AuthParams {
		all = append(all, name+"="+value)
	}
	query, _ := authQuery(p.AuthURL) // it was read before
	for name, values := range query {
		for _, value := range values {
			all = append(all, name+"="+value)
		}
	}
	slices.Sort(all)
	return all
}
