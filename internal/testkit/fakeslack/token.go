package fakeslack

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// Grant is what an app is given for a workspace.
type Grant struct {
	AccessToken  string
	RefreshToken string        // empty: the token does not rotate
	ExpiresIn    time.Duration // 0: never
}

// token is an access token.
type token struct {
	value, refresh string
	team           *team // nil: the app's own
	scopes         []string
	expires        time.Time // zero: never
	gone           string    // the error of one that is revoked; empty: it is good
	authedUser     string
}

func (t *token) grant() Grant {
	g := Grant{AccessToken: t.value, RefreshToken: t.refresh}
	if !t.expires.IsZero() {
		g.ExpiresIn = time.Until(t.expires).Round(time.Second)
	}
	return g
}

// install gives the app a token for a workspace. The caller holds the lock.
func (s *Slack) install(t *team, scopes []string) *token {
	t.installed = true
	made := &token{team: t, scopes: slices.Clone(scopes)}
	if s.opts.Rotate {
		made.value, made.refresh = "xoxe.xoxb-1-"+s.random(24), "xoxe-1-"+s.random(24)
		made.expires = s.now().Add(s.opts.TokenTTL)
		s.refreshes[made.refresh] = made
	} else {
		// A workspace has one token that does not rotate, however often the app is
		// installed.
		for _, old := range s.tokens {
			if old.team == t && old.gone == "" && old.expires.IsZero() {
				old.scopes = made.scopes
				return old
			}
		}
		made.value = "xoxb-" + t.id + "-" + s.random(24)
	}
	s.tokens[made.value] = made
	return made
}

// authenticate finds out who calls, or the error's code. The caller holds the lock.
func (s *Slack) authenticate(r *http.Request, a args, m method) (*token, string) {
	value, inHeader := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !inHeader {
		value = a.str("token")
	}
	delete(a, "token")
	if value == "" {
		return nil, "not_authed"
	}
	if value == s.opts.AppToken {
		if !m.app {
			return nil, "not_allowed_token_type"
		}
		return &token{value: value, scopes: []string{"connections:write"}}, ""
	}
	found := s.tokens[value]
	switch {
	case found == nil:
		return nil, "invalid_auth"
	case found.gone != "":
		return nil, found.gone
	case !found.expires.IsZero() && !s.now().Before(found.expires):
		return nil, "token_expired"
	case m.app:
		return nil, "not_allowed_token_type"
	}
	return found, ""
}

// revokeAll ends the tokens of a workspace. The caller holds the lock.
func (s *Slack) revokeAll(t *team, why string) {
	for _, one := range s.tokens {
		if one.team == t && one.gone == "" {
			one.gone = why
		}
	}
}

// uninstall ends an installation and tells the app. The caller holds the lock.
func (s *Slack) uninstall(t *team) {
	if !t.installed {
		return
	}
	s.revokeAll(t, "account_inactive")
	s.event(t, "tokens_revoked", fields{"type": "tokens_revoked", "tokens": fields{"oauth": []string{}, "bot": []string{t.botUser}}})
	s.event(t, "app_uninstalled", fields{"type": "app_uninstalled"})
	t.installed = false
}

func (c *call) authTest() reply {
	if c.team == nil {
		return no("not_allowed_token_type")
	}
	answer := reply{
		"url": "https://" + c.team.domain + ".slack.com/", "team": c.team.name, "user": "parley", "team_id": c.team.id,
		"user_id": c.team.botUser, "bot_id": c.team.botID, "is_enterprise_install": false,
	}
	if !c.token.expires.IsZero() {
		answer["expires_in"] = int(c.token.expires.Sub(c.s.now()).Seconds())
	}
	return answer
}

func (c *call) authRevoke() reply {
	if !c.args.bool("test") {
		c.token.gone = "token_revoked"
	}
	return reply{"revoked": !c.args.bool("test")}
}

func (c *call) appsUninstall() reply {
	if c.args.str("client_id") != c.s.opts.ClientID || c.args.str("client_secret") != c.s.opts.ClientSecret {
		return no("bad_client_secret")
	}
	c.s.uninstall(c.team)
	return reply{}
}
