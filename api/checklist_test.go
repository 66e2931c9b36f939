package api_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley/api"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/vault"
)

// attached is what the configuration of these tests says.
func attached(o *api.Options) {
	o.Attached = func(_ context.Context, _, server string) (api.Attachment, error) {
		switch server {
		case "tracker":
			return api.Attachment{Agents: []string{"assistant"}}, nil
		case "board":
			return api.Attachment{Gateway: true}, nil
		}
		return api.Attachment{}, nil
	}
}

// missing lists the pieces that are not there.
func missing(r reply) string {
	r.t.Helper()
	var all []string
	for _, one := range r.want(http.StatusOK).at("items").([]any) {
		item := one.(map[string]any)
		if item["ok"] != true {
			all = append(all, item["item"].(string))
		}
		if detail, fix := item["detail"].(string), item["fix"]; detail == "" || (fix == nil) != (item["ok"] == true) {
			r.t.Errorf("%s: %v", r.what, item)
		}
	}
	if ready := r.at("ready"); ready != (len(all) == 0 || len(all) == 1 && all[0] == "connection") {
		r.t.Errorf("%s: ready is %v, and it lacks %v", r.what, ready, all)
	}
	return strings.Join(all, " ")
}

// The metadata of a server is asked for when somebody wants to know, and not before.
func TestTheChecklistLooksAtMetadata(t *testing.T) {
	w := newWorld(t, attached)
	created("/api/servers", `{"name":"named","url":"https://mcp.example/named","auth":{"type":"mcp","scope":"user"}}`)(w)
	created("/api/servers", `{"name":"away","url":"https://mcp.example/away?key=k","auth":{"type":"mcp","scope":"user"}}`)(w)
	item := func(name, query string) string {
		t.Helper()
		for _, one := range w.do("key", http.MethodGet, "/api/servers/"+name+"/checklist"+query, "").want(http.StatusOK).at("items").([]any) {
			if one := one.(map[string]any); one["item"] == "metadata" {
				return fmt.Sprint(one["ok"], " ", one["detail"])
			}
		}
		return ""
	}
	if got := item("named", ""); got != "" {
		t.Errorf("it was looked up without being asked for: %s", got)
	}
	if got := item("named", "?metadata=true"); got != "true The server names https://id.example, whose metadata was found." {
		t.Error(got)
	}
	if got := item("away", "?metadata=true"); !strings.HasPrefix(got, "false ") || !strings.Contains(got, "https://mcp.example/away: ") || strings.Contains(got, "key=") || strings.Contains(got, "dial") {
		t.Error(got)
	}
	if got := item("tracker", "?metadata=true"); got != "" {
		t.Errorf("a server whose provider is configured: %s", got)
	}
}

func TestTheChecklistNamesEachMissingPiece(t *testing.T) {
	w := newWorld(t, attached)
	const path = "/api/servers/board/checklist?user=alice"
	lacks := func(want string) reply {
		t.Helper()
		got := w.do("key", http.MethodGet, path, "")
		if all := missing(got); all != want {
			t.Errorf("lacks %q, not %q: %s", all, want, got.body)
		}
		return got
	}
	patch := func(body string) { w.do("key", http.MethodPatch, "/api/servers/board", body).want(http.StatusOK) }

	w.do("key", http.MethodGet, path, "").refused(http.StatusNotFound)
	created("/api/servers", `{"name":"board","url":"https://board.example/mcp","enabled":false}`)(w)
	got := lacks("service provider client_credentials redirect_uri auth_type auth_scope enabled")
	for _, sentence := range []string{"auth.type is none", "nobody is asked in the chat", "disabled", "PATCH /api/servers/board"} {
		if !strings.Contains(string(got.body), sentence) {
			t.Errorf("%q is not in %s", sentence, got.body)
		}
	}
	patch(`{"enabled":true,"auth":{"type":"oauth2","service":"drive","scope":"user"}}`)
	if got := lacks("service provider client_credentials redirect_uri connection"); !strings.Contains(string(got.body), `names the service \"drive\"`) {
		t.Errorf("%s", got.body)
	}
	created("/api/services", `{"name":"drive","provider":"acme","scopes":["files"]}`)(w)
	if got := lacks("provider client_credentials redirect_uri connection"); !strings.Contains(string(got.body), `The provider \"acme\" is not registered`) {
		t.Errorf("%s", got.body)
	}
	created("/api/providers", acme)(w)
	const uri = "https://parley.example/oauth/callback/acme~acme"
	got = lacks("connection").is("ready", true).is("redirect_uri", uri)
	if !strings.Contains(string(got.body), "exactly this redirect URI with the provider; whether it is, only the provider knows: "+uri) {
		t.Errorf("%s", got.body)
	}
	w.do("key", http.MethodPut, "/api/providers/acme", strings.Replace(acme, secret, "", 1)).want(http.StatusOK)
	if got := lacks("connection"); !strings.Contains(string(got.body), "no client secret") {
		t.Errorf("%s", got.body)
	}
}

