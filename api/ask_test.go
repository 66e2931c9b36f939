package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/api"
)

const whichColour = `{"to":"alice","from":"release bot","message":"Which colour?","requested_schema":{"type":"object","properties":{"theColour":{"type":"string","minLength":1}},"required":["theColour"]},"labels":{"env":"prod"},"ttl":"2d"}`

// asks has a program ask, and returns the path of its question.
func (w *world) asks(who, body string) (string, parley.ID) {
	w.t.Helper()
	id := w.do(who, http.MethodPost, "/api/elicitations", body).want(http.StatusCreated).at("id").(string)
	return "/api/elicitations/" + id, parley.ID(id)
}

func TestAProgramAsksAndIsToldTheAnswerAndNobodyElseIs(t *testing.T) {
	w := newWorld(t, nil)
	created := w.do("ci", http.MethodPost, "/api/elicitations", whichColour).want(http.StatusCreated).
		is("state", "pending").is("to", "alice").is("from", `ci ("release bot")`).is("labels.env", "prod").is("trigger", "program")
	id := created.at("id").(string)
	path := "/api/elicitations/" + id
	if at := created.header.Get("Location"); at != path {
		t.Errorf("location %s", at)
	}
	created.is("answer_url", "https://parley.example/answer/"+id)
	if got := w.do("ci", http.MethodGet, path, ""); string(got.body) != string(created.body) {
		t.Errorf("GET shows something else: %s", got.body)
	}
	w.do("alice", http.MethodGet, path, "").want(http.StatusOK).is("from", `ci ("release bot")`)
	w.answer("alice", parley.ID(id), `{"theColour":"pr1vate"}`)
	w.do("ci", http.MethodGet, path, "").want(http.StatusOK).is("state", "settled").is("outcome.content.theColour", "pr1vate").is("outcome.by", "alice")
	w.do("ada", http.MethodGet, path, "").want(http.StatusOK).is("outcome.content", nil).is("outcome.content_private", true)
	for _, who := range []string{"cd", "bob", "rival"} {
		w.do(who, http.MethodGet, path, "").refused(http.StatusNotFound)
		w.do(who, http.MethodGet, path+"/events", "").refused(http.StatusNotFound)
		w.do(who, http.MethodPost, path+"/cancel", "").refused(http.StatusNotFound)
	}
	w.do("cd", http.MethodGet, "/api/elicitations", "").refused(http.StatusForbidden)
}

// Administrators see and manage all of their tenant, whether they come with a token
// or a key; what was answered is for the person and the program.
func TestAKeyThatManagesTheTenantSeesWhatProgramsAsk(t *testing.T) {
	for _, who := range []string{"ops", "key", "ada"} {
		w := newWorld(t, nil)
		answered, id := w.asks("ci", whichColour)
		open, _ := w.asks("ci", whichColour)
		group, _ := w.asks("ci", `{"group":"oncall","message":"Go?"}`)
		w.answer("alice", id, `{"theColour":"pr1vate"}`)
		w.do(who, http.MethodGet, answered, "").want(http.StatusOK).is("outcome.action", "accept").is("outcome.content", nil).is("outcome.content_private", true)
		for query, want := range map[string]int{"": 5, "?state=pending": 4, "?user=alice": 3, "?user=alice&state=pending": 2} {
			got := w.do(who, http.MethodGet, "/api/elicitations"+query, "").want(http.StatusOK)
			if strings.Contains(string(got.body), "pr1vate") || len(got.at("items").([]any)) != want {
				t.Errorf("%s%s: %s", who, query, got.body)
			}
		}
		w.do(who, http.MethodPost, open+"/cancel", "").want(http.StatusOK).is("outcome.action", "cancel").is("outcome.reason", "withdrawn: by an administrator")
		w.do(who, http.MethodPost, group+"/cancel", "").want(http.StatusOK)
		w.do("ci", http.MethodGet, group, "").want(http.StatusOK).is("outcome.reason", "withdrawn: by an administrator")
		w.do("rival", http.MethodGet, open, "").refused(http.StatusNotFound)
	}
}

