package fakeslack

import (
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// code is what an app exchanges for a token, once and within ten minutes.
type code struct {
	team     *team
	user     string
	scopes   []string
	redirect string // that the app named when it asked; it must be the same again
	expires  time.Time
	used     bool
}

// consent is the page on which somebody lets an app into their workspace.
var consent = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Parley is requesting permission | Slack</title></head>
<body><h1>Parley is requesting permission to access a Slack workspace</h1>
<form method="post"><label>Workspace <select name="team">{{range .}}<option value="{{.ID}}">{{.Name}}</option>{{end}}</select></label>
<button name="answer" value="allow">Allow</button> <button name="answer" value="cancel">Cancel</button></form></body></html>`))

// showAuthorize shows the consent page.
func (s *Slack) showAuthorize(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	err := s.checkAuthorize(r.URL.Query())
	s.mu.Unlock()
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	type choice struct{ ID, Name string }
	var choices []choice
	s.mu.Lock()
	for _, t := range s.teams {
		if only := r.URL.Query().Get("team"); only == "" || only == t.id {
			choices = append(choices, choice{t.id, t.name})
		}
	}
	s.mu.Unlock()
	slices.SortFunc(choices, func(a, b choice) int { return strings.Compare(a.ID, b.ID) })
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = consent.Execute(w, choices)
}

func (s *Slack) submitAuthorize(w http.ResponseWriter, r *http.Request) {
	to, err := s.authorize(r.URL.Query(), r.FormValue("team"), "", r.FormValue("answer") == "allow")
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	http.Redirect(w, r, to, http.StatusFound)
}

// Allow is a person who follows an app's link to Slack's consent page and allows. It
// returns where Slack sends their browser: to the app, with a code.
func (u *User) Allow(link string) (string, error) { return u.consent(link, true) }

// Cancel is a person who does not allow.
func (u *User) Cancel(link string) (string, error) { return u.consent(link, false) }

func (u *User) consent(link string, allow bool) (string, error) {
	at, err := url.Parse(link)
	if err != nil {
		return "", err
	}
	if !strings.HasSuffix(at.Path, "/oauth/v2/authorize") {
		return "", fmt.Errorf("%s is not Slack's consent page", link)
	}
	return u.slack.authorize(at.Query(), u.Workspace.ID, u.ID, allow)
}

// checkAuthorize looks at what an app asks for. The caller holds the lock.
func (s *Slack) checkAuthorize(q url.Values) error {
	switch redirect := q.Get("redirect_uri"); {
	case q.Get("client_id") != s.opts.ClientID:
		return errors.New("invalid_client_id")
	case len(s.opts.Redirects) > 0 && redirect != "" && !slices.Contains(s.opts.Redirects, redirect):
		return errors.New("bad_redirect_uri")
	case redirect == "" && len(s.opts.Redirects) == 0:
		return errors.New("redirect_uri is missing, and the app has none")
	case q.Get("scope") == "" && q.Get("user_scope") == "":
		return errors.New("invalid_scope")
	}
	return nil
}

// authorize makes a code and returns where the browser goes.
func (s *Slack) authorize(q url.Values, teamID, user string, allow bool) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkAuthorize(q); err != nil {
		return "", err
	}
	t := s.teams[teamID]
	if t == nil {
		return "", errors.New("team_not_found")
	}
	redirect := q.Get("redirect_uri")
	back := url.Values{"state": {q.Get("state")}}
	if allow {
		value := "code." + s.random(16)
		s.codes[value] = &code{team: t, user: user, scopes: strings.Split(q.Get("scope"), ","), redirect: redirect, expires: s.now().Add(10 * time.Minute)}
		back.Set("code", value)
	} else {
		back.Set("error", "access_denied")
	}
	if redirect == "" {
		redirect = s.opts.Redirects[0]
	}
	separator := "?"
	if strings.Contains(redirect, "?") {
		separator = "&"
	}
	return redirect + separator + back.Encode(), nil
}

// oauthAccess gives tokens. The app's credentials are those of basic authentication,
// or arguments.
func (c *call) oauthAccess() reply {
	id, secret, basic := c.r.BasicAuth()
	if !basic {
		id, secret = c.args.str("client_id"), c.args.str("client_secret")
	}
	if id != c.s.opts.ClientID {
		return no("invalid_client_id")
	}
	if secret != c.s.opts.ClientSecret {
		return no("bad_client_secret")
	}
	switch c.args.str("grant_type") {
	case "", "authorization_code":
		return c.exchange()
	case "refresh_token":
		return c.refresh()
	}
	return no("invalid_grant_type")
}

func (c *call) exchange() reply {
	given := c.s.codes[c.args.str("code")]
	switch {
	case given == nil, !c.s.now().Before(given.expires):
		return no("invalid_code")
	case given.used:
		return no("code_already_used")
	case given.redirect != c.args.str("redirect_uri"):
		return no("bad_redirect_uri")
	}
	given.used = true
	made := c.s.install(given.team, given.scopes)
	made.authedUser = given.user
	return c.access(made)
}

// refresh gives a new token for a refresh token, which is then used up. The old access
// token lasts until it expires, as Slack has it.
func (c *call) refresh() reply {
	old := c.s.refreshes[c.args.str("refresh_token")]
	if old == nil || old.gone != "" || !old.team.installed {
		return no("invalid_refresh_token")
	}
	delete(c.s.refreshes, old.refresh)
	made := c.s.install(old.team, old.scopes)
	made.authedUser = old.authedUser
	return c.access(made)
}

func (c *call) access(t *token) reply {
	answer := reply{
		"app_id": AppID, "authed_user": fields{"id": t.authedUser}, "scope": strings.Join(t.scopes, ","), "token_type": "bot",
		"access_token": t.value, "bot_user_id": t.team.botUser, "team": fields{"id": t.team.id, "name": t.team.name},
		"enterprise": nil, "is_enterprise_install": false,
	}
	if t.refresh != "" {
		answer["refresh_token"] = t.refresh
		answer["expires_in"] = int(t.expires.Sub(c.s.now()).Round(time.Second).Seconds())
	}
	return answer
}
