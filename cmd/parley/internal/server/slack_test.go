package server_test

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley/internal/testkit/fakeslack"
	"github.com/parley-hq/parley/internal/visitor"
)

// signedInAt is somebody at a development server.
func signedInAt(t *testing.T, server, person string) *visitor.Visitor {
	t.Helper()
	v := visitor.New()
	t.Cleanup(v.Leave)
	if err := v.Send(t.Context(), server+"/login", url.Values{"user": {person}}); err != nil {
		t.Fatal(err)
	}
	return v
}

// withSlack is a server with a Slack of its own.
func withSlack(t *testing.T, more string) (server string, slack *fakeslack.Slack, acme *fakeslack.Workspace) {
	t.Helper()
	slack = fakeslack.New(nil)
	t.Cleanup(slack.Close)
	acme = slack.AddWorkspace("Acme")
	if strings.Contains(more, "xoxb") {
		more = strings.ReplaceAll(more, "xoxb", acme.Install().AccessToken)
	}
	server = started(t, `
people: {root: {admin: true}}
slack: {signing_secret: `+slack.SigningSecret()+`, api_url: "`+slack.API()+`", `+more+"}\n")
	slack.SetURLs(server+"/slack/events", server+"/slack/interactions")
	return server, slack, acme
}

func slackPatience(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// linkShown is the path of the link that somebody is given.
func linkShown(t *testing.T, in *fakeslack.Channel, who *fakeslack.User) string {
	t.Helper()
	m, err := in.WaitForSeen(slackPatience(t), who, func(m fakeslack.Message) bool { return m.Has("parley_link") })
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(m.Button("parley_link")["url"].(string))
	if err != nil {
		t.Fatal(err)
	}
	return u.RequestURI()
}

func TestAMessageInSlackGoesOnOnceItsAuthorIsLinkedOnThePage(t *testing.T) {
	server, slack, acme := withSlack(t, "bot_token: xoxb")
	if err := slack.Verify(); err != nil {
		t.Fatal(err)
	}
	ann, general := acme.AddUser("ann"), acme.AddChannel("general")
	asked := ann.Mention(general, "hello")
	link := linkShown(t, general, ann)
	alice := signedInAt(t, server, "alice")
	if err := alice.Open(t.Context(), link); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Is this you in Slack?", "Acme", acme.ID, "ann", ann.ID, "Then refuse", "alice"} {
		if !strings.Contains(alice.Text(), want) {
			t.Errorf("the page does not say %q: %s", want, alice.Text())
		}
	}
	if err := alice.Press(t.Context(), "This is me", nil); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(alice.Text(), "Your Slack account is linked") {
		t.Error(alice.Text())
	}
	if _, err := general.WaitFor(slackPatience(t), func(m fakeslack.Message) bool { return m.FromApp && m.ThreadTS == asked.TS && !m.Streaming }); err != nil {
		t.Fatal(err)
	}
	bert := signedInAt(t, server, "bert")
	if err := bert.Open(t.Context(), link); err == nil || !strings.Contains(bert.Text(), "used already") {
		t.Errorf("%v: %s", err, bert.Text())
	}
	if err := alice.Open(t.Context(), "/slack/link"); err != nil || !strings.Contains(alice.Text(), ann.ID) {
		t.Fatalf("%v: %s", err, alice.Text())
	}
	if err := bert.Open(t.Context(), server+"/slack/link"); err != nil || strings.Contains(bert.Text(), ann.ID) {
		t.Errorf("%v: %s", err, bert.Text())
	}
	if err := alice.Press(t.Context(), "Unlink", nil); err != nil || !strings.Contains(alice.Text(), "no longer linked") {
		t.Errorf("%v: %s", err, alice.Text())
	}
	var recorded []string
	for _, e := range entriesOf(t, server, "slack.unlinked") {
		if strings.HasPrefix(e.What, "slack.") {
			recorded = append(recorded, e.What+" "+e.By+" "+e.Via+" "+e.Target)
		}
	}
	of := " alice dev " + acme.ID + "/" + ann.ID
	if !slices.Equal(recorded, []string{"slack.linked" + of, "slack.unlinked" + of}) {
		t.Errorf("the chain has %q", recorded)
	}
}