// docs/asking.md, "What is checked of a form".
func TestAFormWhosePatternOrFormatNobodyChecksIsAsked(t *testing.T) {
	w := newWorld(t, nil)
	for _, field := range []string{
		`"type":"string","pattern":"^[0-9]+$"`, `"type":"string","pattern":"^(?<year>\\d{4})-\\k<year>$"`, `"type":"string","pattern":"^\\d\\-\\d$"`,
		`"type":"string","format":"time"`, `"type":"boolean","enum":[true,false]`, `"type":["string","null"],"enum":["a",null]`,
	} {
		_, id := w.asks("ci", `{"to":"alice","message":"Really?","requested_schema":{"type":"object","properties":{"a":{`+field+`}}}}`)
		switch {
		case strings.Contains(field, "pattern"):
			w.answer("alice", id, `{"a":"abc"}`)
		case strings.Contains(field, "time"):
			w.answer("alice", id, `{"a":"25:00"}`)
		}
	}
}

func TestTheSameBodyUnderTheSameKeyIsOneQuestion(t *testing.T) {
	w := newWorld(t, nil)
	keyed := strings.Replace(whichColour, `{`, `{"idempotency_key":"k1",`, 1)
	first := w.do("ci", http.MethodPost, "/api/elicitations", keyed).want(http.StatusCreated)
	w.do("ci", http.MethodPost, "/api/elicitations", keyed).want(http.StatusOK).is("id", first.at("id"))
	r := httptest.NewRequest(http.MethodPost, "https://parley.example/api/elicitations", strings.NewReader(whichColour))
	r.Header.Set("Authorization", "Bearer ci")
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", "k1")
	w.send(r).want(http.StatusOK).is("id", first.at("id"))
	twice := r.Clone(t.Context())
	twice.Body = io.NopCloser(strings.NewReader(whichColour))
	twice.Header.Add("Idempotency-Key", "k2")
	w.send(twice).refused(http.StatusUnprocessableEntity, "header.Idempotency-Key", "twice")
	w.do("ci", http.MethodPost, "/api/elicitations", strings.Replace(keyed, "Which", "What", 1)).refused(http.StatusConflict, "another question")
}

