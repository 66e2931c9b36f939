package pages

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/legible"
	"github.com/parley-hq/parley/permit"
)

// questionView is what every page about a question shows of it. The service and
// its words are kept apart, so that words cannot pass for a service.
type questionView struct {
	ID      parley.ID
	Service string
	Message string
	Exact   []legible.Run // the message of an approval, instead
	Long    *longView     // it is longer than a screen; nil: it is not
	Account string
	Expires timeView
}

// longView is about a call that is shown in a box of its own, which scrolls.
type longView struct {
	What   string // call or action
	Size   string // of what is shown
	Digest string
}

// What a phone shows beside the decision.
const (
	fewBytes = 600
	fewLines = 15
)

func viewLong(q parley.Request) *longView {
	if q.Trigger != parley.TriggerApproval || len(q.Message) <= fewBytes && strings.Count(q.Message, "\n") < fewLines {
		return nil
	}
	v := &longView{What: "call", Size: fmt.Sprintf("%d bytes", len(q.Message)), Digest: q.Labels[permit.LabelDigest]}
	if q.Labels[permit.LabelTool] == "" { // a program's
		v.What = "action"
	}
	if len(q.Message) <= fewBytes {
		v.Size = fmt.Sprintf("%d lines", strings.Count(q.Message, "\n")+1)
	}
	return v
}

// timeView is a time as a page shows it before the script puts it into the
// reader's own zone.
type timeView struct {
	Machine string // for the datetime attribute
	Text    string
}

func viewTime(t time.Time) timeView {
	t = t.UTC()
	return timeView{Machine: t.Format(time.RFC3339), Text: t.Format("2 January 2006, 15:04") + " UTC"}
}

func viewQuestion(q parley.Request, s session) questionView {
	return questionView{
		ID: q.ID, Service: legible.Line(cmp.Or(strings.TrimSpace(q.Service()), "A program without a name")), Message: prose(q.Message),
		Exact: inOrder(q), Long: viewLong(q), Account: legible.Line(s.Label()), Expires: viewTime(q.Expires),
	}
}

// outcomeView is how a question ended.
type outcomeView struct {
	Question questionView
	Sentence string
	At       timeView
	Via      string
	Back     *forwardView // where the person came from, if that is known
}

// showSettled says how a question ended, and tells the window that opened this
// one. The status is for answers that came too late; 0 is 200.
func (p *Pages) showSettled(w http.ResponseWriter, r *http.Request, s session, q parley.Request, status int) {
	if q.Pending() { // nobody has noticed yet
		q.Outcome = &parley.Outcome{Action: parley.Expire, At: q.Expires}
	}
	o := q.Outcome
	v := outcomeView{Question: viewQuestion(q, s), At: viewTime(o.At), Via: surface(o.Via)}
	v.Back = p.leadBack(w, r, q)
	var heading string
	heading, v.Sentence = ending(q)
	p.render(w, r, page{
		status: status, Heading: heading, who: &s,
		Settled: p.viewSettled(q), Body: v,
	})
}

// showLate says that an account is connected for whose question nobody waited any
// more.
func (p *Pages) showLate(w http.ResponseWriter, r *http.Request, s session, q parley.Request) {
	p.render(w, r, page{Heading: "Connected", who: &s, Body: outcomeView{
		Question: viewQuestion(q, s),
		Sentence: "Your account is connected. The question for it had ended by then. Send your message again, and the program goes on.",
	}})
}

func (p *Pages) viewSettled(q parley.Request) *settledView {
	return &settledView{ID: q.ID, Action: parley.Action(stateOf(q)), Origins: strings.Join(p.opts.Origins, " ")}
}

