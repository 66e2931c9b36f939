package a2a

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/a2a/v03"
	"github.com/parley-hq/parley/chat"
)

// document is a card as it is served: the same bytes for everybody.
type document struct {
	text []byte
	etag string
}

// cardAge is how long a card may be kept without asking again.
const cardAge = "public, max-age=300"

// ServeHTTP serves the card to GET and HEAD. It is public, and pages of any site may
// read it.
func (d document) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		chat.Refuse(w, http.StatusMethodNotAllowed, "a card is read with GET")
		return
	}
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", cardAge)
	h.Set("ETag", d.etag)
	h.Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(d.text))
}

// RootCard serves the card of the default agent.
func (a *Agents) RootCard() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o := a.offers[a.opts.DefaultAgent]
		if o == nil {
			chat.Refuse(w, http.StatusNotFound, "there is no default agent here: ask for the card of one by its name")
			return
		}
		o.card.ServeHTTP(w, r)
	})
}

// URL is where the agent is.
func (o *offer) URL() string {
	return o.opts.PublicURL + strings.Replace(Path, "{agent}", url.PathEscape(o.name), 1)
}

// describe makes the cards of an agent: one for everybody, which clients of both
// versions read, and one for those who are signed in, which says what it works with.
func (o *offer) describe() error {
	card := &a2a.AgentCard{
		Name:               o.name,
		Description:        cmp.Or(o.agent.Description, fmt.Sprintf("The agent %q. It acts for a person, and may ask them questions on the way.", o.name)),
		Version:            o.opts.Version,
		DefaultInputModes:  []string{"text/plain", "application/json"},
		DefaultOutputModes: []string{"text/plain", "application/json", "image/png", "image/jpeg", "image/gif", "image/webp"},
		Capabilities: a2a.AgentCapabilities{
			Streaming: true, PushNotifications: o.opts.Post != nil, ExtendedAgentCard: true,
			Extensions: []a2a.AgentExtension{{
				URI: elicitation.URI, Description: "Questions to the person as forms and links, in the status of a task that is interrupted, and answers to them.",
			}},
		},
		Skills: []a2a.AgentSkill{{
			ID: o.name, Name: o.name, Tags: []string{"conversation"},
			Description: cmp.Or(o.agent.Description, "Does what it is told, in words, and asks where a person has to decide."),
		}},
	}
	for _, version := range []a2a.ProtocolVersion{a2a.Version, v03.Version} {
		for _, binding := range []a2a.TransportProtocol{a2a.TransportProtocolJSONRPC, a2a.TransportProtocolHTTPJSON} {
			card.SupportedInterfaces = append(card.SupportedInterfaces, &a2a.AgentInterface{URL: o.URL(), ProtocolBinding: binding, ProtocolVersion: version})
		}
	}
	o.secure(card)
	text, err := union(card)
	if err != nil {
		return fmt.Errorf("a2a: the card of %q: %w", o.name, err)
	}
	digest := sha256.Sum256(text)
	o.card = document{text: text, etag: `"` + hex.EncodeToString(digest[:16]) + `"`}
	o.extend(card)
	return nil
}

// union is a card as clients of both versions read it: 0.3 has some members under names of
// its own. What a token needs is there by the name that protocol buffers have for it, as
// they write it: readers of those take that name as well as the other, @a2a-js/sdk too, and
// a2a-go, which could read nothing of a card where it stands under the other, passes it over.
func union(card *a2a.AgentCard) ([]byte, error) {
	raw, err := json.Marshal(card)
	if err != nil {
		return nil, err
	}
	var both map[string]any
	if err := json.Unmarshal(raw, &both); err != nil {
		return nil, err
	}
	var further []any
	for _, i := range card.SupportedInterfaces {
		switch {
		case i.ProtocolVersion != v03.Version:
		case both["url"] == nil:
			both["url"], both["preferredTransport"] = i.URL, i.ProtocolBinding
		default:
			further = append(further, map[string]any{"url": i.URL, "transport": i.ProtocolBinding})
		}
	}
	both["protocolVersion"], both["additionalInterfaces"] = v03.Version+".0", further
	delete(both, "securityRequirements")
	both["security_requirements"] = requirements(card.SecurityRequirements)
	both["supportsAuthenticatedExtendedCard"], both["security"] = card.Capabilities.ExtendedAgentCard, oldRequirements(card.SecurityRequirements)
	schemes, _ := both["securitySchemes"].(map[string]any)
	for name, scheme := range card.SecuritySchemes {
		if known, ok := schemes[string(name)].(map[string]any); ok {
			maps.Copy(known, oldScheme(scheme))
		}
	}
	return json.MarshalIndent(both, "", "  ")
}

