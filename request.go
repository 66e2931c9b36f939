package parley

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// ID names a request. Ids are opaque to clients; within the program they sort
// by the time they were made, so that a list in id order is a list in order of
// opening: exactly so for the ids of one process, as well as the clocks agree
// for those of several.
type ID string

// idEncoding keeps the order of the bytes it encodes.
var idEncoding = base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding)

const (
	idBytes  = 20 // 8 bytes of nanoseconds, 12 of randomness
	idLength = 32
)

// lastID keeps the ids of this process in order when the clock stands still or
// steps back.
var lastID atomic.Int64

// NewID mints an id. [Hub.Open] does so itself; a caller that must write the id
// down before the request exists mints it first and sets Request.ID.
func NewID() ID {
	next := time.Now().UnixNano()
	for {
		last := lastID.Load()
		next = max(next, last+1)
		if lastID.CompareAndSwap(last, next) {
			break
		}
	}
	var b [idBytes]byte
	binary.BigEndian.PutUint64(b[:], uint64(next))
	rand.Read(b[8:]) // never fails: crypto/rand aborts the program instead
	return ID(idEncoding.EncodeToString(b[:]))
}

// Valid reports whether id has the form that NewID gives.
func (id ID) Valid() bool {
	if len(id) != idLength {
		return false
	}
	for _, c := range []byte(id) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'v') {
			return false
		}
	}
	return true
}

// Mode is how a person answers: by a form in place, or at a URL.
type Mode string

// The two modes, as MCP names them.
const (
	Form Mode = "form"
	URL  Mode = "url"
)

// Action is how a request ended.
type Action string

// Accept, Decline and Cancel are a person's choices. Expire is nobody's: the
// time ran out. A request that its asker withdrew, or that a newer one
// superseded, ends with Cancel and says so in Outcome.Reason.
const (
	Accept  Action = "accept"
	Decline Action = "decline"
	Cancel  Action = "cancel"
	Expire  Action = "expire"
)

// What made a program ask: the values of Request.Trigger.
const (
	TriggerTool       = "tool"
	TriggerApproval   = "tool_approval"
	TriggerCredential = "credential_required"
	TriggerMCP        = "mcp_elicitation"
	TriggerA2A        = "a2a_input_required"
	// TriggerApprovers is that of a question which only tells its person that a call
	// of theirs waits for others. They can take the call back; nobody can accept it.
	TriggerApprovers = "approvers"
	TriggerProgram   = "program" // a program with a key asks; its approvals have TriggerApproval
)

// OnlyTells reports whether the person is told something and cannot accept it:
// what they wait for settles the request, and they can only take it back.
func (r Request) OnlyTells() bool { return r.Trigger == TriggerApprovers }

// LabelBrief is the label of an approval whose message is longer than most
// surfaces can show, or that is to be decided on its page. It is what they show instead, with a link to the question's
// page: only where the message is shown whole can the call be allowed.
const LabelBrief = "brief"

// LabelPage is the label of an approval that has LabelBrief not because it is long: a rule
// has it decided on the question's page. Of a question that only tells (OnlyTells) it says
// that this is so of the call which it tells of: where others read along, it has none of
// the arguments.
const LabelPage = "page"

// LabelSign is the label of a question that is allowed with a passkey, and not without. It
// names the rule that wants that.
const LabelSign = "sign"

// LabelAsker is the label of an approval that names whose call it is, where that is
// not the person who is asked; and of a question that another asks, a program
// (Principal.Owner) or a person, who that is.
const LabelAsker = "asker"

// LabelPerson is the label of a question that nobody answers in the person's place: no
// program and no model, whatever its trigger. Its value is "only".
const LabelPerson = "person"

// LabelCircle is the label of a question that a model's message brought about: a program
// calls an agent in the person's name. It says which conversation that is.
const LabelCircle = "agent.circle"

// LabelTitle is the label of a question that says how people know the service that
// asks, where that is not its name. It is the operator's word, never the service's. Of a
// question that is passed on for others it goes on with whom the service says it asks for,
// in quotation marks.
const LabelTitle = "title"

// LabelTool and LabelAgent are the labels that name the tool whose call made
// somebody ask, and the agent that made the call, where they are known: for logs.
const (
	LabelTool  = "tool"
	LabelAgent = "agent"
)

// LabelTrace is the label that says which span of a trace a question belongs to (see
// package tracing), so that its outcome is told there, in whichever process it comes.
const LabelTrace = "trace"

// Name adds LabelTool or LabelAgent to the labels of a question, unless they have it.
// A name that no log would show is left out: it must not keep a question
// from being asked.
func Name(labels map[string]string, label, name string) {
	if labels[label] == "" && len(name) <= mostLogged && ValidName(name) {
		labels[label] = name
	}
}

// Request is one question to one person.
type Request struct {
	ID      ID
	Tenant  string          // empty when opening: "default"
	To      string          // the user who may answer
	From    string          // the service that asks, by its name; people are shown Service
	Mode    Mode            // empty when opening: Form
	Message string          // what is asked, in the service's words
	Schema  json.RawMessage // form mode: a flat JSON schema, see package form
	URL     string          // url mode: where the person goes
	Trigger string          // what made the program ask; empty when opening: TriggerTool
	Session string          // the conversation or MCP session it belongs to, if any
	Labels  map[string]string

	Created time.Time // set by Open
	Expires time.Time // zero when opening: Created plus the hub's TTL

	Outcome *Outcome // nil while pending
}

// Pending reports whether the request still waits for its outcome.
func (r Request) Pending() bool { return r.Outcome == nil }

// Service is how people know who asks: the title of the service, or its name. A
// title with brackets could pass for another's in front of a message, and is not
// used.
func (r Request) Service() string {
	if title := strings.TrimSpace(r.Labels[LabelTitle]); title != "" && !strings.ContainsAny(title, "[]") {
		return title
	}
	return r.From
}

// Clone returns a copy that shares no memory with r.
func (r Request) Clone() Request {
	r.Schema = slices.Clone(r.Schema)
	r.Labels = maps.Clone(r.Labels)
	if r.Outcome != nil {
		o := r.Outcome.Clone()
		r.Outcome = &o
	}
	return r
}

// Outcome is how a request ended. It never changes once it is there.
type Outcome struct {
	Action  Action
	Content json.RawMessage // the accepted form; nil otherwise
	By      string          // the user who answered; empty when no person did
	Via     string          // the surface that took the answer
	Reason  string          // why, when no person settled it: "expired", "superseded", "withdrawn: …"
	At      time.Time

	// Claim tells this attempt to settle from every other one. The hub sets
	// it, so that an attempt whose reply was lost can recognise its own work.
	Claim string
}

// Clone returns a copy that shares no memory with o.
func (o Outcome) Clone() Outcome {
	o.Content = slices.Clone(o.Content)
	return o
}

// Answer is what a person said.
type Answer struct {
	Action  Action          // Accept, Decline or Cancel
	Content json.RawMessage // accepted forms only
	Via     string          // the surface that took it

	// Assertion is what the person's passkey says of it, as the browser sends it, where
	// LabelSign asks for one. Hooks check and keep it.
	Assertion json.RawMessage
}
