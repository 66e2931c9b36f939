package fakenango

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
)

const sessionTime = 30 * time.Minute

// session lets whoever has its token connect one account.
type session struct {
	allowed    []string // empty: all
	connection string   // the one to connect again, if any
	tags       map[string]string
	endUser    *endUser
	expires    time.Time
}

type endUser struct {
	ID           string
	Organization string
}

// sessionBody has the fields of both endpoints that are in use here. Nango
// refuses those that it does not know.
type sessionBody struct {
	AllowedIntegrations []string          `json:"allowed_integrations"`
	ConnectionID        string            `json:"connection_id"`
	IntegrationID       string            `json:"integration_id"`
	Tags                map[string]string `json:"tags"`
	EndUser             *named            `json:"end_user"`
	Organization        *named            `json:"organization"`
}

type named struct {
	ID          string            `json:"id"`
	Email       string            `json:"email"`
	DisplayName string            `json:"display_name"`
	Tags        map[string]string `json:"tags"`
}

var (
	invalidBody  = refuse(http.StatusBadRequest, "invalid_body")
	invalidQuery = refuse(http.StatusBadRequest, "invalid_query_params")
)

func (s *Server) postSession(r *http.Request, raw []byte) reply {
	body, ok := readSession(raw)
	switch {
	case len(r.URL.Query()) > 0:
		return invalidQuery
	case !ok || body.ConnectionID != "" || body.IntegrationID != "" || body.EndUser == nil && body.Tags == nil:
		return invalidBody
	}
	for _, id := range body.AllowedIntegrations {
		if _, known := s.opts.Integrations[id]; !known {
			return invalidBody
		}
	}
	return s.opened(r, &session{allowed: body.AllowedIntegrations, tags: body.allTags(), endUser: body.person()})
}

func (s *Server) postReconnect(r *http.Request, raw []byte) reply {
	body, ok := readSession(raw)
	switch {
	case len(r.URL.Query()) > 0:
		return invalidQuery
	case !ok || body.AllowedIntegrations != nil || s.find(body.ConnectionID, body.IntegrationID) == nil:
		return invalidBody
	}
	return s.opened(r, &session{
		allowed: []string{body.IntegrationID}, connection: body.ConnectionID, tags: body.allTags(), endUser: body.person(),
	})
}

func (s *Server) opened(r *http.Request, one *session) reply {
	token := "nango_connect_session_" + random(32)
	one.expires = time.Now().Add(sessionTime)
	s.sessions[token] = one
	base := s.opts.PublicURL
	if base == "" {
		base = "http://" + r.Host
		if r.TLS != nil {
			base = "https://" + r.Host
		}
	}
	return reply{http.StatusCreated, map[string]any{"data": map[string]any{
		"token":        token,
		"connect_link": strings.TrimSuffix(base, "/") + "/connect-ui/?session_token=" + token,
		"expires_at":   one.expires.UTC().Format("2006-01-02T15:04:05.000Z"),
	}}}
}

func readSession(raw []byte) (sessionBody, bool) {
	var body sessionBody
	in := json.NewDecoder(bytes.NewReader(raw))
	in.DisallowUnknownFields()
	if err := in.Decode(&body); err != nil {
		return body, false
	}
	if u := body.EndUser; u != nil && (u.ID == "" || length(u.ID) > 255) {
		return body, false
	}
	if o := body.Organization; o != nil && length(o.ID) > 255 {
		return body, false
	}
	return body, validTags(body.Tags)
}

var tagForm = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_\-./]{0,63}$`)

func validTags(tags map[string]string) bool {
	seen := map[string]bool{}
	for name, value := range tags {
		lower := strings.ToLower(name)
		if !tagForm.MatchString(name) || value == "" || length(value) > 255 || seen[lower] {
			return false
		}
		seen[lower] = true
	}
	return len(tags) <= 10
}

// length counts as JavaScript does.
func length(s string) int { return len(utf16.Encode([]rune(s))) }

// allTags are those of the end user with those of the session over them, their
// names in lower case.
func (b sessionBody) allTags() map[string]string {
	all := map[string]string{}
	if b.EndUser != nil {
		all["end_user_id"] = b.EndUser.ID
	}
	if b.Organization != nil && b.Organization.ID != "" {
		all["organization_id"] = b.Organization.ID
	}
	for name, value := range b.Tags {
		all[strings.ToLower(name)] = value
	}
	return all
}

func (b sessionBody) person() *endUser {
	if b.EndUser == nil {
		return nil
	}
	u := &endUser{ID: b.EndUser.ID}
	if b.Organization != nil {
		u.Organization = b.Organization.ID
	}
	return u
}

// integration is what a session connects: the first that is allowed.
func (s *Server) integration(one *session) (string, bool) {
	ids := slices.Sorted(maps.Keys(s.opts.Integrations))
	if len(one.allowed) > 0 {
		ids = one.allowed
	}
	if len(ids) == 0 {
		return "", false
	}
	return ids[0], true
}
