package pages

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/pages/markup"
	"github.com/parley-hq/parley/strictjson"
)

// ViaInbox is the surface that answers given in the inbox come through. It is not
// Via, since calls that are too long for a card are shown whole on their page only.
const ViaInbox = "inbox"

// ViaTerminal is the surface of answers that come with a bearer token, such as those
// of `parley inbox`. What holds for the inbox holds for it.
const ViaTerminal = "terminal"

const inboxPath = "/inbox"

// inboxScript is built from web/ by web/scripts/build and committed, as the widget
// is.
//
//go:embed widget/inbox.js
var inboxScript []byte

// inboxView is the place of the inbox, which its script fills.
type inboxView struct {
	User  string
	Admin bool
}

func (v inboxView) write(w *markup.Writer, _ page) {
	if v.Admin {
		w.Put(`<parley-inbox user="{}" admin></parley-inbox>`, v.User)
	} else {
		w.Put(`<parley-inbox user="{}"></parley-inbox>`, v.User)
	}
	w.Put(`
<noscript><p>The inbox needs JavaScript. Questions can be answered without it at the links that you are sent.</p></noscript>`)
}

func (p *Pages) showInbox(w http.ResponseWriter, r *http.Request) {
	s, ok := p.signedIn(w, r)
	if !ok {
		return
	}
	w.Header().Set("Content-Security-Policy", policy+"; manifest-src 'self'; worker-src 'self'")
	p.render(w, r, page{Heading: "Inbox", who: &s, Module: p.layout.inbox, Body: inboxView{s.User, p.administers(s)}})
}

func (p *Pages) administers(s session) bool {
	return p.opts.Administers != nil && p.opts.Administers(s.principal())
}

// countMost is how many open questions are counted; countWait is how long a page
// waits to know.
const (
	countMost = 99
	countWait = 500 * time.Millisecond
)

// Waiting is how many questions wait for a person: "3", or "99+". It is empty when
// there are none, or the store does not say soon.
func (p *Pages) Waiting(ctx context.Context, who parley.Principal) string {
	if p.hub == nil || who.User == "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, countWait)
	defer cancel()
	open, err := p.hub.List(ctx, who, parley.Query{Pending: true, Newest: true, Limit: countMost + 1})
	n := 0
	for _, q := range open {
		if !over(q) && !q.OnlyTells() {
			n++
		}
	}
	switch {
	case err != nil || n == 0:
		return ""
	case n > countMost:
		return strconv.Itoa(countMost) + "+"
	}
	return strconv.Itoa(n)
}

// isJSON reports whether a request is a script's.
func isJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

// sentAnswer is what the inbox sends. Who answers is not in it.
type sentAnswer struct {
	ID      string          `json:"elicitationId"`
	Action  string          `json:"action"`
	Content json.RawMessage `json:"content"`
	Via     string          `json:"via"` // ViaTerminal, from a terminal that is signed in as a browser is
}

// maxSentDepth is how deep the content of an answer may be: forms have less.
const maxSentDepth = 64

// takeSent gives an answer from the inbox to the hub.
func (p *Pages) takeSent(w http.ResponseWriter, r *http.Request) {
	err := p.giveSent(w, r)
	w.Header().Set("Content-Type", "application/json")
	if err == nil {
		writeJSON(w, http.StatusOK, map[string]bool{"success": true})
		return
	}
	said := explainSent(err)
	if said.status == http.StatusServiceUnavailable {
		p.opts.Logger.ErrorContext(r.Context(), "answer failed", "path", r.URL.Path, "err", err)
	}
	writeJSON(w, said.status, said)
}

func (p *Pages) giveSent(w http.ResponseWriter, r *http.Request) error {
	who, via, err := p.answerer(r)
	if err != nil {
		return err
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, longestBody))
	if err != nil {
		return errUnreadable
	}
	var sent sentAnswer
	if err := strictjson.Decode(raw, maxSentDepth, &sent); err != nil {
		return fmt.Errorf("%w: %w", errUnreadable, err)
	}
	if sent.ID != r.PathValue("id") {
		return errUnreadable
	}
	q, err := p.hub.Get(r.Context(), who, parley.ID(sent.ID))
	if err != nil {
		return err
	}
	if parley.Action(sent.Action) == parley.Accept && !p.answeredInInbox(q) {
		return errOnItsPage
	}
	if sent.Via == ViaTerminal { // the same holds for both
		via = ViaTerminal
	}
	if string(sent.Content) == "null" {
		sent.Content = nil
	}
	err = p.hub.Answer(r.Context(), who, q.ID, parley.Answer{Action: parley.Action(sent.Action), Content: sent.Content, Via: via})
	if errors.Is(err, parley.ErrRepeated) {
		return nil
	}
	return err
}

