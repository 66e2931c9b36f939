package slackapp_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/fakeslack"
	"github.com/parley-hq/parley/slackapp"
)

// recorded is what Slack sent, byte by byte, for the team and user of an office.
func recorded(t *testing.T, o *office, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return []byte(strings.NewReplacer("T061EG9R6", o.acme.ID, "U2147483697", o.ann.ID, "C0LAN2Q65", o.general.ID, "U0LAN0Z89", o.acme.BotUser).Replace(string(data)))
}

// send sends a body as whoever knows the secret does.
func (o *office) send(path string, body []byte, header http.Header) *http.Response {
	o.t.Helper()
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(string(body)))
	for name, values := range header {
		r.Header[name] = values
	}
	w := httptest.NewRecorder()
	o.served.Load().app.Handler(nil).ServeHTTP(w, r)
	return w.Result()
}

func (o *office) signed(path string, body []byte) *http.Response {
	o.t.Helper()
	header := fakeslack.Sign(o.slack.SigningSecret(), body, time.Now())
	header.Set("Content-Type", "application/json")
	if path == slackapp.InteractionsPath {
		header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return o.send(path, body, header)
}

func (o *office) jobs() int {
	o.t.Helper()
	var n int
	for _, kind := range []string{"slack_job", "slack_done"} {
		all, err := o.store.Scan(o.t.Context(), parley.Address{Tenant: "default", Kind: kind}, "", 100)
		if err != nil {
			o.t.Fatal(err)
		}
		n += len(all)
	}
	return n
}

func TestOnlyWhatSlackSignedJustNowIsTaken(t *testing.T) {
	o := openOffice(t, nil)
	body := recorded(t, o, "app_mention.json")
	good := func() http.Header { return fakeslack.Sign(o.slack.SigningSecret(), body, time.Now()) }
	for name, header := range map[string]http.Header{
		"no signature":        {"X-Slack-Request-Timestamp": good()["X-Slack-Request-Timestamp"]},
		"no time":             {"X-Slack-Signature": good()["X-Slack-Signature"]},
		"nothing":             {},
		"another secret":      fakeslack.Sign("another", body, time.Now()),
		"of another body":     fakeslack.Sign(o.slack.SigningSecret(), append(body, ' '), time.Now()),
		"six minutes old":     fakeslack.Sign(o.slack.SigningSecret(), body, time.Now().Add(-6*time.Minute)),
		"six minutes too new": fakeslack.Sign(o.slack.SigningSecret(), body, time.Now().Add(6*time.Minute)),
		"another time": func() http.Header {
			h := fakeslack.Sign(o.slack.SigningSecret(), body, time.Now().Add(-10*time.Minute))
			h["X-Slack-Request-Timestamp"] = good()["X-Slack-Request-Timestamp"]
			return h
		}(),
	} {
		for _, path := range []string{slackapp.EventsPath, slackapp.InteractionsPath} {
			if got := o.send(path, body, header); got.StatusCode != http.StatusUnauthorized {
				t.Errorf("%s, %s: %s", name, path, got.Status)
			}
		}
	}
	if n := o.jobs(); n != 0 {
		t.Errorf("%d jobs were made", n)
	}
	if got := o.send(slackapp.EventsPath, body, good()); got.StatusCode != http.StatusOK {
		t.Error(got.Status)
	}
}

func TestAServerWithoutASigningSecretTakesNoRequests(t *testing.T) {
	o := openOffice(t, nil, func(o *office) { o.opts.SigningSecret = "" })
	body := recorded(t, o, "app_mention.json")
	if got := o.send(slackapp.EventsPath, body, fakeslack.Sign("", body, time.Now())); got.StatusCode != http.StatusUnauthorized {
		t.Error(got.Status)
	}
}

func TestTheAddressIsVerified(t *testing.T) {
	o := openOffice(t, nil)
	if err := o.slack.Verify(); err != nil {
		t.Error(err)
	}
	got := o.signed(slackapp.EventsPath, recorded(t, o, "url_verification.json"))
	said, _ := io.ReadAll(got.Body)
	if got.StatusCode != 200 || string(said) != "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P" {
		t.Errorf("%s %s", got.Status, said)
	}
}

// TestTheAddressIsConfirmedBeforeTheSecretIsKnown: Slack asks when the app is made, and
// nothing else is taken.
func TestTheAddressIsConfirmedBeforeTheSecretIsKnown(t *testing.T) {
	o := openOffice(t, nil, func(o *office) { o.opts.SigningSecret = "later" })
	if err := o.slack.Verify(); err != nil {
		t.Error(err)
	}
	asks := func(path, body string, header http.Header) int {
		return o.send(path, []byte(body), header).StatusCode
	}
	const fine = `{"type":"url_verification","challenge":"abc"}`
	for name, one := range map[string]struct{ path, body string }{
		"another path":   {slackapp.InteractionsPath, fine},
		"another type":   {slackapp.EventsPath, `{"type":"event_callback","challenge":"abc"}`},
		"markup":         {slackapp.EventsPath, `{"type":"url_verification","challenge":"<b>"}`},
		"no challenge":   {slackapp.EventsPath, `{"type":"url_verification"}`},
		"long":           {slackapp.EventsPath, `{"type":"url_verification","challenge":"` + strings.Repeat("a", 129) + `"}`},
		"much around it": {slackapp.EventsPath, fine[:len(fine)-1] + `,"x":"` + strings.Repeat("a", 5000) + `"}`},
	} {
		if status := asks(one.path, one.body, fakeslack.Sign("another", []byte(one.body), time.Now())); status != http.StatusUnauthorized {
			t.Errorf("%s: %d", name, status)
		}
	}
	if status := asks(slackapp.EventsPath, fine, nil); status != http.StatusUnauthorized {
		t.Errorf("without headers: %d", status)
	}
	if n := o.jobs(); n != 0 {
		t.Errorf("%d jobs were made", n)
	}
}

// TestATokenThatSlackRefusesIsSaidAtTheStart: and what somebody wrote waits until it is
// mended.
func TestATokenThatSlackRefusesIsSaidAtTheStart(t *testing.T) {
	var log record
	o := openOffice(t, nil, func(o *office) { o.opts.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	o.link()
	o.waitForJobs()
	o.served.Load().stop()
	right := o.opts.BotToken
	o.opts.BotToken = "xoxb-later"
	wrong := o.begin()
	o.serve(wrong)
	o.ann.Say(o.ann.DM(), "say what waited")
	for ctx := o.within(); !strings.Contains(log.String(), "slack job failed"); time.Sleep(5 * time.Millisecond) {
		if ctx.Err() != nil {
			t.Fatalf("nobody tried: %s", log.String())
		}
	}
	if said := log.String(); !strings.Contains(said, "level=ERROR") || !strings.Contains(said, "until slack.bot_token is right") || strings.Contains(said, "xoxb") {
		t.Errorf("the log says %s", said)
	}
	wrong.stop()
	o.opts.BotToken = right
	o.serve(o.begin())
	o.waitFor(o.ann.DM(), "what waited")
}

// A retry has another signature and the same event_id; a replay is the same in all.
func TestARetryAndAReplayStartNothing(t *testing.T) {
	o := openOffice(t, nil)
	o.link()
	o.waitForJobs()
	first := o.ann.Mention(o.general, "say once")
	o.waitFor(o.general, "once")
	o.waitForJobs()
	all := o.slack.Deliveries("app_mention")
	for range 3 {
		if status, err := o.slack.Replay(all[0]); err != nil || status != 200 {
			t.Errorf("%d, %v", status, err)
		}
		if got := o.signed(slackapp.EventsPath, all[0].Payload); got.StatusCode != 200 {
			t.Error(got.Status)
		}
	}
	o.waitForJobs()
	if got := o.said(o.general, first.TS); len(got) != 1 {
		t.Errorf("%q", got)
	}
	runs, err := o.served.Load().runs.History(t.Context(), alice, "slack-"+o.acme.ID+"-"+o.general.ID+"-"+first.TS)
	if err != nil || len(runs) != 1 {
		t.Errorf("%d runs, %v", len(runs), err)
	}
}

func TestWhatCannotBeReadIsRefused(t *testing.T) {
	o := openOffice(t, nil)
	form := func(payload string) []byte { return []byte(url.Values{"payload": {payload}}.Encode()) }
	for name, one := range map[string]struct {
		path string
		body []byte
	}{
		"no JSON":          {slackapp.EventsPath, []byte("{")},
		"no event_id":      {slackapp.EventsPath, []byte(`{"type":"event_callback","team_id":"T1","event":{"type":"x"}}`)},
		"a strange id":     {slackapp.EventsPath, []byte(`{"type":"event_callback","team_id":"T1","event_id":"a/b","event":{"type":"x"}}`)},
		"a strange team":   {slackapp.EventsPath, []byte(`{"type":"event_callback","team_id":"../T1","event_id":"E1","event":{"type":"x"}}`)},
		"no event":         {slackapp.EventsPath, []byte(`{"type":"event_callback","team_id":"T1","event_id":"E1"}`)},
		"too long":         {slackapp.EventsPath, []byte(strings.Repeat(" ", 1<<20+1))},
		"no payload":       {slackapp.InteractionsPath, []byte("a=b")},
		"a payload of {":   {slackapp.InteractionsPath, form("{")},
		"nobody's payload": {slackapp.InteractionsPath, form(`{"type":"block_actions","team":{"id":"T1"}}`)},
		"no team":          {slackapp.InteractionsPath, form(`{"type":"block_actions","user":{"id":"U1"}}`)},
		"no form":          {slackapp.InteractionsPath, []byte("%zz")},
	} {
		if got := o.signed(one.path, one.body); got.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %s", name, got.Status)
		}
	}
	if n := o.jobs(); n != 0 {
		t.Errorf("%d jobs were made", n)
	}
}

// What nobody acts on, such as the app's own messages, leaves no record.
func TestWhatConcernsNobodyIsNotKept(t *testing.T) {
	o := openOffice(t, nil)
	for _, event := range []map[string]any{
		{"type": "reaction_added", "user": o.ann.ID},
		{"type": "message", "channel_type": "im", "bot_id": "B1", "user": o.acme.BotUser, "channel": "D1", "ts": "1700000000.000100", "text": "x"},
		{"type": "message", "channel_type": "im", "subtype": "message_changed", "channel": "D1", "ts": "1700000000.000100"},
		{"type": "message", "channel_type": "channel", "user": o.ann.ID, "channel": o.general.ID, "ts": "1700000000.000100", "text": "x"},
		{"type": "user_change", "user": map[string]any{"id": o.ann.ID, "deleted": false}},
		{"type": "tokens_revoked", "tokens": map[string]any{"oauth": []string{"U1"}}},
	} {
		o.slack.SendEvent(o.acme, event)
	}
	if err := o.slack.Wait(o.within()); err != nil {
		t.Fatal(err)
	}
	if n := o.jobs(); n != 0 {
		t.Errorf("%d records", n)
	}
}

// Slack is answered when the record is written, whatever takes how long.
func TestSlackIsAnsweredBeforeAnythingIsDone(t *testing.T) {
	o := openOffice(t, nil)
	o.link()
	o.waitForJobs()
	o.slack.Fail(fakeslack.Fault{Method: "", Hang: true})
	body := recorded(t, o, "app_mention.json")
	if got := o.signed(slackapp.EventsPath, body); got.StatusCode != 200 {
		t.Error(got.Status)
	}
	press := recorded(t, o, "block_actions.json")
	if got := o.signed(slackapp.InteractionsPath, []byte(url.Values{"payload": {string(press)}}.Encode())); got.StatusCode != 200 {
		t.Error(got.Status)
	}
	if n := o.jobs(); n < 2 {
		t.Errorf("%d jobs", n)
	}
	o.slack.Heal()
}

// Somebody of another workspace who writes in a shared channel is nobody here.
func TestSomebodyOfAnotherWorkspaceIsNobody(t *testing.T) {
	o := openOffice(t, nil)
	o.link()
	o.waitForJobs()
	first := o.ann.Say(o.general, "a message for nobody")
	before := o.slack.Count("users.info")
	for _, field := range []string{"user_team", "source_team", "team", "bot_id"} { // and another app is nobody either
		o.slack.SendEvent(o.acme, map[string]any{
			"type": "app_mention", "user": o.ann.ID, "text": "say hi", "ts": first.TS, "channel": o.general.ID, field: "T0OTHER",
		})
	}
	sent, err := o.slack.Send(map[string]any{
		"type": "block_actions", "team": map[string]any{"id": o.acme.ID}, "user": map[string]any{"id": o.ann.ID, "team_id": "T0OTHER"},
		"channel": map[string]any{"id": o.general.ID}, "message": map[string]any{"ts": first.TS, "thread_ts": first.TS},
		"trigger_id": "1", "actions": []any{map[string]any{"type": "button", "action_id": "parley_stop", "block_id": "b", "value": "x"}},
	})
	if err != nil || sent.Status != 200 {
		t.Errorf("%+v, %v", sent, err)
	}
	if err := o.slack.Wait(o.within()); err != nil {
		t.Fatal(err)
	}
	o.waitForJobs()
	if got := o.slack.Count("users.info"); got != before {
		t.Error("they are asked who they are")
	}
	for _, m := range o.general.Seen(o.ann) {
		if m.FromApp {
			t.Errorf("they hear %q", m.Words())
		}
	}
}

// The body of one workspace does not speak for the users of another.
func TestTheUsersOfOneWorkspaceAreNotThoseOfAnother(t *testing.T) {
	o := openOffice(t, nil, func(o *office) {
		o.opts.ClientID, o.opts.ClientSecret = o.slack.ClientID(), parley.Secret(o.slack.ClientSecret())
	})
	o.link()
	other := o.slack.AddWorkspace("Other")
	eve := other.AddUser("eve")
	room := other.AddChannel("room")
	o.install(eve, alice)
	o.slack.SendEvent(other, map[string]any{
		"type": "app_mention", "user": o.ann.ID, "text": "say hi", "ts": "1700000000.000100", "channel": room.ID,
	})
	if err := o.slack.Wait(o.within()); err != nil {
		t.Fatal(err)
	}
	o.waitForJobs()
	for _, m := range room.Messages() {
		if m.FromApp && strings.Contains(m.Words(), "hi") {
			t.Errorf("%q", m.Words())
		}
	}
}

// A burst that is more than all can work on at once, while Slack itself does not answer, is
// acknowledged in time, and done when it does.
func TestABurstIsAcknowledgedInTime(t *testing.T) {
	o := openOffice(t, nil)
	o.link()
	o.waitForJobs()
	o.slack.Fail(fakeslack.Fault{Delay: 200 * time.Millisecond})
	const burst = 100
	for i := range burst {
		o.ann.Say(o.ann.DM(), "say burst"+strconv.Itoa(i))
	}
	if err := o.slack.Wait(o.within()); err != nil {
		t.Fatal(err)
	}
	for _, d := range o.slack.Deliveries("message") {
		if len(d.Attempts) != 1 || !d.Taken() {
			t.Errorf("%+v", d.Attempts)
		}
	}
	o.slack.Heal()
	o.waitForJobs()
	said := map[string]int{}
	for _, m := range o.ann.DM().Messages() {
		if m.FromApp && strings.HasPrefix(m.Words(), "burst") {
			said[m.Words()]++
		}
	}
	for i := range burst {
		if n := said["burst"+strconv.Itoa(i)]; n != 1 {
			t.Errorf("%d is said %d times", i, n)
		}
	}
}