func TestTheChecklistLooksAtTheAgentAndThePerson(t *testing.T) {
	w := newWorld(t, attached)
	for query, want := range map[string]string{
		"":                          "",
		"?user=alice":               "connection",
		"?agent=assistant":          "",
		"?agent=other":              "attached",
		"?agent=other&user=alice":   "attached connection",
		"?agent=the%20gateway":      "attached",
		"?agent=assistant&user=bob": "connection",
	} {
		if got := missing(w.do("key", http.MethodGet, "/api/servers/tracker/checklist"+query, "")); got != want {
			t.Errorf("%s: lacks %q, not %q", query, got, want)
		}
	}
	w.connect("alice")
	if got := missing(w.do("key", http.MethodGet, "/api/servers/tracker/checklist?user=alice&agent=assistant", "")); got != "" {
		t.Errorf("lacks %q", got)
	}
	got := w.do("key", http.MethodGet, "/api/servers/notes/checklist", "")
	if all := missing(got); all != "attached" || strings.Contains(string(got.body), "oauth2") {
		t.Errorf("lacks %q: %s", all, got.body)
	}
	if got := missing(newWorld(t, nil).do("key", http.MethodGet, "/api/servers/tracker/checklist", "")); got != "" {
		t.Errorf("where nobody knows what uses a server it lacks %q", got)
	}
}

// What the checklist tells to do must be possible: the configuration does not
// know the servers of the API.
func TestTheChecklistSaysHowAServerOfTheAPIIsUsed(t *testing.T) {
	w := newWorld(t, attached)
	created("/api/servers", `{"name":"mine","url":"https://mine.example/mcp","auth":{"type":"mcp","scope":"user"}}`)(w)
	for query, want := range map[string]string{"": "add gateway: {} to the configuration", "?agent=assistant": `Add \"assistant\" to agents with PATCH /api/servers/mine.`} {
		got := w.do("key", http.MethodGet, "/api/servers/mine/checklist"+query, "")
		if all := missing(got); all != "attached" || !strings.Contains(string(got.body), want) || strings.Contains(string(got.body), "Add mine to") {
			t.Errorf("%s: lacks %q: %s", query, all, got.body)
		}
	}
}

func TestTheChecklistSeesAConnectionThatNoLongerWorks(t *testing.T) {
	w := newWorld(t, nil)
	w.provide("acme", "alice")
	cred, err := w.vault.Credential(t.Context(), vault.Need{Tenant: "acme", Server: "notes", User: "alice"})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.vault.Reject(t.Context(), cred, nil); err != nil {
		t.Fatal(err)
	}
	got := w.do("key", http.MethodGet, "/api/servers/notes/checklist?user=alice", "")
	if all := missing(got); all != "connection" || !strings.Contains(string(got.body), "The connection of alice is rejected.") {
		t.Errorf("lacks %q: %s", all, got.body)
	}
}

