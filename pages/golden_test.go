package pages

import (
	"flag"
	"io"
	"log/slog"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/legible"
	"github.com/parley-hq/parley/vault"
)

// The golden files were written by html/template, of which pages are free since:
// what escaped hostile values then is what must escape them now. This is an inner
// test, because several of these values never get past the handlers.
var update = flag.Bool("update", false, "write the golden files")

// hostile is everything that could end a text or an attribute.
const hostile = "\"><script>alert('1')</script><!-- & &amp; + ` = {} {{.}} \x00 é\n\t</textarea></title>"

// Addresses that are followed, and addresses that are not.
const (
	hostileURL  = `https://acme.example/a b/%41%zz/("')<>?x=1&y=é+{}#f'"<>`
	scriptURL   = `javascript:alert('1')//https://acme.example`
	shoutingURL = "JaVaScRiPt:alert(1)"
	spacedURL   = " javascript:alert(1)"
	dataURL     = "data:text/html,<script>alert(1)</script>"
	localURL    = `/login?next=%2Fanswer%2F1&x='"<>:`
)

func TestEveryPageEscapesHostileValuesAsItsGoldenFileDoes(t *testing.T) {
	l, err := newLayout()
	if err != nil {
		t.Fatal(err)
	}
	p := &Pages{layout: l, opts: Options{Title: "Site " + hostile, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))}}
	l.style, l.script = assetPath+"0/pages.css", assetPath+"0/pages.js" // their hashes change with them
	all := goldenPages()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			w := httptest.NewRecorder()
			p.render(w, httptest.NewRequest("GET", "/", nil), all[name])
			file := filepath.Join("testdata", "golden", name+".html")
			if *update {
				if err := os.WriteFile(file, w.Body.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), w.Body.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", file, diff)
			}
		})
	}
}

func goldenPages() map[string]page {
	all := map[string]page{}
	for _, group := range []map[string]page{goldenSignIn(), goldenFailures(), goldenQuestions(), goldenConnects(), goldenAnswers(), goldenDevices(), goldenSlack()} {
		maps.Copy(all, group)
	}
	return all
}

func goldenWho() *session { return &session{User: "user " + hostile, Name: "name " + hostile} }

func goldenSignIn() map[string]page {
	return map[string]page{
		"signedout":            {Heading: hostile, Body: signedOutView{}},
		"logout":               {Heading: hostile, who: goldenWho(), Body: logoutView{}},
		"signedin":             {Heading: hostile, who: goldenWho(), Body: signedInView{Link{}}},
		"signedin-home":        {who: goldenWho(), Body: signedInView{Link{Path: localURL, Text: hostile}}},
		"signedin-script":      {who: goldenWho(), Body: signedInView{Link{Path: scriptURL, Text: hostile}}},
		"picker":               {Body: pickerView{Next: hostile}},
		"picker-users":         {Body: pickerView{Users: []string{"alice", hostile}, Next: hostile}},
		"picker-users-error":   {Failed: true, Heading: hostile, Body: pickerView{Users: []string{hostile}, Error: hostile}},
		"picker-nobody-error":  {Failed: true, Body: pickerView{Error: hostile}},
		"forward":              {who: goldenWho(), Body: forwardView{To: hostileURL, Name: hostile}},
		"forward-script":       {Body: forwardView{To: scriptURL, Name: hostile}},
		"forward-spaced":       {Body: forwardView{To: spacedURL, Name: hostile}},
		"forward-hostile-text": {Body: forwardView{To: hostile, Name: hostile}},
	}
}

func goldenFailures() map[string]page {
	settled := &settledView{ID: hostile, Action: hostile, Origins: hostile}
	return map[string]page{
		"failure":         {Heading: hostile, Body: failureView{Sentence: hostile}},
		"failure-again":   {Body: failureView{Sentence: hostile, Again: localURL, AgainText: hostile}},
		"failure-script":  {Body: failureView{Again: shoutingURL, AgainText: hostile, Decline: scriptURL}},
		"failure-data":    {Body: failureView{Again: dataURL, Decline: dataURL}},
		"failure-decline": {Body: failureView{Sentence: hostile, Decline: hostileURL}},
		"failure-switch":  {who: goldenWho(), Body: failureView{Sentence: hostile, Switch: hostile}},
		"failure-nobody":  {Body: failureView{Sentence: hostile, Switch: hostile}},
		"failure-settled": {Settled: settled, Body: failureView{Sentence: hostile}},
		"failure-all": {Failed: true, who: goldenWho(), Settled: &settledView{ID: "id", Action: scriptURL, Origins: scriptURL},
			Watch: &watchView{Status: scriptURL, Then: scriptURL}, Body: failureView{Sentence: hostile, Again: hostileURL, AgainText: hostile, Switch: scriptURL, Decline: localURL}},
	}
}

