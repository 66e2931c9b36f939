package nango

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"time"

	"github.com/parley-hq/parley/vault"
)

// Fetch returns the credential of a place as Nango has it now, refreshed if it
// was due. vault.ErrNoCredential when no connection fills the place, or when
// Nango cannot use it any more. ErrAPIKey, ErrIntegration, ErrUnusable and
// ErrRefused need an administrator; ErrUnavailable passes.
//
// A user name with a password comes as basic authentication has it, in base64:
// the server's auth.prefix is "Basic " then.
func (s *Source) Fetch(ctx context.Context, at vault.Place) (vault.Secret, error) {
	p, err := s.load(ctx, at)
	if err != nil {
		return vault.Secret{}, err
	}
	if p.Connection == "" {
		if p, err = s.find(ctx, at, p); err != nil {
			return vault.Secret{}, err
		}
	}
	if p.Connection == "" {
		return vault.Secret{}, vault.ErrNoCredential
	}
	found, err := s.read(ctx, at, p.Connection)
	switch {
	case errors.Is(err, errInvalid):
		return vault.Secret{}, fmt.Errorf("%w: %w", vault.ErrNoCredential, err)
	case errors.Is(err, errGone):
		return vault.Secret{}, s.lose(ctx, at, p.Connection, "it is gone at Nango")
	case err != nil:
		return vault.Secret{}, err
	case found.ID != p.Connection || found.Integration != at.Integration || !p.owns(found.Tags[tagRef]):
		return vault.Secret{}, s.lose(ctx, at, p.Connection, "at Nango it belongs to another place")
	}
	if by, ok := p.opened(found.Tags[tagRef]); ok && by.Ref != p.Ref {
		// It was connected again, and we were not told.
		if _, err := s.update(ctx, at, func(now *place) bool { return now.Connection == p.Connection && now.fill(by, p.Connection) }); err != nil {
			return vault.Secret{}, err
		}
	}
	return found.Credentials.secret()
}

// lose forgets a connection and returns vault.ErrNoCredential, or why that
// failed.
func (s *Source) lose(ctx context.Context, at vault.Place, connection, why string) error {
	if _, err := s.update(ctx, at, func(now *place) bool { return now.empty(connection) }); err != nil {
		return err
	}
	s.opts.Logger.WarnContext(ctx, "connection at Nango forgotten", "why", why,
		"server", at.Server, "scope", at.Scope, "integration", at.Integration)
	return vault.ErrNoCredential
}

// connection is what Nango says of one; lists leave out the credentials.
type connection struct {
	ID          string            `json:"connection_id"`
	Integration string            `json:"provider_config_key"`
	Tags        map[string]string `json:"tags"`
	Credentials credentials       `json:"credentials"`
}

func (s *Source) read(ctx context.Context, at vault.Place, id string) (connection, error) {
	var found connection
	err := s.do(ctx, connectionCall(http.MethodGet, at, id), &found)
	if err != nil {
		return connection{}, fmt.Errorf("connection: %w", err)
	}
	return found, nil
}

func connectionCall(method string, at vault.Place, id string) call {
	return call{
		method: method, path: "/connections/" + url.PathEscape(id),
		query: url.Values{"provider_config_key": {at.Integration}},
	}
}

// Nango gives connections that come of a session a random id. Others could
// have any, and would have to be kept from changing a path.
var idForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,255}$`)

// find looks for a connection that one of the open sessions brought and that
// we were not told of.
func (s *Source) find(ctx context.Context, at vault.Place, p place) (place, error) {
	if len(p.Sessions) == 0 {
		return p, nil
	}
	all, err := s.list(ctx, at)
	if err != nil {
		return p, err
	}
	var id string
	var by session
	for _, one := range all { // the newest first
		brought, ok := p.opened(one.Tags[tagRef])
		if ok && one.Integration == at.Integration && idForm.MatchString(one.ID) && (id == "" || brought.Opened.After(by.Opened)) {
			id, by = one.ID, brought
		}
	}
	if id == "" {
		return p, nil
	}
	s.opts.Logger.InfoContext(ctx, "connection at Nango found without a webhook",
		"server", at.Server, "scope", at.Scope, "integration", at.Integration)
	return s.update(ctx, at, func(now *place) bool {
		by, ok := now.opened(by.Ref) // it may have been forgotten meanwhile
		return ok && now.fill(by, id)
	})
}

// list returns the connections that are tagged with a place.
func (s *Source) list(ctx context.Context, at vault.Place) ([]connection, error) {
	tags, err := whereabouts(at.Key)
	if err != nil {
		return nil, err
	}
	query := url.Values{"integrationId": {at.Integration}, "limit": {"100"}}
	for name, value := range tags {
		query.Set("tags["+name+"]", value)
	}
	var answer struct {
		Connections []connection `json:"connections"`
	}
	if err := s.do(ctx, call{method: http.MethodGet, path: "/connections", query: query}, &answer); err != nil {
		return nil, fmt.Errorf("connections: %w", err)
	}
	return answer.Connections, nil
}

// credentials are those of all types; each has some of the fields.
type credentials struct {
	Type        string `json:"type"`
	AccessToken string `json:"access_token"`
	Token       string `json:"token"`
	APIKey      string `json:"apiKey"`
	Username    string `json:"username"`
	Password    string `json:"password"`
	Expires     string `json:"expires_at"`
}

func (c credentials) secret() (vault.Secret, error) {
	var value string
	switch c.Type {
	case "OAUTH2", "APP", "MCP_OAUTH2", "MCP_OAUTH2_GENERIC":
		value = c.AccessToken
	case "OAUTH2_CC", "JWT", "TWO_STEP", "SIGNATURE":
		value = c.Token
	case "API_KEY":
		value = c.APIKey
	case "BASIC":
		if c.Username != "" || c.Password != "" {
			value = base64.StdEncoding.EncodeToString([]byte(c.Username + ":" + c.Password))
		}
	case "": // Nango leaves credentials out for keys that may not read them
		return vault.Secret{}, fmt.Errorf("%w: it lacks environment:connections:read_credentials", ErrAPIKey)
	default:
		return vault.Secret{}, fmt.Errorf("%w: not one of type %.20q", ErrUnusable, c.Type)
	}
	if value == "" {
		return vault.Secret{}, fmt.Errorf("%w: those of type %s are empty", ErrUnusable, c.Type)
	}
	secret := vault.Secret{Value: value}
	if expires, err := time.Parse(time.RFC3339, c.Expires); err == nil {
		secret.Expires = expires.UTC()
	}
	return secret, nil
}
