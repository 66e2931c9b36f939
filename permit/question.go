package permit

import (
	"fmt"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/strictjson"
)

// The labels of a question for an approval, for surfaces that show more than
// its message. Labels are stored in plain; the arguments are not among them.
const (
	LabelServer = "server"
	LabelTool   = parley.LabelTool
	LabelDigest = "digest"
	LabelCall   = "call" // Call.ID
)

// Choice is what a person can say to a question: the values of its field
// "decision".
type Choice string

// The choices.
const (
	AllowOnce   Choice = "allow_once"
	AlwaysAllow Choice = "always_allow"
	Refuse      Choice = "deny"
	// Changed allows this call, once, with the arguments as they stand in the form.
	Changed Choice = "changed"
	// AskBack is no decision: what the person says goes to the model, and the call is
	// not made.
	AskBack Choice = "asked_back"
)

// Question returns the request that asks the person whether c may be made: its
// service, its tool and its complete arguments, as they are. The caller opens
// it, and may set its expiry and add labels before; nobody, hooks of the hub
// included, may change what it says. The same call makes the same
// question but for its id: a caller that has written down an id and does not
// know whether it was opened sets that id and opens it again.
//
// Errors: ErrCall, ErrArguments, ErrTooLong.
func (p *Permits) Question(c Call) (parley.Request, error) {
	s, err := newSubject(c)
	if err != nil {
		return parley.Request{}, err
	}
	return p.question(s)
}

func (p *Permits) question(s subject) (parley.Request, error) {
	message, err := s.message(p.opts.CallBytes, "")
	if err != nil {
		return parley.Request{}, err
	}
	q := parley.Request{
		ID: parley.NewID(), Tenant: s.Tenant, To: s.User, From: s.Server, Session: s.Session,
		Mode: parley.Form, Message: message, Schema: p.formFor(s), Trigger: parley.TriggerApproval,
		Labels: map[string]string{LabelServer: s.Server, LabelTool: s.Tool, LabelDigest: s.digest, LabelCall: s.ID},
	}
	if s.ServerTitle != "" {
		q.Labels[parley.LabelTitle] = s.ServerTitle
	}
	p.brief(&q, s, s.Page, s.Sign)
	if ttl := p.ttl(s.Server); ttl > 0 {
		q.Expires = time.Now().Add(ttl)
	}
	return q, nil
}

// brief gives a question that is too long for most surfaces, or that is decided on its page
// only, what they show instead. sign is the rule that has it signed there.
func (p *Permits) brief(q *parley.Request, s subject, page bool, sign string) {
	if sign != "" {
		q.Labels[parley.LabelSign] = sign
	}
	if len(q.Message) <= p.opts.MessageBytes {
		if sign != "" {
			q.Labels[parley.LabelPage] = "only"
			q.Labels[parley.LabelBrief] = fmt.Sprintf("Allow this call (digest %s)? It is allowed with your passkey, on its page, where you sign in. Open it to see all of the call, and decide there.", s.digest)
		} else if page {
			q.Labels[parley.LabelPage] = "only"
			q.Labels[parley.LabelBrief] = fmt.Sprintf("Allow this call (digest %s)? It is decided on its page, where you sign in. Open it to see all of the call, and decide there.", s.digest)
		}
		return
	}
	q.Labels[parley.LabelBrief] = fmt.Sprintf("Allow this call? It has %d bytes (digest %s), which is more than can be shown here. "+
		"Open its page to see all of it, and decide there.", len(q.Message), s.digest)
}

// fits reports whether q, a question of the same person, asked about s, in the
// very words in which it would be asked now.
func (p *Permits) fits(q parley.Request, s subject) error {
	want, err := p.question(s)
	if err != nil {
		return err
	}
	return same(q, want)
}

// same reports whether q says what want would. The message is compared because
// it is what the person saw: labels are stored in plain.
func same(q, want parley.Request) error {
	expected := said(want)
	for i, field := range said(q) {
		if field.value != expected[i].value {
			return fmt.Errorf("question %s, its %s: %w", q.ID, field.what, ErrMismatch)
		}
	}
	return nil
}

// words stands for all that a question says: two that differ in anything have others.
func words(q parley.Request) string {
	var all []string
	for _, field := range said(q) {
		if field.what == "sign" && field.value == "" {
			continue // as it was before there were signatures: such questions may be open
		}
		all = append(all, field.value)
	}
	return hash(all...)
}

type field struct{ what, value string }

func said(q parley.Request) []field {
	return []field{
		{"session", q.Session},
		{"service", q.From},
		{"trigger", q.Trigger},
		{"tool", q.Labels[LabelTool]},
		{"digest", q.Labels[LabelDigest]},
		{"call", q.Labels[LabelCall]},
		{"brief", q.Labels[parley.LabelBrief]},
		{"sign", q.Labels[parley.LabelSign]},
		{"title", q.Labels[parley.LabelTitle]},
		{"asker", q.Labels[LabelAsker]},
		{"message", q.Message},
		{"form", strictjson.Stored(q.Schema)},
	}
}