// Whoever is signed in when the form is sent is who it was shown to.
func TestALinkIsDecidedByWhomThePageWasShownTo(t *testing.T) {
	server, _, acme := withSlack(t, "bot_token: xoxb")
	ann := acme.AddUser("ann")
	ann.Say(ann.DM(), "hello")
	link, err := url.Parse(linkShown(t, ann.DM(), ann))
	if err != nil {
		t.Fatal(err)
	}
	alice := signedInAt(t, server, "alice")
	form := url.Values{"token": link.Query()["token"], "decision": {"allow"}, "as": {"somebody else"}}
	if err := alice.Send(t.Context(), server+"/slack/link", form); err == nil || !strings.Contains(alice.Text(), "somebody else now") {
		t.Errorf("%v: %s", err, alice.Text())
	}
	// Another site's form changes nothing.
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server+"/slack/link", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", formKind)
	r.Header.Set("Origin", "https://evil.example")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	answer, err := alice.Browser.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusForbidden {
		t.Error(answer.Status)
	}
	if err := alice.Open(t.Context(), server+"/slack/link"); err != nil || !strings.Contains(alice.Text(), "No Slack account is linked") {
		t.Errorf("%v: %s", err, alice.Text())
	}
}

// installAt is where at Slack a browser is sent.
func installAt(t *testing.T, v *visitor.Visitor, server string) (to string, status int) {
	t.Helper()
	client := *v.Browser
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server+"/slack/install", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer.Header.Get("Location"), answer.StatusCode
}

func TestAnAdministratorInstallsTheAppInSlack(t *testing.T) {
	server, slack, acme := withSlack(t, "client_id: \"1111.2222\", client_secret: fake-client-secret")
	ann := acme.AddUser("ann")
	if _, status := installAt(t, signedInAt(t, server, "alice"), server); status != http.StatusForbidden {
		t.Errorf("somebody who is none: %d", status)
	}
	root := signedInAt(t, server, "root")
	to, status := installAt(t, root, server)
	if status != http.StatusSeeOther {
		t.Fatal(status)
	}
	back, err := ann.Allow(to)
	if err != nil {
		t.Fatal(err)
	}
	alice, again := signedInAt(t, server, "alice"), signedInAt(t, server, "root")
	for name, v := range map[string]*visitor.Visitor{"who is none": alice, "in another browser": again} {
		if err := v.Open(t.Context(), back); err == nil {
			t.Errorf("%s: %s", name, v.Text())
		}
	}
	if got := slack.Count("oauth.v2.access"); got != 0 {
		t.Errorf("%d codes were exchanged", got)
	}
	if err := root.Open(t.Context(), back); err != nil || !strings.Contains(root.Text(), "“Acme”") {
		t.Fatalf("%v: %s", err, root.Text())
	}
	ann.Say(ann.DM(), "hello")
	linkShown(t, ann.DM(), ann)
}

// Slack comes from few addresses: what strangers may send does not count for it.
func TestSlackIsNotLimitedAsAStranger(t *testing.T) {
	_, slack, acme := withSlack(t, "bot_token: xoxb}\nlimits: {anonymous: {per_second: 0.01, burst: 1}")
	ann, general := acme.AddUser("ann"), acme.AddChannel("general")
	for range 20 {
		ann.Mention(general, "hello")
	}
	if err := slack.Wait(slackPatience(t)); err != nil {
		t.Fatal(err)
	}
	for _, d := range slack.Deliveries("app_mention") {
		if len(d.Attempts) != 1 || !d.Taken() {
			t.Errorf("%+v", d.Attempts)
		}
	}
}

// TestWhoIsNotSlackIsToldToWait: at its addresses, and what Slack itself sends from there is
// taken all the same.
func TestWhoIsNotSlackIsToldToWait(t *testing.T) {
	server, slack, acme := withSlack(t, "bot_token: xoxb}\nlimits: {failures: "+slowly)
	ann, general := acme.AddUser("ann"), acme.AddChannel("general")
	body := `{"type":"url_verification","challenge":"hello"}`
	var got []int
	for i := range 7 {
		path, header := "/slack/events", fakeslack.Sign("another secret", []byte(body), time.Now())
		if i%2 == 1 {
			path, header = "/slack/interactions", http.Header{}
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = header
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		said, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		got = append(got, answer.StatusCode)
		if answer.StatusCode == http.StatusTooManyRequests && (answer.Header.Get("Retry-After") == "" || strings.Contains(string(said), "<")) {
			t.Errorf("%v %s", answer.Header, said)
		}
	}
	// Its address is confirmed to whoever asks, which counts as well.
	if want := []int{200, 401, 200, 401, 200, 429, 429}; !slices.Equal(got, want) {
		t.Errorf("answered with %v, want %v", got, want)
	}
	for range 3 {
		ann.Mention(general, "hello")
	}
	if err := slack.Wait(slackPatience(t)); err != nil {
		t.Fatal(err)
	}
	for _, d := range slack.Deliveries("app_mention") {
		if len(d.Attempts) != 1 || !d.Taken() {
			t.Errorf("%+v", d.Attempts)
		}
	}
}
