package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
)

func TestPeopleSeeTheirOwnQuestionsAndAdministratorsAll(t *testing.T) {
	w := newWorld(t, nil)
	first, second := w.ask("alice", "Which colour?"), w.ask("bob", "Which size?")
	w.open(parley.Request{Tenant: "globex", To: "alice", Message: "Which rival?"})
	w.answer("bob", second, `{"colour":"pr1vate"}`)
	for _, one := range []struct{ who, query, want string }{
		{"key", "", "Which size? Which colour?"},
		{"ada", "", "Which size? Which colour?"},
		{"alice", "", "Which colour?"},
		{"bob", "", "Which size?"},
		{"alice", "?user=alice", "Which colour?"},
		{"key", "?user=alice", "Which colour?"},
		{"key", "?state=pending", "Which colour?"},
		{"key", "?state=settled", "Which size?"},
		{"bob", "?state=pending", ""},
		{"bob", "?state=settled", "Which size?"},
		{"ada", "?user=ada", ""},
	} {
		if got := w.do(one.who, http.MethodGet, "/api/elicitations"+one.query, "").want(http.StatusOK).names("message"); got != one.want {
			t.Errorf("%s sees with %q: %s", one.who, one.query, got)
		}
	}
	w.do("alice", http.MethodGet, "/api/elicitations?user=bob", "").refused(http.StatusForbidden)
	w.do("alice", http.MethodGet, "/api/elicitations/"+string(second), "").refused(http.StatusNotFound)
	w.do("alice", http.MethodGet, "/api/elicitations/"+string(first), "").want(http.StatusOK).
		is("state", "pending").is("from", "tracker").is("requested_schema.properties.colour.type", "string").is("outcome", nil)
	for _, id := range []string{"nonsense", string(parley.NewID())} {
		for _, who := range []string{"key", "alice"} {
			w.do(who, http.MethodGet, "/api/elicitations/"+id, "").refused(http.StatusNotFound)
		}
	}
}

func TestWhatAPersonAnsweredIsPrivate(t *testing.T) {
	w := newWorld(t, nil)
	id := w.ask("bob", "Which size?")
	w.answer("bob", id, `{"colour":"pr1vate"}`)
	path := "/api/elicitations/" + string(id)
	w.do("bob", http.MethodGet, path, "").want(http.StatusOK).is("outcome.content.colour", "pr1vate").is("outcome.content_private", nil).is("outcome.by", "bob")
	for _, who := range []string{"key", "ada"} {
		for _, path := range []string{path, "/api/elicitations", "/api/elicitations?user=bob"} {
			got := w.do(who, http.MethodGet, path, "").want(http.StatusOK)
			if strings.Contains(string(got.body), "pr1vate") || !strings.Contains(string(got.body), `"content_private":true`) {
				t.Errorf("%s reads %s", who, got.body)
			}
		}
	}
	own := w.ask("ada", "Which size?") // an administrator is a person, too
	w.answer("ada", own, `{"colour":"hers"}`)
	w.do("ada", http.MethodGet, "/api/elicitations/"+string(own), "").is("outcome.content.colour", "hers")

	link := w.open(parley.Request{Tenant: "acme", To: "bob", Mode: parley.URL, URL: "https://tracker.example/pr1vate", Message: "Go there"})
	w.do("bob", http.MethodGet, "/api/elicitations/"+string(link), "").is("url", "https://tracker.example/pr1vate")
	w.do("key", http.MethodGet, "/api/elicitations/"+string(link), "").is("url", nil).is("mode", "url")
}

// Where a protocol knows nobody, a session's name is all it takes to speak in it.
func TestTheNamesOfSessionsAreNotTold(t *testing.T) {
	w := newWorld(t, nil)
	bare := w.open(parley.Request{Tenant: "acme", To: "mcp-session:" + secret, Session: secret, Message: "Which colour?"})
	chat := w.open(parley.Request{Tenant: "acme", To: "alice", Session: "chat-1", Message: "Which size?"})
	refusal := w.decided("alice", "deny")
	w.do("key", http.MethodGet, "/api/elicitations", "").want(http.StatusOK)
	w.do("key", http.MethodGet, "/api/elicitations/"+string(bare), "").want(http.StatusOK).is("to", "mcp-session").is("session", nil)
	w.do("key", http.MethodGet, "/api/elicitations/"+string(chat), "").want(http.StatusOK).is("to", "alice").is("session", nil)
	w.do("alice", http.MethodGet, "/api/elicitations/"+string(chat), "").want(http.StatusOK).is("session", "chat-1")
	w.do("key", http.MethodGet, "/api/permissions?user=alice", "").is("items.0.id", refusal).is("items.0.session", nil)
	w.do("alice", http.MethodGet, "/api/permissions", "").is("items.0.session", "chat")
}

func TestAPersonNamedLikeASessionSeesNothingOfIt(t *testing.T) {
	w := newWorld(t, nil)
	bare := w.open(parley.Request{Tenant: "acme", To: "mcp-session:" + secret, Session: "s", Message: "Which colour?"})
	for _, path := range []string{"/api/elicitations", "/api/elicitations/" + string(bare), "/api/permissions"} {
		w.do("impostor", http.MethodGet, path, "").want(http.StatusUnauthorized)
	}
	w.do("impostor", http.MethodPost, "/api/elicitations/"+string(bare)+"/cancel", "").want(http.StatusUnauthorized)
	w.do("key", http.MethodGet, "/api/elicitations/"+string(bare), "").want(http.StatusOK).is("state", "pending")
}