func TestAQuestionThatCannotBeAskedSaysWhatToDo(t *testing.T) {
	w := newWorld(t, nil)
	for body, words := range map[string]string{
		`{"to":"carol","message":"Really?"}`:     "add \\\"carol\\\" to the may_ask",
		`{"group":"admins","message":"Really?"}`: "add \\\"group:admins\\\" to the may_ask of this key in auth.api_keys. The group itself has to be in groups.",
	} {
		w.do("ci", http.MethodPost, "/api/elicitations", body).refused(http.StatusForbidden, words)
	}
	w.do("ops", http.MethodPost, "/api/elicitations", `{"to":"alice","message":"Really?"}`).refused(http.StatusForbidden, "asks nobody: it has no may_ask", "manage: true")
	for _, who := range []string{"alice", "ada", "key", "program"} {
		w.do(who, http.MethodPost, "/api/elicitations", `{"to":"alice","message":"Really?"}`).refused(http.StatusForbidden, "with a key")
	}
	for body, words := range map[string]string{
		`{"to":"alice","message":"Really?","colour":1}`:    "body.colour",
		`{"message":"Really?"}`:                            "body.to",
		`{"to":"alice"}`:                                   "body.message",
		`{"to":"alice","message":"Really?","ttl":"soon"}`:  "body.ttl",
		`{"to":"alice","message":"Really?","ttl":"400d"}`:  "400 days, 366 are allowed",
		`{"to":"alice","message":"Really?","ttl":"8785h"}`: "body.ttl",
		`{"to":"alice","message":"Really?","requested_schema":{"type":"object","properties":{"a":{"type":"string"}},"required":["a","nope"]}}`:           "body.requested_schema.required[1]",
		`{"to":"alice","message":"Really?","requested_schema":{"type":"object","properties":{"a":{"type":"string","enum":["Mo","Tu"],"default":"We"}}}}`: "body.requested_schema.properties.a.default",
		`{"to":"alice","message":"Really?","requested_schema":{"type":"object","properties":{"a":{"type":"string","enum":[]}}}}`:                         `"message":"it is a list of one value or more, each of the property's type","location":"body.requested_schema.properties.a.enum"`,
		`{"to":"alice","message":"Really?","requested_schema":{"type":"object","properties":{"a":{"type":"string","enum":[1,2]}}}}`:                      "body.requested_schema.properties.a.enum",
		`{"to":"alice","message":"Really?","requested_schema":{"type":"object","properties":{"a":{"type":"boolean","enum":[]}}}}`:                        "body.requested_schema.properties.a.enum",
		`{"to":"alice","message":"Really?","requested_schema":{"type":"object","properties":{"a":{"type":"string","pattern":"["}}}}`:                     `"message":"it is no regular expression","location":"body.requested_schema.properties.a.pattern"`,
		`{"to":"alice","message":"Really?","requested_schema":{"type":"object","properties":{"a":{"type":"string","pattern":7}}}}`:                       "body.requested_schema.properties.a.pattern",
		`{"group":"oncall","need":3,"message":"Really?"}`:                          "body.need",
		`{"to":"alice","message":"Really?","url":"https://user@bank.example"}`:     "body.url",
		`{"to":"alice","message":"Really?","requested_schema":{"type":"array"}}`:   "body.requested_schema",
		`{"to":"alice","message":"Really?","callback_url":"https://x.example"}`:    "body.callback_url",
		`{"to":"alice","action":{"title":"Go","details":"now"}}`:                   "body.action",
		`{"to":"alice","message":"Really?","labels":{"brief":"x","Title":"Bank"}}`: "body.labels",
		`{"to":"parley-group:oncall","message":"Really?"}`:                         "body.to",
	} {
		who := "ci"
		if strings.Contains(body, "parley-group") {
			who = "cd"
		}
		w.do(who, http.MethodPost, "/api/elicitations", body).refused(http.StatusUnprocessableEntity, words)
	}
	for _, body := range []string{`{"to":"alice","to":"bob","message":"Really?"}`, `{"to":"alice","message":"Really?","requested_schema":{"type":"object","type":"array"}}`} {
		w.do("ci", http.MethodPost, "/api/elicitations", body).refused(http.StatusBadRequest, "twice")
	}
	w.do("ci", http.MethodPost, "/api/elicitations", `{"to":"alice","message":"Look here","url":"https://аpple.com/"}`).refused(http.StatusUnprocessableEntity, "misleading")
	for range 20 {
		w.asks("ci", `{"to":"alice","message":"Really?"}`)
	}
	for range 20 { // bob has room for so many
		w.asks("ci", `{"group":"oncall","message":"Really?"}`)
	}
	w.do("ci", http.MethodPost, "/api/elicitations", `{"group":"oncall","message":"Really?"}`).refused(http.StatusTooManyRequests, "Ask again")
	got := w.do("ci", http.MethodPost, "/api/elicitations", `{"to":"alice","message":"Really?"}`).refused(http.StatusTooManyRequests, "Ask again")
	if got.header.Get("Retry-After") == "" {
		t.Error("it does not say when")
	}
}

func TestADenialIsADenialInEveryList(t *testing.T) {
	w := newWorld(t, nil)
	path, id := w.asks("ci", `{"to":"alice","message":"It is old.","action":{"title":"Drop the table","details":{"tableName":"users"}}}`)
	w.do("alice", http.MethodGet, path, "").is("trigger", "tool_approval").is("outcome", nil)
	w.answer("alice", id, `{"decision":"deny"}`)
	w.do("ci", http.MethodGet, path, "").is("outcome.decision", "deny")
	for _, who := range []string{"alice", "ada"} {
		w.do(who, http.MethodGet, "/api/elicitations", "").is("items.0.outcome.decision", "deny").is("items.0.outcome.action", "accept")
	}
}

