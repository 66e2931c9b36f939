package audit

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/parley-hq/parley"
)

// Entry is one decision, as its line in the chain says it. See parley.Deed for the
// members that are not explained here.
type Entry struct {
	Index  int64  `json:"index"`
	Prev   string `json:"prev"` // the hash of the entry before it; of the first: of nothing
	Tenant string `json:"tenant"`

	At       time.Time `json:"at"`
	What     string    `json:"what"`
	Outcome  string    `json:"outcome,omitempty"`
	Decision string    `json:"decision,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	By       string    `json:"by,omitempty"`
	For      string    `json:"for,omitempty"`
	Via      string    `json:"via,omitempty"`

	Question string `json:"question,omitempty"`
	Trigger  string `json:"trigger,omitempty"`
	Server   string `json:"server,omitempty"`
	Tool     string `json:"tool,omitempty"`
	Agent    string `json:"agent,omitempty"`
	Target   string `json:"target,omitempty"`
	Call     string `json:"call,omitempty"`
	Grant    string `json:"grant,omitempty"`
	Digest   string `json:"digest,omitempty"`
	Was      string `json:"was,omitempty"`
	Changes  string `json:"changes,omitempty"`
	Shown    string `json:"shown,omitempty"` // the digest of what was shown, see Shown

	Signed *parley.Signed `json:"signed,omitempty"` // by the person's passkey
}

// questionWhat is Entry.What of the outcome of a question.
const questionWhat = "question"

// entry is a deed as an entry that has no place yet.
func entry(d parley.Deed) Entry {
	if d.At.IsZero() {
		d.At = time.Now()
	}
	e := Entry{
		Tenant: cmp.Or(d.Tenant, parley.DefaultTenant), At: d.At.UTC().Truncate(time.Millisecond), What: d.What, Outcome: d.Outcome, Decision: d.Decision,
		Reason: d.Reason, By: d.By, For: d.For, Via: d.Via, Question: string(d.Question), Trigger: d.Trigger, Server: d.Server, Tool: d.Tool,
		Agent: d.Agent, Target: d.Target, Call: d.Call, Grant: d.Grant, Digest: d.Digest, Was: d.Was, Changes: d.Changes, Shown: d.Shown, Signed: d.Signed,
	}
	for _, name := range []*string{
		&e.What, &e.Outcome, &e.Decision, &e.Reason, &e.By, &e.For, &e.Via, &e.Question, &e.Trigger, &e.Server, &e.Tool, &e.Agent, &e.Target, &e.Call, &e.Grant, &e.Digest, &e.Was, &e.Changes,
	} {
		*name = parley.KeptName(*name)
	}
	return e
}

// outcome is the entry about a settled question. shown is the question as it was
// opened, if that can be read.
func outcome(r parley.Request, shown *parley.Request, about parley.Deed) Entry {
	o := r.Outcome
	e := entry(parley.Deed{
		Tenant: r.Tenant, At: o.At, What: questionWhat, Outcome: string(o.Action), Decision: about.Decision, Reason: reasonCode(o.Reason),
		By: o.By, For: r.Labels[parley.LabelAsker], Via: o.Via, Question: r.ID, Trigger: r.Trigger, Server: cmp.Or(about.Server, r.From),
		Tool: about.Tool, Call: about.Call, Digest: about.Digest, Changes: about.Changes,
	})
	if e.By == "" && e.For == "" {
		e.For = parley.KeptName(r.To) // who was asked and did not answer
	}
	if shown != nil {
		e.Shown = ShownTo(*shown).Digest()
		e.Signed = about.Signed
	}
	return e
}

// key names an entry: of those of a tenant that have the same, one is kept. due is for
// those that are like no other.
func (e Entry) key(due string) string {
	switch {
	case e.What == questionWhat:
		return questionKey(e.Question)
	case e.What == passkeyAdded:
		return passkeyKeys(e.Target) + due
	case e.Call != "":
		return callKeys(cmp.Or(e.Was, e.Digest)) + digest(e.Call) + "/" + e.What
	}
	return "deed/" + due
}

func questionKey(id string) string { return "question/" + id }

// callKeys begins the keys of entries about calls that were shown with this digest.
func callKeys(shown string) string { return "call/" + digest(shown) + "/" }

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// reasonCode is what a reason begins with. The rest is for people, and may be anybody's
// words.
func reasonCode(reason string) string {
	code, _, _ := strings.Cut(reason, ":")
	switch code {
	case "", "expired", "superseded", "withdrawn":
		return code
	}
	return "resolved"
}

// line is an entry as it stands in the chain, without the line's end.
func (e Entry) line() []byte { return encode(e) }

// encode writes a value in the one way in which this package writes it.
func encode(v any) []byte {
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	if err := to.Encode(v); err != nil {
		panic(err) // strings, numbers and times can be encoded
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// nothingBefore is Prev of the first entry.
var nothingBefore = tlog.RecordHash(nil)

// Shown is what a person was shown of a question.
type Shown = parley.Shown

// ShownTo is what was shown of a question, as the hub returns it.
func ShownTo(r parley.Request) Shown { return parley.ShownTo(r) }
