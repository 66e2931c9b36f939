package fakenango

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Connection is an account that was connected.
type Connection struct {
	ID          string // default of Put: a new one
	Integration string
	Tags        map[string]string
	Credentials map[string]any // as they are read; default of Put: made up

	created time.Time
	invalid bool
	endUser *endUser
}

// Value returns the secret among the credentials.
func (c Connection) Value() string {
	for _, field := range []string{"access_token", "token", "apiKey", "password"} {
		if v, ok := c.Credentials[field].(string); ok {
			return v
		}
	}
	return ""
}

func (c *Connection) clone() Connection {
	copied := *c
	copied.Tags, copied.Credentials = maps.Clone(c.Tags), maps.Clone(c.Credentials)
	return copied
}

// Connections returns what there is, the oldest first.
func (s *Server) Connections() []Connection {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Connection
	for _, c := range s.connections {
		all = append(all, c.clone())
	}
	return all
}

// Put makes a connection as somebody else with the API key could, and returns
// its id. No webhook is sent.
func (s *Server) Put(c Connection) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	made := c.clone()
	if made.ID == "" {
		made.ID = uuid()
	}
	if made.Credentials == nil {
		made.Credentials = s.opts.Integrations[c.Integration].credentials()
	}
	made.created = time.Now()
	s.connections = append(s.connections, &made)
	return made.ID
}

// Remove deletes a connection, as in Nango's dashboard. No webhook is sent.
func (s *Server) Remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.connections = slices.DeleteFunc(s.connections, func(c *Connection) bool { return c.ID == id })
}

// Invalidate makes a connection's credentials such that they can be neither
// used nor refreshed, until the account is connected again.
func (s *Server) Invalidate(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.connections {
		c.invalid = c.invalid || c.ID == id
	}
}

func (s *Server) find(id, integration string) *Connection {
	for _, c := range s.connections {
		if c.ID == id && c.Integration == integration {
			return c
		}
	}
	return nil
}

// described is a connection without its credentials, as both endpoints have it.
func (s *Server) described(c *Connection) map[string]any {
	d := map[string]any{
		"id": slices.Index(s.connections, c) + 1, "connection_id": c.ID, "provider_config_key": c.Integration,
		"provider": c.Integration, "errors": []any{}, "end_user": nil, "tags": c.Tags, "metadata": nil,
	}
	if c.endUser != nil {
		d["end_user"] = map[string]any{
			"id": c.endUser.ID, "email": nil, "display_name": nil, "tags": map[string]any{},
			"organization": map[string]any{"id": c.endUser.Organization, "display_name": nil},
		}
	}
	return d
}

func (s *Server) getConnection(r *http.Request, _ []byte) reply {
	query := r.URL.Query()
	if !only(query, "provider_config_key", "force_refresh", "refresh_token") || query.Get("provider_config_key") == "" {
		return invalidQuery
	}
	id := query.Get("provider_config_key")
	integration, known := s.opts.Integrations[id]
	if !known {
		return refuse(http.StatusBadRequest, "unknown_provider_config")
	}
	c := s.find(r.PathValue("id"), id)
	switch {
	case c == nil:
		return refuse(http.StatusNotFound, "not_found")
	case c.invalid:
		return refuse(http.StatusFailedDependency, "invalid_credentials")
	}
	if at, err := time.Parse(time.RFC3339, text(c.Credentials["expires_at"])); err == nil && !time.Now().Before(at) {
		c.Credentials = integration.credentials()
	}
	d := s.described(c)
	d["connection_config"], d["webhook_url_override"], d["last_fetched_at"] = map[string]any{}, nil, nil
	d["created_at"] = c.created.UTC().Format("2006-01-02T15:04:05.000+00:00")
	d["updated_at"] = d["created_at"]
	d["credentials"] = c.Credentials
	return reply{http.StatusOK, d}
}

func (s *Server) deleteConnection(r *http.Request, _ []byte) reply {
	query := r.URL.Query()
	if !only(query, "provider_config_key") || query.Get("provider_config_key") == "" {
		return invalidQuery
	}
	c := s.find(r.PathValue("id"), query.Get("provider_config_key"))
	if c == nil {
		return refuse(http.StatusBadRequest, "unknown_connection")
	}
	s.connections = slices.DeleteFunc(s.connections, func(one *Connection) bool { return one == c })
	return reply{http.StatusOK, map[string]any{"success": true}}
}

func (s *Server) listConnections(r *http.Request, _ []byte) reply {
	query := r.URL.Query()
	tags := map[string]string{}
	for name := range query {
		if inner, ok := strings.CutPrefix(name, "tags["); ok && strings.HasSuffix(inner, "]") {
			tags[strings.ToLower(strings.TrimSuffix(inner, "]"))] = query.Get(name)
			query.Del(name)
		}
	}
	limit, page := 10_000, 0
	var limitErr, pageErr error
	if query.Has("limit") {
		limit, limitErr = strconv.Atoi(query.Get("limit"))
	}
	if query.Has("page") {
		page, pageErr = strconv.Atoi(query.Get("page"))
	}
	if !only(query, "connectionId", "endUserId", "endUserOrganizationId", "integrationId", "limit", "page") || !validTags(tags) ||
		limitErr != nil || pageErr != nil || limit < 1 || page < 0 {
		return invalidQuery
	}
	found := []any{}
	for _, c := range slices.Backward(s.connections) {
		if c.matches(query, tags) {
			d := s.described(c)
			d["created"] = c.created.UTC().Format(time.RFC3339)
			found = append(found, d)
		}
	}
	from := min(page*limit, len(found))
	return reply{http.StatusOK, map[string]any{"connections": found[from:min(from+limit, len(found))]}}
}

func (c *Connection) matches(query url.Values, tags map[string]string) bool {
	for name, value := range tags {
		if c.Tags[name] != value {
			return false
		}
	}
	user := endUser{}
	if c.endUser != nil {
		user = *c.endUser
	}
	for name, value := range map[string]string{
		"connectionId": c.ID, "integrationId": c.Integration, "endUserId": user.ID, "endUserOrganizationId": user.Organization,
	} {
		if query.Has(name) && query.Get(name) != value {
			return false
		}
	}
	return true
}

// only reports whether a query has no parameter but these: Nango is strict.
func only(query url.Values, names ...string) bool {
	for name := range query {
		if !slices.Contains(names, name) {
			return false
		}
	}
	return true
}

func text(v any) string {
	t, _ := v.(string)
	return t
}