func TestAProgramIsToldHowItsQuestionWasDeclined(t *testing.T) {
	w := newWorld(t, nil)
	path, id := w.asks("ci", `{"to":"alice","message":"Really?"}`)
	if err := w.hub.Answer(t.Context(), callers["alice"].Principal, id, parley.Answer{Action: parley.Decline, Via: "page"}); err != nil {
		t.Fatal(err)
	}
	w.do("ci", http.MethodGet, path, "").is("outcome.action", "decline").is("outcome.by", "alice").is("outcome.via", "page")
}

func TestAGroupAnswersForTheProgram(t *testing.T) {
	w := newWorld(t, nil)
	path, _ := w.asks("ci", `{"group":"oncall","need":2,"message":"Which colour?","requested_schema":{"type":"object","properties":{"colour":{"type":"string"}}}}`)
	w.do("ci", http.MethodGet, path, "").is("group", "oncall").is("need", 2.0).is("to", nil)
	w.do("ada", http.MethodGet, path, "").is("group", "oncall")
	for _, who := range []string{"bob", "alice"} {
		w.do(who, http.MethodGet, path, "").refused(http.StatusNotFound)
		id := w.do(who, http.MethodGet, "/api/elicitations?state=pending", "").at("items.0.id").(string)
		w.do("ci", http.MethodGet, "/api/elicitations/"+id, "").refused(http.StatusNotFound)
		w.answer(who, parley.ID(id), `{"colour":"of `+who+`"}`)
		time.Sleep(2 * time.Millisecond) // answers are in order by the millisecond
	}
	w.do("ci", http.MethodGet, path, "").is("outcome.action", "accept").is("outcome.content", nil).
		is("outcome.answers.0.by", "bob").is("outcome.answers.0.content.colour", "of bob").is("outcome.answers.1.by", "alice")
	again, _ := w.asks("ci", `{"group":"oncall","message":"Really?"}`)
	w.do("ada", http.MethodPost, again+"/cancel", "").want(http.StatusOK).is("outcome.action", "cancel")
	if got := w.do("alice", http.MethodGet, "/api/elicitations?state=pending", "").names("id"); got != "" {
		t.Errorf("alice is still asked %s", got)
	}
	w.do("ci", http.MethodGet, again, "").is("outcome.reason", "withdrawn: by an administrator")
}

func TestAProgramWithdrawsItsQuestion(t *testing.T) {
	w := newWorld(t, nil)
	path, _ := w.asks("ci", whichColour)
	w.do("ci", http.MethodPost, path+"/cancel", "").want(http.StatusOK).is("outcome.action", "cancel").is("outcome.reason", "withdrawn: by the program that asked")
	w.do("ci", http.MethodPost, path+"/cancel", "").refused(http.StatusConflict)
}

func TestALongPollEndsWithTheAnswerTheTimeOrTheClient(t *testing.T) {
	w := newWorld(t, nil)
	for _, who := range []string{"ci", "alice"} {
		path, id := w.asks("ci", `{"to":"alice","message":"Really?"}`)
		w.do(who, http.MethodGet, path+"?wait=1", "").want(http.StatusOK).is("state", "pending")
		over := make(chan reply)
		go func() { over <- w.do(who, http.MethodGet, path+"?wait=60", "") }()
		w.answer("alice", id, `{}`)
		(<-over).want(http.StatusOK).is("state", "settled")

		path, _ = w.asks("ci", `{"to":"alice","message":"Really?"}`)
		ctx, gone := context.WithCancel(t.Context())
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "https://parley.example"+path+"?wait=60", nil)
		r.Header.Set("Authorization", "Bearer "+who)
		time.AfterFunc(10*time.Millisecond, gone)
		w.send(r).want(http.StatusOK).is("state", "pending")
	}
	path, _ := w.asks("ci", whichColour)
	w.do("ci", http.MethodGet, path+"?wait=301", "").refused(http.StatusUnprocessableEntity)
}