func goldenQuestion() questionView {
	return questionView{ID: hostile, Service: hostile, Message: hostile, Account: hostile, Expires: goldenTime()}
}

func goldenTime() timeView { return timeView{Machine: hostile, Text: hostile} }

func goldenAddress() *addressView {
	return &addressView{URL: hostileURL, Host: "host " + hostile, Unicode: hostile, Domain: hostile, Before: hostile, After: hostile}
}

func goldenQuestions() map[string]page {
	q, plain := goldenQuestion(), addressView{URL: scriptURL, Host: "acme.example", Domain: "acme.example"}
	exact, long, undigested := q, q, q
	exact.Exact = []legible.Run{{Text: hostile}, {Kind: "phrase", Text: hostile}, {Kind: "number", Text: hostile}, {Kind: hostile, Text: hostile}}
	long.Exact, long.Long = exact.Exact, &longView{What: "call", Size: "12345 bytes", Digest: hostile}
	undigested.Long = &longView{What: "call", Size: "0 bytes"}
	watched := &watchView{Status: hostile, Then: hostile}
	return map[string]page{
		"queued":         {who: goldenWho(), Body: queuedView{Question: q}},
		"queued-earlier": {Body: queuedView{Question: exact, Earlier: hostileURL}},
		"queued-script":  {Body: queuedView{Question: long, Earlier: scriptURL}},
		"queued-long":    {Body: queuedView{Question: undigested}},
		"settled":        {Body: outcomeView{Question: q, Sentence: hostile}},
		"settled-all": {who: goldenWho(), Settled: &settledView{ID: hostile, Action: "accept", Origins: hostile},
			Body: outcomeView{Question: long, Sentence: hostile, At: goldenTime(), Via: hostile, Back: &forwardView{To: hostileURL, Name: hostile}}},
		"settled-script":    {Body: outcomeView{Question: q, Back: &forwardView{To: scriptURL}}},
		"visit":             {Watch: watched, Body: visitView{Question: q, Address: *goldenAddress()}},
		"visit-link":        {Body: visitView{Question: q, Address: *goldenAddress(), Link: true}},
		"visit-link-script": {Body: visitView{Question: q, Address: plain, Link: true}},
		"visit-local":       {Body: visitView{Question: exact, Address: plain, Here: true}},
		"visit-local-link":  {Body: visitView{Question: q, Address: *goldenAddress(), Here: true, Ours: true, Link: true}},
	}
}

func goldenConnects() map[string]page {
	q, same := goldenQuestion(), &addressView{URL: localURL, Host: "acme.example", Domain: "acme.example"}
	full := connectView{
		Question: q, Action: localURL, Method: vault.ByConsent, Server: hostile, Provider: hostile, Address: goldenAddress(), GoesTo: goldenAddress(), Source: hostile,
		Scopes: []string{"read", hostile}, Params: []string{hostile, "b"}, Agent: hostile, Everyone: true,
		Others: []otherView{{Title: hostile, GoesTo: goldenAddress(), Value: hostile}, {Title: hostile, Value: "b"}, {GoesTo: same}},
	}
	one := full
	one.Others, one.Everyone, one.Scopes, one.Params, one.Address, one.GoesTo = full.Others[:1], false, nil, nil, same, same
	return map[string]page{
		"connect-consent":     {who: goldenWho(), Body: full},
		"connect-consent-one": {Body: one},
		"connect-bare":        {Body: connectView{Question: q, Action: scriptURL}},
		"connect-late":        {Body: connectView{Question: q, Action: hostileURL, Method: vault.ByConsent, Late: true, Agent: hostile}},
		"connect-key":         {Body: connectView{Question: q, Action: hostileURL, Method: vault.ByKey, Server: hostile}},
		"connect-key-error":   {Failed: true, Body: connectView{Question: q, Method: vault.ByKey, Server: hostile, KeyError: hostile, Late: true}},
		"connect-source":      {Body: connectView{Question: q, Method: vault.BySource, Source: hostile}},
		"connect-source-late": {Body: connectView{Question: q, Method: vault.BySource, Source: hostile, Late: true}},
		"connect-params":      {Body: connectView{Question: q, Method: hostile, Provider: hostile, Params: []string{hostile}, Everyone: true}},
	}
}