func TestAQuestionIsWithdrawnByItsPersonOrAnAdministrator(t *testing.T) {
	w := newWorld(t, nil)
	for who, reason := range map[string]string{"alice": "withdrawn: by the person who was asked", "key": "withdrawn: by an administrator", "ada": "withdrawn: by an administrator"} {
		path := "/api/elicitations/" + string(w.ask("alice", "Which colour?"))
		w.do("bob", http.MethodPost, path+"/cancel", "").refused(http.StatusNotFound)
		w.do(who, http.MethodPost, path+"/cancel", "").want(http.StatusOK).is("state", "settled").is("outcome.action", "cancel").is("outcome.reason", reason).is("outcome.by", nil)
		if who == "alice" { // the same once more
			w.do(who, http.MethodPost, path+"/cancel", "").want(http.StatusOK).is("outcome.reason", reason)
		} else {
			w.do(who, http.MethodPost, path+"/cancel", "").refused(http.StatusConflict, "settled")
			w.do("alice", http.MethodPost, path+"/cancel", "").refused(http.StatusConflict, "settled")
		}
	}
}

// A model could hold the key of a program, or a person's token.
func TestNothingHereAnswersAQuestionOrApproves(t *testing.T) {
	w := newWorld(t, nil)
	id := string(w.ask("alice", "Which colour?"))
	answers := []string{
		`{"action":"accept"}`, `{"action":"accept","content":{"colour":"red"}}`, `{"outcome":{"action":"accept"}}`, `{"state":"settled"}`, `{"approved":true}`, `{"decision":"allow_once"}`,
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch} {
		for _, path := range []string{"", "/answer", "/accept", "/approve", "/respond", "/response", "/settle", "/decline"} {
			for _, body := range answers {
				got := w.do("alice", method, "/api/elicitations/"+id+path, body)
				got.refused(got.status)
				if got.status != http.StatusNotFound && got.status != http.StatusMethodNotAllowed {
					t.Errorf("%s %s: %d", method, path, got.status)
				}
			}
		}
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch} {
		w.do("key", method, "/api/permissions?user=alice", `{"effect":"allow","server":"tracker","tool":"pay"}`).refused(http.StatusMethodNotAllowed)
	}
	w.do("alice", http.MethodGet, "/api/elicitations/"+id, "").is("state", "pending")
	// What can be sent to withdraw it changes nothing about the outcome.
	w.do("alice", http.MethodPost, "/api/elicitations/"+id+"/cancel", `{"action":"accept","content":{"colour":"red"}}`).want(http.StatusOK).
		is("outcome.action", "cancel").is("outcome.content", nil)
	// No operation of the description takes an action or a decision.
	_, d := document()
	for _, methods := range d.Paths {
		for _, op := range methods {
			if op.RequestBody != nil && (strings.Contains(op.OperationID, "elicitation") || strings.Contains(op.OperationID, "permission")) {
				t.Errorf("%s takes a body", op.OperationID)
			}
		}
	}
	for name, schema := range d.Components.Schemas {
		if !slices.Contains([]string{"Outcome", "Answer", "Approver", "Rule", "RuleInput"}, name) && strings.Contains(fmt.Sprint(schema), "allow_once") {
			t.Errorf("%s has choices that only a person has", name)
		}
	}
}

func TestListsOfQuestionsArePaged(t *testing.T) {
	w := newWorld(t, nil)
	var pending, settled []string
	for i := range 40 {
		id := w.ask("alice", "Which colour?")
		if i == 3 || i == 20 || i == 21 {
			w.answer("alice", id, `{"colour":"red"}`)
			settled = append(settled, string(id))
		} else {
			pending = append(pending, string(id))
		}
	}
	slices.Reverse(pending)
	slices.Reverse(settled)
	for _, who := range []string{"key", "alice"} {
		for _, one := range []struct {
			state string
			limit int
			want  []string
		}{{"pending", 5, pending}, {"settled", 2, settled}, {"settled", 1, settled}, {"settled", 3, settled}, {"pending", 37, pending}, {"pending", 200, pending}} {
			var got []string
			cursor, pages := "", 0
			for {
				page := w.do(who, http.MethodGet, fmt.Sprintf("/api/elicitations?state=%s&limit=%d&cursor=%s", one.state, one.limit, cursor), "").want(http.StatusOK)
				if items := page.at("items").([]any); len(items) > one.limit {
					t.Fatalf("a page of %d", len(items))
				}
				got = append(got, strings.Fields(page.names("id"))...)
				pages++
				next, more := page.at("next_cursor").(string)
				if !more || pages > 100 {
					break
				}
				cursor = next
			}
			if !slices.Equal(got, one.want) {
				t.Errorf("%s, %s by %d: %d in %d pages, not %d", who, one.state, one.limit, len(got), pages, len(one.want))
			}
			if exact := one.state == "pending" && pages != (len(one.want)+one.limit-1)/one.limit; exact {
				t.Errorf("%s, %s by %d: %d pages", who, one.state, one.limit, pages)
			}
		}
	}
	for _, query := range []string{"cursor=nonsense", "limit=0", "limit=201", "limit=x", "state=open", "colour=red"} {
		w.do("key", http.MethodGet, "/api/elicitations?"+query, "").refused(http.StatusUnprocessableEntity, "query."+strings.SplitN(query, "=", 2)[0])
	}
}