func TestALongPollTellsNothingToWhoIsSignedOutByNow(t *testing.T) {
	for _, who := range []string{"ci", "alice"} {
		var out atomic.Bool
		w := newWorld(t, func(o *api.Options) {
			o.Caller = func(r *http.Request) (api.Caller, error) {
				if out.Load() {
					return api.Caller{}, api.ErrUnauthenticated
				}
				return identify(r)
			}
		})
		path, id := w.asks("ci", `{"to":"alice","message":"Really?"}`)
		over := make(chan reply)
		go func() { over <- w.do(who, http.MethodGet, path+"?wait=60", "") }()
		time.Sleep(10 * time.Millisecond)
		out.Store(true)
		w.answer("alice", id, `{}`)
		(<-over).refused(http.StatusUnauthorized, "not signed in")
	}
}

func TestEventsTellOfAQuestionUntilItIsSettled(t *testing.T) {
	w := newWorld(t, nil)
	path, id := w.asks("ci", `{"to":"alice","message":"Really?"}`)
	over := make(chan reply)
	go func() { over <- w.do("ci", http.MethodGet, path+"/events", "") }()
	time.Sleep(10 * time.Millisecond)
	w.answer("alice", id, `{}`)
	got := <-over
	events := strings.Split(strings.TrimSpace(string(got.body)), "\n\n")
	if last := events[len(events)-1]; got.header.Get("Content-Type") != "text/event-stream" || !strings.HasPrefix(last, "event: elicitation\ndata: {") || !strings.Contains(last, `"state":"settled"`) {
		t.Errorf("%v: %s", got.header, got.body)
	}
}

// What people see on our pages they trust to be ours, and the pages lead to no
// address that misleads: the program is told so, not the person.
func TestAProgramLeadsNobodyToOurPagesNorAstray(t *testing.T) {
	w := newWorld(t, nil)
	ask := func(host, url string) reply {
		body, err := json.Marshal(map[string]string{"to": "alice", "message": "Look here", "url": url})
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest(http.MethodPost, "https://"+host+"/api/elicitations", bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer ci")
		return w.send(r)
	}
	for _, url := range []string{
		"https://parley.example/device?user_code=SSWL-HMHR", "https://PARLEY.example/", "https://parley.example:443/", "http://parley.example/", "http://parley.example:80/x",
		"https://parley.example./", "https://x@parley.example/", "https://parley.example", "https:parley.example", "https://par\u0433ley.example/",
		"https://example.com/\u202egnp", "https://example.com/\u05d0/100/\u05d1", "https://127.1/", "https://127.1:18600/", "https://2130706433/", "https://0x7f.1/", "https://0177.0.0.1/",
		"https://[::ffff:127.0.0.1]/", "javascript:alert(1)",
	} {
		ask("parley.example", url).refused(http.StatusUnprocessableEntity, "body.url")
	}
	for _, url := range []string{"http://10.1.2.3:8080/device", "https://10.1.2.3:8080/"} { // as the program itself reaches us
		ask("10.1.2.3:8080", url).refused(http.StatusUnprocessableEntity, "body.url", "this server itself")
	}
	for _, url := range []string{"http://localhost:8080/device", "http://127.0.0.1:8080/", "http://[::1]:8080/", "http://x.localhost:8080/"} {
		ask("127.0.0.1:8080", url).refused(http.StatusUnprocessableEntity, "body.url")
	}
	for _, url := range []string{"https://parley.example:8443/x", "https://bücher.example/x", "https://parley.example.evil.example/", "https://example.com/a?b=c#d"} {
		ask("parley.example", url).want(http.StatusCreated)
	}
}
