package gateway

import (
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcptool"
)

// appScheme begins the URIs of user interfaces. Hosts draw what they read there
// for the tool that names it, so it is always said whose it is: the ui://REST of a
// server is ui://SERVER/REST here, whatever REST says.
const appScheme = "ui://"

func ofApp(uri string) bool {
	return len(uri) >= len(appScheme) && strings.EqualFold(uri[:len(appScheme)], appScheme)
}

// appURI is the name here of a server's user interface.
func appURI(server, uri string) string {
	return uri[:len(appScheme)] + server + "/" + uri[len(appScheme):]
}

// splitApp takes such a name apart.
func splitApp(uri string) (server, own string, ok bool) {
	if !ofApp(uri) {
		return "", "", false
	}
	server, rest, ok := strings.Cut(uri[len(appScheme):], "/")
	return server, uri[:len(appScheme)] + rest, ok
}

// showsApps reports whether a client says that it shows user interfaces.
func showsApps(c *mcp.ClientCapabilities) bool { return mcptool.ShowsApps(c) }

// callable reports whether a tool may be called: one that is for its server's
// user interface only where there can be one. A client that shows none would let
// its model call it.
func (g *Gateway) callable(call *mcptool.Call, t target) error {
	if !t.Tool.AppOnly {
		return nil
	}
	if request := call.Request(); g.opts.Expose == Tools && request != nil && showsApps(request.ClientCapabilities()) {
		return nil
	}
	return failed("%s is for the user interface of %s: it cannot be called otherwise.", t.Name, t.Server.Label())
}

// toolMeta is a tool's _meta with the names here of the user interfaces in it. A
// tool has those of its own server; what is no user interface is none.
func toolMeta(server string, meta json.RawMessage) json.RawMessage {
	app := func(raw json.RawMessage) json.RawMessage {
		var uri string
		if json.Unmarshal(raw, &uri) != nil || !ofApp(uri) {
			return nil
		}
		return raw
	}
	return renameApps(server, change(meta, members{
		"ui/resourceUri": app, "openai/outputTemplate": app,
		"ui": func(ui json.RawMessage) json.RawMessage { return change(ui, members{"resourceUri": app}) },
	}))
}

// renameApps gives all user interfaces in a value their names here.
func renameApps(server string, raw json.RawMessage) json.RawMessage {
	var object map[string]json.RawMessage
	switch {
	case len(raw) == 0:
	case raw[0] == '"':
		var uri string
		if json.Unmarshal(raw, &uri) == nil && ofApp(uri) {
			raw, _ = json.Marshal(appURI(server, uri))
		}
	case raw[0] == '[':
		return changeEach(raw, func(one json.RawMessage) json.RawMessage { return renameApps(server, one) })
	case raw[0] == '{' && json.Unmarshal(raw, &object) == nil:
		all := members{}
		for name := range object {
			all[name] = func(one json.RawMessage) json.RawMessage { return renameApps(server, one) }
		}
		return change(raw, all)
	}
	return raw
}
