package gateway

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/parley-hq/parley/mcptool"
)

// appNames is what the user interfaces of a server, and what it says of them, are for
// the clients of an endpoint. What they may load and connect to (csp) and do
// (permissions) stays as the server says it.
type appNames struct {
	rename   func(uri string) string // of a user interface
	endpoint string                  // its URL
}

// appNames are those of a server, where the endpoint is that of all.
func (g *Gateway) appNames(server string) appNames {
	return appNames{func(uri string) string { return appURI(server, uri) }, g.resourceOf("")}
}

// ownAppNames are those where the endpoint is the server's: of what the server says, and
// of what the endpoint for all makes of it.
func (g *Gateway) ownAppNames(server string) (said, listed appNames) {
	said = appNames{notOurs, g.resourceOf(server)}
	listed = appNames{func(uri string) string {
		_, own, _ := splitApp(uri)
		return own
	}, said.endpoint}
	return said, listed
}

// notOurs is what a server says of a user interface at an endpoint of its own: as it is,
// unless it means ours.
func notOurs(uri string) string {
	if !mcptool.OwnApp(uri) {
		return uri
	}
	host, rest, _ := strings.Cut(uri[len(appScheme):], "/")
	return appScheme + appHost(host) + "/" + rest
}

// disguised are URIs that begin almost as those of user interfaces do: by such a name one
// program may read another's.
var disguised = regexp.MustCompile(`(?i)^\s*([^:/?#]*\+)?ui\s*(:|%3a)`)

// disguisedApp reports whether a URI is one of these.
func disguisedApp(uri string) bool { return !ofApp(uri) && disguised.MatchString(uri) }

// uris names all user interfaces in a value.
func (n appNames) uris(raw json.RawMessage) json.RawMessage {
	var object map[string]json.RawMessage
	switch {
	case len(raw) == 0:
	case raw[0] == '"':
		var uri string
		if json.Unmarshal(raw, &uri) == nil && ofApp(uri) {
			raw, _ = json.Marshal(n.rename(uri))
		}
	case raw[0] == '[':
		return changeEach(raw, n.uris)
	case raw[0] == '{' && json.Unmarshal(raw, &object) == nil:
		all := members{}
		for name := range object {
			all[name] = n.uris
		}
		return change(raw, all)
	}
	return raw
}

// meta is the _meta of something.
func (n appNames) meta(raw json.RawMessage) json.RawMessage {
	return change(n.uris(raw), members{
		"ui":                  func(ui json.RawMessage) json.RawMessage { return change(ui, members{"domain": n.domain}) },
		"openai/widgetDomain": leaveOut,
		// What our own card and tools say, no server says.
		"parley/open": leaveOut, "parley/ask": leaveOut, "elicitationPending": leaveOut, "elicitationsPending": leaveOut,
	})
}

func leaveOut(json.RawMessage) json.RawMessage { return nil }

// toolMeta is that of a tool. A tool has user interfaces of its own server; what is
// none is left out, and so is what means ours.
func (n appNames) toolMeta(raw json.RawMessage) json.RawMessage {
	app := func(raw json.RawMessage) json.RawMessage {
		var uri string
		if json.Unmarshal(raw, &uri) != nil || !ofApp(uri) || mcptool.OwnApp(n.rename(uri)) {
			return nil
		}
		return raw
	}
	return n.meta(change(raw, members{
		"ui/resourceUri": app, "openai/outputTemplate": app,
		"ui": func(ui json.RawMessage) json.RawMessage { return change(ui, members{"resourceUri": app}) },
	}))
}

// claudeDomain is the form of the origins that Claude gives to user interfaces.
var claudeDomain = regexp.MustCompile(`^[0-9a-f]{32}\.claudemcpcontent\.com$`)

// domain is the origin that a user interface asks its host for. Hosts have them by the
// URL that they know its server by, which is the endpoint's: Claude's is written anew,
// and any other is left out.
func (n appNames) domain(raw json.RawMessage) json.RawMessage {
	var said string
	if json.Unmarshal(raw, &said) != nil || !claudeDomain.MatchString(said) {
		return nil
	}
	sum := sha256.Sum256([]byte(n.endpoint))
	return json.RawMessage(`"` + hex.EncodeToString(sum[:16]) + `.claudemcpcontent.com"`)
}