// requirements are what a token needs as protocol buffers write it.
func requirements(all a2a.SecurityRequirementsOptions) []map[string]any {
	var modern []map[string]any
	for _, one := range all {
		schemes := map[string]any{}
		for name, scopes := range one {
			schemes[string(name)] = map[string]any{"list": append([]string{}, scopes...)}
		}
		modern = append(modern, map[string]any{"schemes": schemes})
	}
	return modern
}

// oldRequirements are what a token needs as 0.3 writes it.
func oldRequirements(all a2a.SecurityRequirementsOptions) []map[string][]string {
	var old []map[string][]string
	for _, one := range all {
		needed := map[string][]string{}
		for name, scopes := range one {
			needed[string(name)] = append([]string{}, scopes...)
		}
		old = append(old, needed)
	}
	return old
}

// oldScheme is a security scheme of these cards as 0.3 writes it.
func oldScheme(s a2a.SecurityScheme) map[string]any {
	switch s := s.(type) {
	case a2a.HTTPAuthSecurityScheme:
		return map[string]any{"type": "http", "scheme": s.Scheme, "bearerFormat": s.BearerFormat, "description": s.Description}
	case a2a.OpenIDConnectSecurityScheme:
		return map[string]any{"type": "openIdConnect", "openIdConnectUrl": s.OpenIDConnectURL, "description": s.Description}
	}
	return nil
}

// secure says in a card what tokens are taken: one way is enough.
func (o *offer) secure(card *a2a.AgentCard) {
	metadata := o.opts.PublicURL + strings.Replace(MetadataPath, "{agent}", url.PathEscape(o.name), 1)
	card.SecuritySchemes = a2a.NamedSecuritySchemes{"bearer": a2a.HTTPAuthSecurityScheme{
		Scheme: "Bearer", BearerFormat: "JWT",
		Description: "A token of the person for whom the client acts, for the resource " + o.URL() + ", or the key of a program. " + metadata + " says whose tokens are taken (RFC 9728).",
	}}
	card.SecurityRequirements = a2a.SecurityRequirementsOptions{{"bearer": slices.Clone(o.opts.Scopes)}}
	for i, issuer := range o.opts.Issuers {
		if u, err := url.Parse(issuer); err != nil || u.Scheme != "https" && u.Scheme != "http" {
			continue
		}
		name := a2a.SecuritySchemeName(fmt.Sprintf("issuer%d", i+1))
		card.SecuritySchemes[name] = a2a.OpenIDConnectSecurityScheme{
			OpenIDConnectURL: strings.TrimSuffix(issuer, "/") + "/.well-known/openid-configuration", Description: "Where tokens are issued.",
		}
		card.SecurityRequirements = append(card.SecurityRequirements, a2a.SecurityRequirements{name: slices.Clone(o.opts.Scopes)})
	}
}

// extend makes the card for those who are signed in.
func (o *offer) extend(card *a2a.AgentCard) {
	whole := *card
	whole.Skills = slices.Clone(card.Skills)
	for _, box := range o.agent.Toolboxes {
		whole.Skills = append(whole.Skills, a2a.AgentSkill{
			ID: "tools-" + box.Name(), Name: box.Name(), Tags: []string{"tools"}, Description: "Works with the tools of " + box.Name() + ".",
		})
	}
	for _, name := range o.agent.Delegates {
		about := ""
		if other := o.runtime.Agents()[name]; other != nil {
			about = other.Description
		}
		whole.Skills = append(whole.Skills, a2a.AgentSkill{
			ID: "delegate-" + name, Name: name, Tags: []string{"delegation"}, Description: cmp.Or(about, "Hands work to the agent "+name+"."),
		})
	}
	o.extended = &whole
}

// GetExtendedAgentCard implements a2asrv.RequestHandler.
func (o *offer) GetExtendedAgentCard(context.Context, *a2a.GetExtendedAgentCardRequest) (*a2a.AgentCard, error) {
	return o.extended, nil
}
