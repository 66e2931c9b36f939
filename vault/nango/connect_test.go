package nango_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/internal/testkit/fakenango"
	"github.com/parley-hq/parley/vault"
	"github.com/parley-hq/parley/vault/nango"
)

// body returns a request's body, and the reference in it, which is taken out.
func body(t *testing.T, r fakenango.Request) (fields map[string]any, ref string) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.Body), &fields); err != nil {
		t.Fatal(err)
	}
	tags := fields["tags"].(map[string]any)
	ref, _ = tags["parley_session"].(string)
	delete(tags, "parley_session")
	return fields, ref
}

func TestASessionIsOpenedWithWhatNangoDocuments(t *testing.T) {
	w := newWorld(t, nil)
	link := w.begin(at("alice", "tracker"), "question-1")
	if !strings.HasPrefix(link, "https://connect.nango.example/connect-ui/?session_token=nango_connect_session_") {
		t.Errorf("link: %s", link)
	}
	requests := w.fake.Requests()
	if len(requests) != 1 || requests[0].Method != http.MethodPost || requests[0].Path != "/connect/sessions" {
		t.Fatalf("requests: %+v", requests)
	}
	got, ref := body(t, requests[0])
	want := map[string]any{
		"allowed_integrations": []any{"tracker"},
		"tags": map[string]any{
			"end_user_id": "alice", "organization_id": "default",
			"parley_question": "question-1", "parley_server": "tracker", "parley_scope": "user",
		},
		"end_user":     map[string]any{"id": "alice"},
		"organization": map[string]any{"id": "default"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(ref) < 26 {
		t.Errorf("the reference has %d characters", len(ref))
	}
	w.begin(at("alice", "tracker"), "question-1")
	if _, again := body(t, w.fake.Requests()[1]); again == ref {
		t.Error("two sessions share a reference")
	}
}

func TestAPlatformAndAnAgentHaveTheirOwnPlaces(t *testing.T) {
	w := newWorld(t, nil)
	platform := vault.Place{Key: vault.Key{Tenant: "acme", Server: "tracker", Scope: vault.Platform}, Integration: "tracker"}
	agent := vault.Place{Key: vault.Key{Tenant: "acme", Server: "tracker", Scope: vault.Mentor, Owner: "platform"}, Integration: "tracker"}
	first := w.join(platform, "q1")
	w.wantValue(platform, first.Value())
	w.wantNone(agent)
	second := w.join(agent, "q2")
	w.wantValue(agent, second.Value())
	w.wantValue(platform, first.Value())
	if got := w.tellings(); len(got) != 2 || got[0].at != platform || got[1].at != agent {
		t.Errorf("told %+v", got)
	}
}

func TestTheSessionIsRememberedBeforeNangoKnowsOfIt(t *testing.T) {
	w := newWorld(t, nil)
	var then string
	w.web.set("nango.example", http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		then = w.records()
		w.fake.ServeHTTP(out, r)
	}))
	w.begin(at("alice", "tracker"), "q")
	if !strings.Contains(then, "user/alice/tracker") {
		t.Errorf("while Nango was asked the records were %q", then)
	}
}

