package slackapp_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/fakeslack"
	"github.com/parley-hq/parley/notify"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/slackapp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// desk has people told of questions.
type desk struct {
	rules []permit.Condition
	claim time.Duration

	logger *slog.Logger // of the outbox; nil: nobody reads it
}

// record is what a log says.
type record struct {
	mu   sync.Mutex
	said strings.Builder
}

// Write implements io.Writer.
func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.said.Write(p)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.said.String()
}

// openDesk opens an office in which ann is alice, and is told at once.
func openDesk(t *testing.T, rules ...permit.Condition) *office {
	t.Helper()
	o := openOffice(t, nil, func(o *office) { o.desk = &desk{rules: rules} })
	o.link()
	return o
}

// hooks are those of a server.
func (n *node) hooks() []parley.Hook {
	return []parley.Hook{
		permit.Guard(),
		parley.After(parley.AnsweringValidate, func(ctx context.Context, a *parley.Answering) error {
			if n.permits == nil {
				return nil
			}
			return n.permits.Weigh(ctx, a)
		}),
		parley.After(parley.AnsweringPublish, func(ctx context.Context, a *parley.Answering) error {
			if n.permits == nil {
				return nil
			}
			return n.permits.Settled(ctx, a)
		}),
	}
}

func (d *desk) equip(o *office, n *node, opts *slackapp.Options) {
	o.t.Helper()
	if d == nil {
		return
	}
	var err error
	if n.permits, err = permit.New(n.hub, n.life, o.keys, &permit.Options{Conditions: d.rules, Logger: quiet}); err != nil {
		o.t.Fatal(err)
	}
	opts.Panels = n.permits
}