func goldenDevices() map[string]page {
	wish := wishView{Code: hostile, Program: hostile, Address: hostile, Asked: goldenTime(), Until: goldenTime(), As: hostile}
	near := wish
	near.Near, near.OnlyMCP = true, true
	return map[string]page{
		"device":         {who: goldenWho(), Body: codeView{}},
		"device-error":   {Failed: true, who: goldenWho(), Body: codeView{Code: hostile, Error: hostile}},
		"device-wish":    {who: goldenWho(), Body: wish},
		"device-near":    {who: goldenWho(), Body: near},
		"device-allowed": {who: goldenWho(), Body: decidedView{Allowed: true, Program: hostile}},
		"device-refused": {who: goldenWho(), Body: decidedView{Program: hostile}},
	}
}

func goldenSlack() map[string]page {
	account := SlackAccount{Team: hostile, User: hostile, Workspace: hostile}
	return map[string]page{
		"slack-wish":     {who: goldenWho(), Body: slackWishView{Token: hostile, Workspace: hostile, Team: hostile, Name: hostile, User: hostile, Asked: goldenTime(), As: hostile}},
		"slack-accounts": {who: goldenWho(), Body: slackAccountsView{Done: hostile, Accounts: []SlackAccount{account, account}, As: hostile}},
		"slack-none":     {who: goldenWho(), Body: slackAccountsView{}},
		"slack-done":     {who: goldenWho(), Body: slackDoneView{hostile}},
	}
}

// goldenField is a field as hostile as it can be, or one with nothing in it.
func goldenField(control string, full bool) fieldView {
	f := fieldView{ID: "field-" + control, Name: "field." + control, Control: control, Label: control}
	f.Options = []optionView{{ID: "a", Value: "1", Label: "One"}, {ID: hostile, Value: hostile, Label: hostile, Chosen: true}}
	if !full {
		return f
	}
	f.ID, f.Name, f.Label, f.Description, f.Hint, f.Error, f.Required = hostile, hostile, hostile, hostile, hostile, hostile, true
	f.Value, f.InputMode, f.Zone, f.Zones = hostile, hostile, hostile, f.Options
	return f
}

func goldenAnswers() map[string]page {
	controls := []string{controlText, controlArea, controlDate, controlDateTime, controlCheckbox, controlYesNo, controlRadios, controlSelect, controlBoxes, hostile}
	var bare, full []fieldView
	for _, control := range controls {
		bare, full = append(bare, goldenField(control, false)), append(full, goldenField(control, true))
	}
	checked := goldenField(controlCheckbox, false)
	checked.Value, checked.Description, checked.Hint = "true", "about", "hint"
	required := goldenField(controlBoxes, false)
	required.Required, required.Error = true, "wrong"
	mixed := []fieldView{checked, required}
	decision, plain := goldenField(controlRadios, true), goldenField(controlRadios, false)
	problems := []problemView{{ID: hostile, Message: hostile}, {Message: hostile}, {ID: scriptURL, Message: "m"}}
	q, shown := goldenQuestion(), map[string]page{}
	for name, v := range map[string]answerView{
		"answer":                  {Question: q, Send: hostile},
		"answer-bare":             {Question: q, Fields: bare, Send: hostile},
		"answer-full":             {Question: q, Fields: full, Problems: problems, Send: hostile},
		"answer-mixed":            {Question: q, Fields: mixed, Problems: problems[:1]},
		"answer-decision":         {Question: q, Decision: &decision},
		"answer-decision-decline": {Question: q, Decision: &plain, Decline: true},
		"answer-decision-limits":  {Question: q, Decision: &plain, Fields: append(slices.Clone(mixed), full...), Decline: true, Problems: problems},
		"answer-decision-edits":   {Question: q, Decision: &plain, Edits: append(slices.Clone(mixed), full...), Change: &plain.Options[0], Problems: problems},
		"answer-decline":          {Question: q, Decline: true, Send: "Send"},
	} {
		shown[name] = page{Heading: hostile, Body: v}
	}
	return shown
}