func TestAKnownConnectionIsConnectedAgain(t *testing.T) {
	w := newWorld(t, nil)
	place := at("alice", "tracker")
	first := w.join(place, "q1")
	w.fake.Invalidate(first.ID)
	w.wantNone(place)
	again := w.join(place, "q2")
	if again.ID != first.ID || len(w.fake.Connections()) != 1 {
		t.Errorf("there are %d connections", len(w.fake.Connections()))
	}
	var reconnect fakenango.Request
	for _, r := range w.fake.Requests() {
		if r.Path == "/connect/sessions/reconnect" {
			reconnect = r
		}
	}
	got, _ := body(t, reconnect)
	want := map[string]any{
		"connection_id": first.ID, "integration_id": "tracker",
		"tags": map[string]any{
			"end_user_id": "alice", "organization_id": "default",
			"parley_question": "q2", "parley_server": "tracker", "parley_scope": "user",
		},
		"end_user":     map[string]any{"id": "alice"},
		"organization": map[string]any{"id": "default"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if again.Value() == first.Value() {
		t.Fatal("the fake gave the same token twice")
	}
	w.wantValue(place, again.Value())
	if got := w.tellings(); len(got) != 2 || got[1].question != "q2" {
		t.Errorf("told %+v", got)
	}
}

func TestAConnectionThatIsGoneIsConnectedAnew(t *testing.T) {
	w := newWorld(t, nil)
	place := at("alice", "tracker")
	first := w.join(place, "q1")
	w.fake.Remove(first.ID)
	second := w.join(place, "q2")
	if second.ID == first.ID {
		t.Fatal("it is the same connection")
	}
	w.wantValue(place, second.Value())
}

func TestAConnectPageWithAnUnsafeAddressIsRefused(t *testing.T) {
	for name, public := range map[string]string{
		"http":        "http://connect.nango.example",
		"a script":    "javascript:alert(1)//",
		"loopback":    "http://127.0.0.1:3009",
		"a name":      "https://user@connect.nango.example",
		"a homograph": "https://cоnnect.example", // the o is Cyrillic
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, func(_ *nango.Options, f *fakenango.Options) { f.PublicURL = public })
			link, err := w.Connect(t.Context(), at("alice", "tracker"), "q")
			if !errors.Is(err, nango.ErrLink) || link != "" {
				t.Fatalf("got %q, %v", link, err)
			}
			if strings.Contains(err.Error(), "session") {
				t.Errorf("the error repeats the link: %v", err)
			}
		})
	}
}

func TestNamesThatDoNotFitAreRefusedBeforeNangoIsAsked(t *testing.T) {
	w := newWorld(t, nil)
	place := at(strings.Repeat("é", 255), "tracker")
	w.wantValue(place, w.join(place, "q").Value())
	before := len(w.fake.Requests())
	for _, owner := range []string{"", strings.Repeat("a", 256)} {
		if _, err := w.Connect(t.Context(), at(owner, "tracker"), "q"); !errors.Is(err, nango.ErrName) {
			t.Errorf("%d characters: %v", len(owner), err)
		}
	}
	if n := len(w.fake.Requests()); n != before {
		t.Errorf("Nango was asked %d times", n-before)
	}
}

func TestAnIntegrationThatNangoDoesNotHaveIsNamed(t *testing.T) {
	w := newWorld(t, nil)
	_, err := w.Connect(t.Context(), at("alice", "absent"), "q")
	if !errors.Is(err, nango.ErrRefused) || !strings.Contains(err.Error(), `"absent"`) {
		t.Errorf("got %v", err)
	}
}

func TestOfManySessionsTheNewestAreRemembered(t *testing.T) {
	w := newWorld(t, nil)
	place := at("alice", "tracker")
	var links []string
	for range 9 {
		links = append(links, w.begin(place, "q"))
	}
	w.press(links[0], "connect")
	w.fake.Wait()
	w.wantNone(place)
	w.press(links[1], "connect")
	w.fake.Wait()
	all := w.fake.Connections()
	w.wantValue(place, all[1].Value())
}

func TestASourceNeedsItsKeysAndASafeBaseURL(t *testing.T) {
	good := newWorld(t, nil).opts
	for name, change := range map[string]func(*nango.Options){
		"no API key": func(o *nango.Options) { o.APIKey = "" },
		"no records": func(o *nango.Options) { o.Records = nil },
		"no keyring": func(o *nango.Options) { o.Keys = nil },
		"http":       func(o *nango.Options) { o.BaseURL = "http://nango.example" },
		"no URL":     func(o *nango.Options) { o.BaseURL = "nango.example" },
		"a query":    func(o *nango.Options) { o.BaseURL = "https://nango.example?x=1" },
		"a password": func(o *nango.Options) { o.BaseURL = "https://u:secret-pw@nango.example" },
	} {
		opts := good
		change(&opts)
		s, err := nango.New(&opts)
		if err == nil || s != nil {
			t.Errorf("%s: it was made", name)
		} else if strings.Contains(err.Error(), "secret-pw") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s, err := nango.New(nil); err == nil || s != nil {
		t.Error("it was made of nothing")
	}
}