// answerer is who sends an answer, by the session, or by a token where there is one,
// and where.
func (p *Pages) answerer(r *http.Request) (who parley.Principal, via string, err error) {
	if r.Header.Get("Authorization") == "" || p.opts.Bearer == nil {
		s, err := p.session(r)
		return s.principal(), ViaInbox, err
	}
	who, err = p.opts.Bearer(r)
	if err == nil && (!who.IsPerson() || who.Validate() != nil) {
		err = fmt.Errorf("%w: %w", ErrNotSignedIn, errKey)
	}
	return who, ViaTerminal, err
}

// answeredInInbox reports whether a yes can be said there: not where another page
// takes it, or other people do, and not to a call that is too long to be shown
// whole.
func (p *Pages) answeredInInbox(q parley.Request) bool {
	return (q.Mode != parley.URL || p.answeredByGoing(q)) && q.Labels[parley.LabelBrief] == "" && !q.OnlyTells()
}

// refusedAnswer is an answer that was not taken, as scripts read it.
type refusedAnswer struct {
	status int
	Text   string       `json:"error"`
	Fields []wrongField `json:"fields,omitempty"`
}

type wrongField struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// errKey is of a program's credential: it has nothing to answer.
var errKey = &parley.CredentialError{Reason: "it is a program's, and questions are answered by a person: on the page, in the inbox, or with a token of parley login"}

var (
	errUnreadable = errors.New("pages: what was sent is no answer")
	errOnItsPage  = errors.New("pages: the question is settled by its own page")
)

// explainSent says what a person is told of an answer that was not taken.
func explainSent(err error) refusedAnswer {
	var wrong *form.ContentError
	if errors.As(err, &wrong) {
		said := refusedAnswer{status: http.StatusBadRequest, Text: "The answer does not fit the form. Correct the fields and send it again."}
		for _, v := range wrong.Violations {
			said.Fields = append(said.Fields, wrongField{v.Path, v.Message})
		}
		return said
	}
	var twofold *strictjson.Error
	if errors.As(err, &twofold) {
		return refusedAnswer{status: http.StatusBadRequest, Text: fmt.Sprintf("This cannot be read in one way only: %.200s.", twofold)}
	}
	if fault := parley.CredentialFault(err); fault != "" && errors.Is(err, ErrNotSignedIn) {
		return refusedAnswer{status: http.StatusUnauthorized, Text: "This token is not accepted: " + fault + "."}
	}
	for _, one := range []struct {
		is   error
		said refusedAnswer
	}{
		{ErrNotSignedIn, refusedAnswer{status: http.StatusUnauthorized, Text: "You are not signed in. Sign in and answer again."}},
		{errUnreadable, refusedAnswer{status: http.StatusBadRequest, Text: "What was sent cannot be read. Reload the page and try again."}},
		{errOnItsPage, refusedAnswer{status: http.StatusBadRequest, Text: "This takes no yes here. Open its own page."}},
		{parley.ErrNotFound, refusedAnswer{status: http.StatusNotFound, Text: "This question is for somebody else or does not exist."}},
		{parley.ErrSettled, refusedAnswer{status: http.StatusConflict, Text: "This question is settled already: the first answer counts."}},
		{parley.ErrQueued, refusedAnswer{status: http.StatusConflict, Text: "An earlier question of the same conversation is still open. Answer that one first."}},
		{parley.ErrExpired, refusedAnswer{status: http.StatusGone, Text: "This question has expired."}},
		{parley.ErrAction, refusedAnswer{status: http.StatusBadRequest, Text: "It is not clear what you chose. Reload the page and use its buttons."}},
		{parley.ErrTooLarge, refusedAnswer{status: http.StatusRequestEntityTooLarge, Text: "That is more than can be sent" + parley.Allowed(err) + ". Shorten it."}},
		{parley.ErrInvalid, refusedAnswer{status: http.StatusBadRequest, Text: "This cannot be taken as it is. Answer on the question's own page."}},
	} {
		if errors.Is(err, one.is) {
			return one.said
		}
	}
	return refusedAnswer{status: http.StatusServiceUnavailable, Text: "Something is wrong on our side. Try again in a minute."}
}