// ending says how a question ended, in a heading and a sentence.
func ending(q parley.Request) (heading, sentence string) {
	connecting := q.Trigger == parley.TriggerCredential
	if heading, sentence, ok := decided(q); ok {
		return heading, sentence
	}
	switch o := q.Outcome; {
	case q.OnlyTells() && o.By != "":
		return "Taken back", "You took this call back: it is not made. Those who were asked were told."
	case q.OnlyTells() && o.Action == parley.Accept:
		return "Allowed", "The call goes on: " + prose(o.Reason) + "."
	case q.OnlyTells() && o.Action == parley.Decline:
		return "Not allowed", "The call is not made: " + prose(o.Reason) + "."
	case o.Action == parley.Accept && connecting && o.Via == Via:
		return "Connected", "Your account is connected, and the program goes on."
	case o.Action == parley.Accept && connecting: // said before it was
		return "Connected", "Your account is connected. If the program has given up meanwhile, send your message again."
	case o.Action == parley.Accept && q.Mode == parley.URL:
		return "Done", "You went there, and the program goes on."
	case o.Action == parley.Accept:
		return "Answered", "Your answer was taken, and the program goes on."
	case o.Action == parley.Decline && connecting:
		return "Not connected", "You declined. The program was told."
	case o.Action == parley.Decline:
		return "Declined", "You declined. The program was told."
	case o.Action == parley.Expire:
		return "Expired", "Nobody answered in time. If it still matters, the program has to ask again."
	case o.By != "":
		return "Cancelled", "You cancelled this question. The program was told."
	case o.Reason == "superseded":
		return "No longer asked", "A newer question has taken the place of this one."
	}
	if why, given := strings.CutPrefix(q.Outcome.Reason, "withdrawn: "); given {
		return "No longer asked", "Your answer is not needed any more: " + legible.Line(why) + "."
	}
	return "No longer asked", "Your answer is not needed any more."
}

// surface is the way an answer came, in words.
func surface(via string) string {
	switch via {
	case "":
		return ""
	case Via:
		return "this site"
	}
	return legible.Line(via)
}

type queuedView struct {
	Question questionView
	Earlier  string // where the question is that comes first
}

// showQueued says that an earlier question comes first, and where it is.
func (p *Pages) showQueued(w http.ResponseWriter, r *http.Request, s session, q parley.Request) {
	v := queuedView{Question: viewQuestion(q, s)}
	list, err := p.hub.List(r.Context(), s.principal(), parley.Query{Session: q.Session, Pending: true, Limit: 1})
	if err == nil && len(list) > 0 && list[0].ID != q.ID {
		v.Earlier = answerPath(list[0].ID)
	}
	p.render(w, r, page{status: http.StatusConflict, Heading: "Another question comes first", who: &s, Body: v})
}

// showStatus tells a page of ours whether its question still waits.
func (p *Pages) showStatus(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	s, err := p.session(r)
	var q parley.Request
	if err == nil {
		q, err = p.look(r, s.principal())
	}
	switch {
	case errors.Is(err, ErrNotSignedIn):
		writeJSON(w, http.StatusUnauthorized, map[string]string{"error": "not signed in"})
	case errors.Is(err, parley.ErrNotFound):
		writeJSON(w, http.StatusNotFound, map[string]string{"error": "not found"})
	case err != nil:
		p.opts.Logger.ErrorContext(r.Context(), "question state not read", "err", err)
		writeJSON(w, http.StatusServiceUnavailable, map[string]string{"error": "try again"})
	default:
		writeJSON(w, http.StatusOK, map[string]string{"state": stateOf(q)})
	}
}

// look reads the question that a status is asked of. What a source of the vault
// has by now settles it, if the page waits for that.
func (p *Pages) look(r *http.Request, who parley.Principal) (parley.Request, error) {
	query := r.URL.Query()
	id := parley.ID(query.Get("elicitation_id"))
	if query.Get("look") != "" && p.opts.Connections != nil {
		if _, err := p.opts.Connections.Offer(r.Context(), who, id); err != nil {
			p.opts.Logger.DebugContext(r.Context(), "looking for a credential", "id", id, "err", err)
		}
	}
	return p.hub.Get(r.Context(), who, id)
}

func stateOf(q parley.Request) string {
	switch {
	case !q.Pending():
		return string(q.Outcome.Action)
	case over(q):
		return string(parley.Expire)
	}
	return "pending"
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
