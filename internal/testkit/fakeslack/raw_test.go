package fakeslack_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/slack-go/slack"
)

const (
	asForm = "application/x-www-form-urlencoded"
	asJSON = "application/json; charset=utf-8"
)

// raw makes a call without a client, and returns the answer.
func (s *site) raw(method, kind, body, bearer string) map[string]any {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.slack.API()+method, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", kind)
	if bearer != "" {
		r.Header.Set("Authorization", "Bearer "+bearer)
	}
	answer, err := s.http.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	var object map[string]any
	if err == nil {
		err = json.Unmarshal(said, &object)
	}
	if err != nil || answer.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %s, %v", answer.Status, said, err)
	}
	return object
}

func TestFormsAndJSONAreRead(t *testing.T) {
	s := newSite(t, nil)
	form := url.Values{"token": {s.token}, "channel": {s.general.ID}, "text": {"one"}}
	if got := s.raw("chat.postMessage", asForm, form.Encode(), ""); got["ok"] != true {
		t.Errorf("a form with its token: %v", got)
	}
	form.Del("token")
	if got := s.raw("chat.postMessage", asForm, form.Encode(), s.token); got["ok"] != true {
		t.Errorf("a form: %v", got)
	}
	blocks := `"blocks":[{"type":"divider"}]`
	for name, body := range map[string]string{
		"blocks": blocks, "blocks in a string": `"blocks":"[{\"type\":\"divider\"}]"`,
	} {
		if got := s.raw("chat.postMessage", asJSON, fmt.Sprintf(`{"channel":%q,%s}`, s.general.ID, body), s.token); got["ok"] != true {
			t.Errorf("JSON with %s: %v", name, got)
		}
	}
	if got := s.raw("chat.postMessage", asJSON, fmt.Sprintf(`{"token":%q,"channel":%q,"text":"x"}`, s.token, s.general.ID), ""); got["error"] != "not_authed" {
		t.Errorf("JSON with its token in it: %v", got)
	}
	if got := s.raw("auth.test", "application/json", `{}`, s.token); got["ok"] != true || got["warning"] != "missing_charset" {
		t.Errorf("JSON without a charset: %v", got)
	}
	if n := len(s.general.Messages()); n != 4 {
		t.Errorf("%d messages", n)
	}
}

func TestRefusals(t *testing.T) {
	s := newSite(t, nil)
	root := s.ann.Say(s.general, "root")
	_, streaming, err := s.client.StartStream(s.general.ID, slack.MsgOptionTS(root.TS), slack.MsgOptionRecipientTeamID(s.acme.ID), slack.MsgOptionRecipientUserID(s.ann.ID))
	if err != nil {
		t.Fatal(err)
	}
	mine := s.post(slack.MsgOptionText("mine", false))
	s.bob.Deactivate()
	big := strings.Repeat("x", 17<<10)
	for _, c := range []struct{ method, args, code string }{
		{"chat.shout", `{}`, "unknown_method"},
		{"chat.postMessage", `{"channel":"CH"`, "invalid_json"},
		{"chat.postMessage", `["CH"]`, "json_not_object"},
		{"chat.postMessage", `{"channel":"CH","blocks":"[{"}`, "invalid_blocks_format"},
		{"chat.postMessage", `{"channel":"CH","blocks":{"type":"divider"}}`, "invalid_blocks_format"},
		{"chat.postMessage", `{"channel":"CH","blocks":[{"type":"divider","x":1}]}`, "invalid_blocks"},
		{"chat.postMessage", `{"channel":"CH","text":"x","attachments":"["}`, "invalid_attachments"},
		{"chat.postMessage", `{"channel":"CH","text":"x","markdown_text":"y"}`, "markdown_text_conflict"},
		{"chat.postMessage", `{"channel":"CH","text":"x","metadata":"{"}`, "invalid_metadata_format"},
		{"chat.postMessage", `{"channel":"CH","text":"x","metadata":[]}`, "invalid_metadata_format"},
		{"chat.postMessage", `{"channel":"CH","text":"x","metadata":{"event_type":"a","event_payload":{},"more":1}}`, "invalid_metadata_schema"},
		{"chat.postMessage", `{"channel":"CH","text":"x","metadata":{"event_type":"a","event_payload":{"a":"` + big + `"}}}`, "metadata_too_large"},
		{"chat.postMessage", `{"channel":"CH","text":"x","thread_ts":"yesterday"}`, "invalid_thread_ts"},
		{"chat.update", `{"channel":"CH","ts":"MINE"}`, "no_text"},
		{"chat.update", `{"channel":"ANN","ts":"MINE","text":"x"}`, "channel_not_found"},
		{"chat.update", `{"channel":"CH","ts":"STREAM","text":"x"}`, "streaming_state_conflict"},
		{"chat.postEphemeral", `{"channel":"CH","user":"ANN"}`, "no_text"},
		{"chat.postEphemeral", `{"channel":"CH","user":"BOB","text":"x"}`, "user_not_in_channel"},
		{"chat.startStream", `{"channel":"CH","thread_ts":"1.000001","recipient_team_id":"T","recipient_user_id":"ANN"}`, "thread_not_found"},
		{"chat.startStream", `{"channel":"CH","thread_ts":"ROOT","recipient_team_id":"T","recipient_user_id":"U404"}`, "user_not_found"},
		{"chat.appendStream", `{"channel":"CH","ts":"STREAM","chunks":[{"type":"shout"}]}`, "invalid_chunks"},
		{"chat.appendStream", `{"channel":"CH","ts":"STREAM","chunks":"["}`, "invalid_chunks"},
		{"chat.appendStream", `{"channel":"CH","ts":"STREAM","chunks":[{"type":"blocks","blocks":[]}]}`, "invalid_blocks"},
		{"chat.appendStream", `{"channel":"CH","ts":"STREAM"}`, "no_text"},
		{"chat.appendStream", `{"channel":"CH","ts":"ROOT","markdown_text":"x"}`, "message_not_owned_by_app"},
		{"chat.appendStream", `{"channel":"CH","ts":"MINE","markdown_text":"x"}`, "message_not_in_streaming_state"},
		{"chat.getPermalink", `{"channel":"CH","message_ts":"1.000001"}`, "message_not_found"},
		{"reactions.add", `{"channel":"CH","timestamp":"MINE"}`, "invalid_name"},
		{"reactions.add", `{"channel":"CH","timestamp":"1.000001","name":"eyes"}`, "message_not_found"},
		{"conversations.open", `{}`, "users_list_not_supplied"},
		{"conversations.open", `{"users":"BOT"}`, "cannot_dm_bot"},
		{"conversations.open", `{"users":"BOB"}`, "user_disabled"},
		{"conversations.open", `{"channel":"CH"}`, "channel_not_found"},
		{"conversations.history", `{"channel":"CH","limit":1000}`, "invalid_limit"},
		{"conversations.history", `{"channel":"CH","cursor":"next_ts:0"}`, "invalid_cursor"},
		{"views.open", `{"view":{}}`, "invalid_arguments"},
		{"views.update", `{"view_id":"V404","view":{}}`, "not_found"},
		{"oauth.v2.access", `{"client_id":"404"}`, "invalid_client_id"},
		{"oauth.v2.access", `{"client_id":"CLIENT","client_secret":"SECRET","grant_type":"password"}`, "invalid_grant_type"},
		{"apps.uninstall", `{"client_id":"CLIENT","client_secret":"wrong"}`, "bad_client_secret"},
		{"apps.connections.open", `{}`, "not_allowed_token_type"},
	} {
		names := strings.NewReplacer("CH", s.general.ID, "ROOT", root.TS, "STREAM", streaming, "MINE", mine.TS, "ANN", s.ann.ID, "BOB", s.bob.ID,
			"BOT", s.acme.BotUser, "CLIENT", s.slack.ClientID(), "SECRET", s.slack.ClientSecret())
		if got := s.raw(c.method, asJSON, names.Replace(c.args), s.token); got["ok"] != false || got["error"] != c.code {
			t.Errorf("%s %.100s: %v, not %s", c.method, c.args, got["error"], c.code)
		}
	}
	for kind, code := range map[string]string{"text/plain": "invalid_post_type", "": "missing_post_type"} {
		if got := s.raw("auth.test", kind, "x", s.token); got["error"] != code {
			t.Errorf("%q: %v, not %s", kind, got["error"], code)
		}
	}
	if got := s.raw("auth.test", asForm, "%zz", s.token); got["error"] != "invalid_form_data" {
		t.Errorf("%v", got)
	}
}

