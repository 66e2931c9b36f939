package server_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/audit"
	"github.com/parley-hq/parley/passkey"
)

// auditKeyOf is the key that a server publishes, for everybody.
func auditKeyOf(t *testing.T, base string) audit.Key {
	t.Helper()
	status, data := sent(t, http.MethodGet, base+"/.well-known/parley-audit-key", "", "")
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, data)
	}
	key, err := audit.ParseKey(string(data))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// receiptOf is somebody's receipt once it tells of so many steps of a call: they are in
// the chain a moment after.
func receiptOf(t *testing.T, base, bearer, id string, calls int) audit.Proven {
	t.Helper()
	for key := auditKeyOf(t, base); ; time.Sleep(10 * time.Millisecond) {
		status, data := sent(t, http.MethodGet, base+"/api/elicitations/"+id+"/receipt", bearer, "")
		if status != http.StatusOK {
			t.Fatalf("%d %s", status, data)
		}
		p, err := audit.Verify(data, key)
		if err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		if len(p.Calls) == calls || t.Context().Err() != nil {
			return p
		}
	}
}

// steps are the entries about a call, by what they tell.
func steps(p audit.Proven) map[string]audit.Entry {
	all := map[string]audit.Entry{}
	for _, e := range p.Calls {
		all[e.What] = e
	}
	return all
}

func TestAReceiptSaysWithWhichArgumentsACallWasSentThatWasChanged(t *testing.T) {
	base, _ := changing(t, "")
	alice := named(t, "alice")
	lines := streamed(t, base)
	q := waitingFor(t, base, alice)
	if status, data := sent(t, http.MethodPost, base+"/run/api/elicitation-responses", alice,
		fmt.Sprintf(`{"conversationId":"c1","elicitationId":%q,"action":"accept","content":{"decision":"changed","args.to":"carol","args.amount":50}}`, q.ID)); status != http.StatusOK {
		t.Fatalf("%d %s", status, data)
	}
	until(t, lines, "transferred")
	p := receiptOf(t, base, alice, q.ID, 2)
	made := steps(p)
	began, ended := made["call.sent"], made["call.ended"]
	if p.Question.Decision != "changed" || p.Question.By != "alice" || p.Question.Via == "" || p.Question.Digest == "" || !strings.Contains(p.Shown.Message, "100") {
		t.Errorf("%+v, shown %+v", p.Question, p.Shown)
	}
	if began.Was != p.Question.Digest || began.Digest == began.Was || began.Digest == "" || ended.Digest != began.Digest || ended.Outcome != "ok" {
		t.Errorf("shown %s, sent %+v, ended %+v", p.Question.Digest, began, ended)
	}
	const changes = `{"amount":50,"to":"carol"}` // the digest of it is what the decision and the call have
	if p.Changes != changes || began.Changes != passkey.Changes([]byte(changes)) || p.Question.Changes != began.Changes || ended.Changes != began.Changes {
		t.Errorf("changed %s, %+v", p.Changes, began)
	}
	if began.By != "alice" || began.Server != "bank" || began.Tool != "transfer" || began.Agent != "assistant" {
		t.Errorf("%+v", began)
	}
}

func TestAnApproversReceiptTellsOfTheCall(t *testing.T) {
	base, _ := vaults(t)
	said := turn(t, base)
	q := decide(t, base, "bob", "allow_once")
	decide(t, base, "carol", "allow_once")
	<-said
	p := receiptOf(t, base, named(t, "bob"), q.ID, 2)
	if p.Question.By != "bob" || p.Question.For != "alice" || p.Question.Decision != "allow_once" || steps(p)["call.sent"].By != "alice" || steps(p)["call.sent"].Digest != p.Question.Digest {
		t.Errorf("%+v", p)
	}
	if status, _ := sent(t, http.MethodGet, base+"/api/elicitations/"+q.ID+"/receipt", named(t, "alice"), ""); status != http.StatusNotFound {
		t.Errorf("alice is given bob's: %d", status)
	}
}

// entriesOf are the entries of the default tenant, oldest first, once one is of this kind.
func entriesOf(t *testing.T, base, last string) (all []audit.Entry) {
	t.Helper()
	admin := token(t, jose.HS256, []byte(hmacKey), claims(func(m map[string]any) { m["sub"], m["scope"] = "ada", "parley:admin" }))
	for ; ; time.Sleep(10 * time.Millisecond) {
		status, data := sent(t, http.MethodGet, base+"/api/audit/export", admin, "")
		if status != http.StatusOK {
			t.Fatalf("%d %s", status, data)
		}
		if _, err := audit.VerifyExport(strings.NewReader(string(data)), auditKeyOf(t, base)); err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		if !strings.Contains(string(data), `"what":"`+last+`"`) && t.Context().Err() == nil {
			continue
		}
		for line := range strings.Lines(string(data)) {
			var e audit.Entry
			if err := json.Unmarshal([]byte(line), &e); err == nil && e.What != "" {
				all = append(all, e)
			}
		}
		return all
	}
}

func TestWhatARuleRefusesIsRecordedAndNotSent(t *testing.T) {
	at, done := transfers(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	base := servedWith(t, listener, gatewayHead(listener.Addr().String())+"models: {script: {kind: demo}}\n"+
		"servers: {bank: {url: "+at+"}}\nagents: {assistant: {model: script, servers: [bank]}}\nrules: [{name: never, server: bank, approve: refuse}]\n",
		map[string]agent.Model{"script": obedient{}})
	<-turn(t, base)
	found := entriesOf(t, base, "call.refused")
	last := found[len(found)-1]
	if last.What != "call.refused" || last.Reason != "rule" || last.By != "alice" || last.Tool != "transfer" || last.Digest == "" || done.Load() != 0 {
		t.Errorf("%+v", found)
	}
}

func TestWhoSignsInAndOutIsRecorded(t *testing.T) {
	base := started(t, "")
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, path := range []string{"/login", "/logout", "/logout"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+path, strings.NewReader(url.Values{"user": {"alice"}}.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", base)
		r.Close = true
		answer, err := browser.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusSeeOther {
			t.Fatalf("%s: %d", path, answer.StatusCode)
		}
	}
	all := entriesOf(t, base, "sign_out")
	if len(all) != 2 || all[0].What != "sign_in" || all[0].By != "alice" || all[0].Via != "dev" || all[1].What != "sign_out" || all[1].By != "alice" {
		t.Errorf("%+v", all)
	}
}
