package api

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/parley-hq/parley/vault"
)

// serverPatch is a merge patch of a server. Its members are its description;
// what was sent is kept as it is, since null is not the same as nothing.
type serverPatch struct {
	Title     *string    `json:"title,omitempty" nullable:"true" maxLength:"200" pattern:"^[^\\x00-\\x1f\\x7f]*$"`
	URL       *string    `json:"url,omitempty" maxLength:"2048"`
	Transport *string    `json:"transport,omitempty" enum:"http,a2a" doc:"It stays what it is."`
	Command   []string   `json:"command,omitempty" nullable:"false" doc:"Refused: programs are started by the configuration only."`
	Auth      *authPatch `json:"auth,omitempty"`
	AuthType  *string    `json:"auth_type,omitempty" enum:"none,bearer,api_key,oauth2,mcp" doc:"The same as type in auth."`
	AuthScope *string    `json:"auth_scope,omitempty" enum:"platform,mentor,user" doc:"The same as scope in auth."`
	Approve   *string    `json:"approve,omitempty" enum:"never,unsafe,always,refuse"`
	Enabled   *bool      `json:"enabled,omitempty"`
	Agents    []string   `json:"agents,omitempty" nullable:"true" maxItems:"100"`

	sent map[string]any
}

type authPatch struct {
	Type         *string  `json:"type,omitempty" enum:"none,bearer,api_key,oauth2,mcp"`
	Scope        *string  `json:"scope,omitempty" enum:"platform,mentor,user"`
	Provider     *string  `json:"provider,omitempty" nullable:"true" maxLength:"64"`
	Service      *string  `json:"service,omitempty" nullable:"true" maxLength:"64"`
	Scopes       []string `json:"scopes,omitempty" nullable:"true" maxItems:"100"`
	Header       *string  `json:"header,omitempty" nullable:"true" pattern:"^[A-Za-z0-9-]{1,64}$"`
	Prefix       *string  `json:"prefix,omitempty" nullable:"true" pattern:"^[ -~]{0,64}$"`
	Token        *string  `json:"token,omitempty" nullable:"true" writeOnly:"true" maxLength:"16384"`
	Issuer       *string  `json:"issuer,omitempty" nullable:"true" maxLength:"2048"`
	ClientID     *string  `json:"client_id,omitempty" nullable:"true" maxLength:"2048"`
	ClientSecret *string  `json:"client_secret,omitempty" nullable:"true" writeOnly:"true" maxLength:"16384"`
	Source       *string  `json:"source,omitempty" nullable:"true" maxLength:"64"`
	Integration  *string  `json:"integration,omitempty" nullable:"true" maxLength:"200"`
}

// UnmarshalJSON keeps what was sent.
func (p *serverPatch) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &p.sent) }

func (a *API) patchServer(ctx context.Context, c Caller, in *struct {
	Name string `path:"name" maxLength:"64"`
	Body serverPatch
}) (*answer[serverWire], error) {
	return a.changeServer(ctx, c, in.Name, func(old Server) (serverInput, error) {
		patch, err := spelledOut(in.Body.sent)
		if err != nil {
			return serverInput{}, err
		}
		return patched(old, patch)
	})
}

// spelledOut returns the patch with its short forms in their places, and with
// secrets that are to go as empty ones: left out they would stay.
func spelledOut(sent map[string]any) (map[string]any, error) {
	auth, _ := sent["auth"].(map[string]any)
	if auth == nil {
		auth = map[string]any{}
	}
	for short, member := range map[string]string{"auth_type": "type", "auth_scope": "scope"} {
		value, given := sent[short]
		if !given {
			continue
		}
		if other, twice := auth[member]; twice && other != value {
			return nil, saysOtherwise(short, member)
		}
		auth[member] = value
		delete(sent, short)
	}
	for _, secret := range []string{"token", "client_secret"} {
		if value, given := auth[secret]; given && value == nil {
			auth[secret] = ""
		}
	}
	if len(auth) > 0 {
		sent["auth"] = auth
	}
	return sent, nil
}

// patched is the server as a client would have to write it, with the patch
// applied.
func patched(old Server, patch map[string]any) (in serverInput, err error) {
	auth := written(old)
	now := serverInput{
		Name: old.Name, Title: old.Title, URL: old.URL, Transport: transportOf(old), Approve: string(old.Approve), Enabled: &old.Enabled, Agents: slices.Clone(old.Agents),
		Auth: authInput{
			Type: string(auth.Type), Scope: string(auth.Scope), Provider: auth.Provider, Service: auth.Service, Scopes: slices.Clone(auth.Scopes),
			Header: auth.Header, Prefix: auth.Prefix, Issuer: auth.Issuer, ClientID: auth.ClientID, Source: auth.Source, Integration: auth.Integration,
		},
	}
	data, err := json.Marshal(now)
	if err != nil {
		return in, err
	}
	var members map[string]any
	if err := json.Unmarshal(data, &members); err != nil {
		return in, err
	}
	if data, err = json.Marshal(merge(members, patch)); err != nil {
		return in, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(&in)
	return in, err
}

// transportOf is how a server here is spoken to, as clients write it.
func transportOf(s Server) string {
	if s.Protocol == vault.A2A {
		return string(vault.A2A)
	}
	return "http"
}

// written is what a server takes without the defaults that the vault filled in:
// they may be others after the patch.
func written(s Server) vault.Auth {
	auth := s.Auth
	if auth.Prefix == "Bearer " && auth.Header == "Authorization" {
		auth.Prefix = ""
	}
	if usual := auth.Type == vault.APIKey; usual && auth.Header == "X-Api-Key" || !usual && auth.Header == "Authorization" {
		auth.Header = ""
	}
	if auth.Integration == s.Name {
		auth.Integration = ""
	}
	return auth
}

// merge applies a merge patch (RFC 7396).
func merge(to, patch map[string]any) map[string]any {
	for name, value := range patch {
		switch value := value.(type) {
		case nil:
			delete(to, name)
		case map[string]any:
			below, _ := to[name].(map[string]any)
			if below == nil {
				below = map[string]any{}
			}
			to[name] = merge(below, value)
		default:
			to[name] = value
		}
	}
	return to
}

// withNull says in a description that the members of patches may be null. It is
// taken for each that has a default, and huma describes it for some only.
func withNull(description []byte, patches ...string) ([]byte, error) {
	var document map[string]any
	if err := json.Unmarshal(description, &document); err != nil {
		return nil, err
	}
	components, _ := document["components"].(map[string]any)
	schemas, _ := components["schemas"].(map[string]any)
	for _, patch := range patches {
		schema, _ := schemas[patch].(map[string]any)
		members, _ := schema["properties"].(map[string]any)
		for name, member := range members {
			if member, ok := member.(map[string]any); ok && name != "url" && name != "command" {
				members[name] = orNull(member)
			}
		}
	}
	return json.Marshal(document)
}

func orNull(schema map[string]any) map[string]any {
	if schema["$ref"] != nil {
		return map[string]any{"anyOf": []any{schema, map[string]any{"type": "null"}}}
	}
	if one, ok := schema["type"].(string); ok {
		schema["type"] = []any{one, "null"}
	}
	if values, ok := schema["enum"].([]any); ok {
		schema["enum"] = append(values, nil)
	}
	return schema
}