// What one workspace has, another's token does not reach.
func TestWorkspacesAreApart(t *testing.T) {
	s := newSite(t, nil)
	mine := s.post(button("open", "q1"))
	other := s.slack.AddWorkspace("Other")
	token, eve := other.Install().AccessToken, other.AddUser("eve")
	for method, args := range map[string]string{
		"chat.update":           fmt.Sprintf(`{"channel":%q,"ts":%q,"text":"x"}`, s.general.ID, mine.TS),
		"chat.delete":           fmt.Sprintf(`{"channel":%q,"ts":%q}`, s.general.ID, mine.TS),
		"conversations.history": fmt.Sprintf(`{"channel":%q}`, s.general.ID),
		"conversations.info":    fmt.Sprintf(`{"channel":%q}`, s.general.ID),
	} {
		if got := s.raw(method, asJSON, args, token); got["error"] != "channel_not_found" {
			t.Errorf("%s: %v", method, got)
		}
	}
	if got := s.raw("users.info", asJSON, fmt.Sprintf(`{"user":%q}`, s.ann.ID), token); got["error"] != "user_not_found" {
		t.Errorf("users.info: %v", got)
	}
	if _, err := eve.Press(mine, "open"); err == nil {
		t.Error("somebody of another workspace pressed a button")
	}
	v := s.open(form())
	if got := s.raw("views.update", asJSON, fmt.Sprintf(`{"view_id":%q,"view":{}}`, v.ID), token); got["error"] != "not_found" {
		t.Errorf("views.update: %v", got)
	}
}

func TestViewsWithTheSameExternalIDAreRefused(t *testing.T) {
	s := newSite(t, nil)
	view := form()
	view.ExternalID = "mine"
	s.open(view)
	carl := s.acme.AddUser("carl")
	card := s.post(button("open", "q1"))
	if _, err := carl.Press(card, "open"); err != nil {
		t.Fatal(err)
	}
	_, err := s.client.OpenView(s.lastAction().TriggerID, view)
	refused(t, err, "duplicate_external_id")
	if _, err := s.client.UpdateView(view, "mine", "", ""); err != nil {
		t.Errorf("an update by external_id: %v", err)
	}
	if _, err := carl.Press(card, "open"); err != nil {
		t.Fatal(err)
	}
	_, err = s.client.PushView(s.lastAction().TriggerID, form())
	refused(t, err, "view_not_found")
	if _, ok := carl.View(); ok {
		t.Error("carl sees a view")
	}
}