func (d *desk) outbox(o *office, n *node) *notify.Outbox {
	o.t.Helper()
	if d == nil {
		return nil
	}
	outbox, err := notify.New(n.hub, n.life, o.keys, &notify.Options{
		PublicURL: "https://parley.example", Messengers: map[string]notify.Messenger{slackapp.Via: n.app},
		Channels: []notify.Choice{{Channel: slackapp.Via}}, Poll: 20 * time.Millisecond, Sync: time.Second, Claim: d.claim, Logger: cmp.Or(d.logger, quiet),
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return outbox
}

// call is one that needs an approval.
func call(id, args string) permit.Call {
	return permit.Call{
		Tenant: "default", User: "alice", Agent: "helper", Session: "c1", ID: id, Server: "bank", Tool: "pay", Args: json.RawMessage(args),
		Schema: json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"},"amount":{"type":"integer","maximum":1000}}}`),
	}
}

// asks opens a question, for alice unless it says otherwise.
func (o *office) asks(r parley.Request) parley.Request {
	o.t.Helper()
	if r.To == "" {
		r.To = "alice"
	}
	q, err := o.served.Load().hub.Open(o.t.Context(), r)
	if err != nil {
		o.t.Fatal(err)
	}
	return q
}

// asksToPay asks alice whether a call may be made.
func (o *office) asksToPay(args string) parley.Request {
	o.t.Helper()
	n := o.served.Load()
	c := call(fmt.Sprint(time.Now().UnixNano()), args)
	d, err := n.permits.Check(o.t.Context(), permit.Always, c)
	if err != nil {
		o.t.Fatal(err)
	}
	c.Choices, c.Page = d.Choices, d.Page
	q, err := n.permits.Question(c)
	if err != nil {
		o.t.Fatal(err)
	}
	q.Session = ""
	return o.asks(q)
}

// cardIn waits for a card of a question that can be pressed.
func (o *office) cardIn(in *fakeslack.Channel, q parley.Request) fakeslack.Message {
	o.t.Helper()
	return o.waitCard(in, q, func(m fakeslack.Message) bool { return len(m.Elements()) > 0 })
}

// overIn waits for a card that says how its question ended, and cannot be pressed.
func (o *office) overIn(in *fakeslack.Channel, card fakeslack.Message, words string) fakeslack.Message {
	o.t.Helper()
	m, err := in.WaitFor(o.within(), func(m fakeslack.Message) bool {
		return m.TS == card.TS && len(m.Elements()) == 0 && strings.Contains(m.Words(), words)
	})
	if err != nil {
		o.t.Fatalf("the card does not say %q: %v, but %q", words, err, lastWords(in))
	}
	return m
}

func lastWords(in *fakeslack.Channel) string {
	all := in.Messages()
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1].Words()
}

func (o *office) waitCard(in *fakeslack.Channel, q parley.Request, fits func(fakeslack.Message) bool) fakeslack.Message {
	o.t.Helper()
	m, err := in.WaitFor(o.within(), func(m fakeslack.Message) bool { return isCard(m, q) && fits(m) })
	if err != nil {
		o.t.Fatalf("no card: %v; the last is %q", err, lastWords(in))
	}
	return m
}

func isCard(m fakeslack.Message, q parley.Request) bool {
	for _, e := range m.Elements() {
		if e.Object["value"] == string(q.ID) {
			return true
		}
	}
	return false
}

// press presses a button of a card.
func (o *office) press(by *fakeslack.User, m fakeslack.Message, verb string) {
	o.t.Helper()
	if a, err := by.Press(m, "parley."+verb); err != nil || a.Status != 200 {
		o.t.Fatalf("pressing %s: %v, %d", verb, err, a.Status)
	}
}

// fills waits for a modal and submits it.
func (o *office) fills(by *fakeslack.User, values map[string]any) fakeslack.Submission {
	o.t.Helper()
	v, err := by.WaitForView(o.within(), nil)
	if err != nil {
		o.t.Fatalf("no modal: %v", err)
	}
	blocks := fakeslack.Values{}
	for label, value := range values {
		block := blockOf(v, label)
		if block == "" {
			o.t.Fatalf("no field %q in %s", label, v.Words())
		}
		blocks[block] = value
	}
	got, err := by.Submit(v, blocks)
	if err != nil {
		o.t.Fatal(err)
	}
	return got
}

// blockOf is the block of the field with a label.
func blockOf(v fakeslack.View, label string) string {
	for _, e := range v.Elements() {
		if e.Input == nil {
			continue
		}
		if text, _ := e.Input["label"].(map[string]any); text["text"] == label {
			return e.Block
		}
	}
	return ""
}

// outcome waits until a question is settled.
func (o *office) outcome(q parley.Request) parley.Outcome {
	o.t.Helper()
	out, err := o.served.Load().hub.Wait(o.within(), q.ID)
	if err != nil {
		o.t.Fatal(err)
	}
	return out
}

// pending reports that nobody has settled a question.
func (o *office) pending(q parley.Request) {
	o.t.Helper()
	now, err := o.served.Load().hub.Get(o.t.Context(), parley.Principal{Tenant: q.Tenant, User: q.To}, q.ID)
	if err != nil || !now.Pending() {
		o.t.Fatalf("it is settled: %+v, %v", now.Outcome, err)
	}
}

// whispered waits for what only one person sees.
func (o *office) whispered(in *fakeslack.Channel, to *fakeslack.User, words string) fakeslack.Message {
	o.t.Helper()
	m, err := in.WaitForSeen(o.within(), to, func(m fakeslack.Message) bool { return m.FromApp && strings.Contains(m.Words(), words) })
	if err != nil {
		o.t.Fatalf("nobody told %s %q: %v", to.Name, words, err)
	}
	return m
}

// cards are the messages of the app's about questions, in a channel.
func (o *office) cards(words string) (n int) {
	for _, c := range o.slack.Calls("chat.postMessage") {
		if c.Error == "" && c.Status == 200 && strings.Contains(fmt.Sprint(c.Args["metadata"]), "parley_question") && strings.Contains(fmt.Sprint(c.Args["blocks"]), words) {
			n++
		}
	}
	return n
}

// What differs from one time to the next.
var changing = []struct {
	is *regexp.Regexp
	as string
}{
	{regexp.MustCompile(`[a-f0-9]{64}`), "DIGEST"},
	{regexp.MustCompile(`[0-9a-v]{32}`), "QUESTION"},
	{regexp.MustCompile(`token=[\w-]+`), "token=TOKEN"},
	{regexp.MustCompile(`"block_id":"[0-9a-f]{6}"`), `"block_id":"BLOCK"`},
	{regexp.MustCompile(`\d{10}\.\d{6}`), "TS"},
	{regexp.MustCompile(`\\+u003c!date\^.*?\\+u003e`), "TIME"},
	{regexp.MustCompile(`"trigger_id":"[^"]*"`), `"trigger_id":"TRIGGER"`},
}

// golden compares what went over the wire about questions with what was written down.
func (o *office) golden(name string) {
	o.t.Helper()
	o.goldenOf(name, o.wire())
}

// wire is what went over the wire about questions, without what changes.
func (o *office) wire() string {
	o.t.Helper()
	var b bytes.Buffer
	for _, c := range o.slack.Calls("chat.postMessage", "chat.update", "chat.postEphemeral", "views.open") {
		raw, err := json.Marshal(c.Args)
		if err != nil {
			o.t.Fatal(err)
		}
		if line := string(raw); c.Method != "chat.postMessage" || strings.Contains(line, "parley_question") {
			fmt.Fprintf(&b, "> %s %s\n", c.Method, line)
		}
	}
	for _, d := range o.slack.Deliveries("view_submission") {
		fmt.Fprintf(&b, "< view_submission %s\n", d.Attempts[len(d.Attempts)-1].Response)
	}
	got := b.String()
	for _, one := range changing {
		got = one.is.ReplaceAllString(got, one.as)
	}
	return got
}

func (o *office) goldenOf(name, got string) {
	o.t.Helper()
	at := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			o.t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(got), 0o644); err != nil {
			o.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(at)
	if err != nil {
		o.t.Fatal(err)
	}
	for was, is := range lines(string(want), got) {
		o.t.Errorf("%s has\n%s\nwhich is now\n%s\nwith -update it is written anew", at, was, is)
	}
}

// lines are the first that differ.
func lines(want, got string) map[string]string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(a), len(b)) {
		was, is := "", ""
		if i < len(a) {
			was = a[i]
		}
		if i < len(b) {
			is = b[i]
		}
		if was != is {
			return map[string]string{was: is}
		}
	}
	return nil
}
