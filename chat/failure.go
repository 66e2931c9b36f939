package chat

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/internal/unrouted"
	"github.com/parley-hq/parley/permit"
)

// refusal is an error whose text is fit for a client.
type refusal struct {
	status int
	text   string
	fields []fieldError
	after  time.Duration // 429: when it is worth trying again
	wrong  string        // 401: what a challenge says of the token, besides the scheme

	code, param string // as OpenAI's API names it, if it does
}

// seconds is after as headers and events have it; 0: it is not said.
func (e *refusal) seconds() int { return int(math.Ceil(e.after.Seconds())) }

// announce sets the headers that belong to a refusal.
func (e *refusal) announce(w http.ResponseWriter) {
	if e.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", strings.TrimSpace("Bearer "+e.wrong))
	}
	if e.after > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(e.seconds()))
	}
}

// fieldError is what is wrong with one field of a form.
type fieldError struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

func (e *refusal) Error() string { return e.text }

func bad(text string) error { return &refusal{status: http.StatusBadRequest, text: text} }

var (
	errModels  = &refusal{status: http.StatusForbidden, text: "A model began this conversation, and a token could be its own: give this approval on its page, signed in."}
	errForeign = &refusal{status: http.StatusForbidden, text: "Another site sent this, so nothing was done. Its origin has to be configured first."}
)

func tooLarge(err error) *refusal {
	return &refusal{status: http.StatusRequestEntityTooLarge, text: "This is more than can be sent" + parley.Allowed(err) + ". Shorten it."}
}

// busyText is what a person is told of whom too much is in progress.
var busyText = map[agent.Whose]string{
	agent.ThePersons: "You have as many turns going on as you may have at once. Wait for one to end, then try again.",
	agent.TheTenants: "Your organization has as many turns going on as it may have at once. Try again in a moment.",
	agent.Everybodys: "As many turns are going on here as can be at once. Try again in a moment.",
}

// explain turns an error into what a client is told. The text of an internal
// error is for the log alone.
func explain(err error) *refusal {
	var said *refusal
	if errors.As(err, &said) {
		return said
	}
	var wrong *form.ContentError
	if errors.As(err, &wrong) {
		r := &refusal{status: http.StatusBadRequest, text: "The answer does not fit the form. Correct the fields and send it again."}
		for _, v := range wrong.Violations {
			r.fields = append(r.fields, fieldError{Field: v.Path, Message: v.Message})
		}
		return r
	}
	var busy *agent.BusyError
	if errors.As(err, &busy) {
		return &refusal{status: http.StatusTooManyRequests, text: busyText[busy.Whose], after: busy.After}
	}
	if fault := parley.CredentialFault(err); fault != "" && errors.Is(err, ErrUnauthenticated) {
		return &refusal{
			status: http.StatusUnauthorized, text: "This token is not accepted: " + fault + ".", wrong: parley.CredentialChallenge(err),
		}
	}
	for _, one := range []struct {
		is     error
		status int
		text   string
	}{
		{errWhoIsThere, http.StatusServiceUnavailable, "It cannot be found out just now who you are: something is wrong on our side. You are still signed in; try again in a minute."},
		{ErrUnauthenticated, http.StatusUnauthorized, "You are not signed in. Send a valid token, or sign in first."},
		{ErrStopping, http.StatusServiceUnavailable, "The server is being restarted. Try again in a moment."},
		{agent.ErrNoPerson, http.StatusForbidden, "A conversation belongs to a person, or to a program with a key, and this credential is neither's. Use one of these."},
		{permit.ErrNotYours, http.StatusForbidden, "Others decide about this call. You can take it back, and nothing else."},
		{permit.ErrNotShown, http.StatusForbidden, "This call is not shown whole here. Allow it on the page of its question, where all of it is shown."},
		{agent.ErrUnknownAgent, http.StatusNotFound, "There is no such agent. Check its name."},
		{parley.ErrNotFound, http.StatusNotFound, "There is no such question in this conversation. Check its id, and who you are signed in as."},
		{parley.ErrSettled, http.StatusConflict, "This question is already settled: the first answer counts."},
		{parley.ErrQueued, http.StatusConflict, "An earlier question of this conversation is still open. Answer that one first."},
		{parley.ErrExpired, http.StatusGone, "This question has expired. Ask the agent again."},
		{parley.ErrAction, http.StatusBadRequest, "The action is accept, decline or cancel."},
		{parley.ErrTooLarge, http.StatusRequestEntityTooLarge, ""},
		{parley.ErrInvalid, http.StatusBadRequest, "This cannot be taken as it is. Check the conversation's id and the message."},
	} {
		if errors.Is(err, one.is) {
			r := &refusal{status: one.status, text: one.text}
			if one.is == parley.ErrTooLarge {
				r.text = tooLarge(err).text
			}
			if one.is == agent.ErrUnknownAgent {
				r.code, r.param = "model_not_found", "model"
			}
			return r
		}
	}
	return &refusal{status: http.StatusServiceUnavailable, text: "Something is wrong on our side. Try again in a minute."}
}

// explainTo explains an error to a client, and logs what the client is not told.
func (c *Chat) explainTo(r *http.Request, err error) *refusal {
	if stopping(r) {
		err = ErrStopping
	}
	said := explain(err)
	if said.status >= http.StatusInternalServerError && r.Context().Err() == nil && !errors.Is(err, errGone) {
		c.opts.Logger.ErrorContext(r.Context(), "chat request failed", "path", r.URL.Path, "err", err)
	}
	return said
}

// refused is an error as the endpoints below /run/api have it.
type refused struct {
	Success bool         `json:"success"`
	Error   string       `json:"error"`
	Fields  []fieldError `json:"fields,omitempty"`
}

func (c *Chat) fail(w http.ResponseWriter, r *http.Request, err error) {
	said := c.explainTo(r, err)
	said.announce(w)
	reply(w, said.status, refused{Error: said.text, Fields: said.fields})
}

// failNoPath answers what no handler is there for: with the methods that there
// are, if the path is one of ours.
func (c *Chat) failNoPath(w http.ResponseWriter, r *http.Request) {
	said := &refusal{status: http.StatusNotFound, text: "There is nothing at this address. Check the path.", code: "unknown_url"}
	if allow := unrouted.Allow(c.mux, r); allow != "" {
		w.Header().Set("Allow", allow)
		said = &refusal{status: http.StatusMethodNotAllowed, text: "This address does not take that method.", code: "method_not_allowed"}
	}
	c.failHere(w, r, said)
}

// reply answers with JSON.
func reply(w http.ResponseWriter, status int, body any) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = encode(w, body) // the client is gone, or is not
}