func TestTheChecklistRefusesARedirectURIThatProvidersDo(t *testing.T) {
	w := newWorld(t, nil)
	keys, err := seal.New([]byte("a secret of tests, 32 bytes long"))
	if err != nil {
		t.Fatal(err)
	}
	for public, want := range map[string]string{"http://parley.internal": "redirect_uri", "http://127.0.0.1:8420": "", "https://parley.internal": ""} {
		w.vault, err = vault.New(w.hub, w.store, keys, &vault.Options{
			PublicURL: public,
			Providers: []vault.Provider{{Name: "corp", AuthURL: "https://corp.example/a", TokenURL: "https://corp.example/t", ClientID: "c"}},
			Servers:   []vault.Server{{Name: "tracker", URL: "https://tracker.example", Auth: vault.Auth{Type: vault.OAuth2, Scope: vault.User, Provider: "corp"}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		if w.API, err = api.New(w.hub, w.vault, w.permits, w.store, &api.Options{Caller: identify}); err != nil {
			t.Fatal(err)
		}
		got := w.do("key", http.MethodGet, "/api/servers/tracker/checklist", "").is("redirect_uri", public+"/oauth/callback/corp")
		if all := missing(got); all != want {
			t.Errorf("%s: lacks %q, not %q", public, all, want)
		}
	}
}

func TestTheChecklistOfAServerThatNamesItsOwnProvider(t *testing.T) {
	w := newWorld(t, nil)
	created("/api/servers", `{"name":"own","url":"https://own.example/mcp","auth":{"type":"mcp","scope":"user"}}`)(w)
	got := w.do("key", http.MethodGet, "/api/servers/own/checklist", "").is("redirect_uri", "https://parley.example/oauth/callback/mcp.own~acme")
	if all := missing(got); all != "" {
		t.Errorf("lacks %q", all)
	}
	created("/api/servers", `{"name":"kept","url":"https://kept.example/mcp","auth":{"type":"oauth2","scope":"user","source":"nango"}}`)(w)
	got = w.do("key", http.MethodGet, "/api/servers/kept/checklist?user=alice", "").is("redirect_uri", nil)
	if all := missing(got); all != "" || !strings.Contains(string(got.body), "nango") {
		t.Errorf("lacks %q: %s", all, got.body)
	}
	created("/api/servers", `{"name":"lost","url":"https://lost.example/mcp","auth":{"type":"oauth2","scope":"user","source":"nobody"}}`)(w)
	if got = w.do("key", http.MethodGet, "/api/servers/lost/checklist", ""); missing(got) != "provider" || !strings.Contains(string(got.body), "none of this name") {
		t.Errorf("without its source: %s", got.body)
	}
	// Nobody connects an account with what the platform has a key for.
	created("/api/servers", `{"name":"ours","url":"https://ours.example/mcp","auth":{"type":"bearer","scope":"platform"}}`)(w)
	if items := fmt.Sprint(w.do("ada", http.MethodGet, "/api/servers/ours/checklist?user=ada", "").want(http.StatusOK).at("items")); strings.Contains(items, "has not connected") {
		t.Errorf("%s", items)
	}
	w.do("ada", http.MethodGet, "/api/servers/own/checklist", "").want(http.StatusOK) // her own connection is looked at
	if items := fmt.Sprint(w.do("ada", http.MethodGet, "/api/servers/own/checklist", "").at("items")); !strings.Contains(items, "ada has not connected") {
		t.Errorf("%s", items)
	}
}

// A server that takes a token is ready when there is one, or when each person hands in their own.
func TestTheChecklistOfAServerThatTakesAToken(t *testing.T) {
	w := newWorld(t, func(o *api.Options) {
		o.Attached = func(context.Context, string, string) (api.Attachment, error) {
			return api.Attachment{Gateway: true}, nil
		}
	})
	for _, kind := range []string{"bearer", "api_key"} {
		for _, transport := range []string{"http", "a2a"} {
			name := kind + "-" + transport
			created("/api/servers", fmt.Sprintf(`{"name":%q,"transport":%q,"url":"https://safe.example/","auth":{"type":%q,"scope":"user"}}`, name, transport, kind))(w)
			lacks := func(want string) {
				t.Helper()
				got := w.do("key", http.MethodGet, "/api/servers/"+name+"/checklist?user=alice", "")
				if all := missing(got); all != want || strings.Contains(string(got.body), "oauth2") {
					t.Errorf("%s lacks %q, not %q: %s", name, all, want, got.body)
				}
			}
			lacks("connection")
			if err := w.vault.Provide(t.Context(), vault.Need{Tenant: "acme", Server: name, User: "alice"}, secret); err != nil {
				t.Fatal(err)
			}
			lacks("")
			w.do("key", http.MethodPatch, "/api/servers/"+name, `{"auth":{"scope":"mentor"}}`).want(http.StatusOK)
			lacks("")
			w.do("key", http.MethodPatch, "/api/servers/"+name, `{"auth":{"scope":"platform"}}`).want(http.StatusOK)
			lacks("token")
			w.do("key", http.MethodPatch, "/api/servers/"+name, `{"auth":{"token":"`+secret+`"}}`).want(http.StatusOK)
			lacks("")
			w.do("key", http.MethodPatch, "/api/servers/"+name, `{"enabled":false}`).want(http.StatusOK)
			lacks("enabled")
		}
	}
}
