package api

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/internal/unrouted"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/vault"
)

// problem is a refusal with a sentence for the client.
func problem(status int, sentence string, details ...*huma.ErrorDetail) *huma.ErrorModel {
	return &huma.ErrorModel{Status: status, Title: http.StatusText(status), Detail: sentence, Errors: details}
}

const invalidSentence = "This cannot be taken as it is. Correct what is listed and send it again."

// invalid is a refusal of one member, by its path.
func invalid(path, reason string) *huma.ErrorModel {
	return problem(http.StatusUnprocessableEntity, invalidSentence, &huma.ErrorDetail{Location: path, Message: reason})
}

// explain turns an error into what a client is told. The text of an internal
// error is for the log alone.
func explain(err error) *huma.ErrorModel {
	var said *huma.ErrorModel
	switch {
	case errors.As(err, &said):
		return said
	case errors.Is(err, permit.ErrCondition):
		return ofRule(err)
	case errors.Is(err, vault.ErrInvalid):
		return problem(http.StatusUnprocessableEntity, invalidSentence, details(err)...)
	}
	for _, one := range []struct {
		is     error
		status int
		text   string
	}{
		{vault.ErrUnknown, http.StatusNotFound, "There is no such thing here. Check its name."},
		{parley.ErrNotFound, http.StatusNotFound, "There is no such thing here. Check its id or name, and who you are signed in as."},
		{vault.ErrConfigured, http.StatusConflict, "It comes from the configuration. Change it there."},
		{parley.ErrExists, http.StatusConflict, "There is one of this name already. Change that one, or use another name."},
		{errFull, http.StatusConflict, fmt.Sprintf("There are %d servers of this tenant already. Remove one first.", maxServers)},
		{parley.ErrSettled, http.StatusConflict, "This question is already settled. Read its outcome."},
		{parley.ErrExpired, http.StatusConflict, "This question has expired."},
		{parley.ErrConflict, http.StatusConflict, "Somebody else changed it in the meantime. Read it again and decide anew."},
		{permit.ErrNotYours, http.StatusConflict, "Others decide about this call. You can take it back, and nothing else."},
		{permit.ErrNotShown, http.StatusConflict, "This call is not shown whole here. Allow it on the page of its question, where all of it is shown."},
		{permit.ErrConsumed, http.StatusConflict, "This permission was for one call, and that call was made."},
		{vault.ErrSource, http.StatusConflict, "The source that keeps this server's credentials does not do that, or is not configured."},
		{parley.ErrTooLarge, http.StatusUnprocessableEntity, "This is more than can be taken here. Send less."},
		{form.ErrTooLarge, http.StatusUnprocessableEntity, "The form is too large. Ask for less, or in several forms."},
		{form.ErrSchema, http.StatusUnprocessableEntity, "The form cannot be shown. Send a flat JSON schema."},
		{form.ErrContent, http.StatusUnprocessableEntity, "The answer does not fit the form."},
		{parley.ErrInvalid, http.StatusUnprocessableEntity, "This cannot be asked as it is."},
		{parley.ErrQuery, http.StatusUnprocessableEntity, "This cannot be looked for. Check the parameters."},
		{parley.ErrTooManyPending, http.StatusTooManyRequests, "This person has too many open questions. Wait until some are answered."},
		{permit.ErrRule, http.StatusUnprocessableEntity, "The rule is never, unsafe, always or refuse."},
	} {
		if errors.Is(err, one.is) {
			return problem(one.status, one.text)
		}
	}
	return problem(http.StatusServiceUnavailable, "Something is wrong on our side. Try again in a minute.")
}

// A problem of a condition names its place, then the reason.
var aboutPlace = regexp.MustCompile(`(?s), (server|tool|approve|approvers|choices|slack|page|when): (.*)`)

func ofRule(err error) *huma.ErrorModel {
	if m := aboutPlace.FindStringSubmatch(err.Error()); m != nil {
		return invalid(pathOf(m[1]), m[2])
	}
	return invalid("body", err.Error())
}

// A problem of the vault's begins with the member that it is about.
var aboutMember = regexp.MustCompile(`^([a-z_]+(?:\.[a-z_]+)*)(?:: | (?:is|needs) )`)

// details lists what the vault found wrong, each with the path of its member.
func details(err error) []*huma.ErrorDetail {
	var all []*huma.ErrorDetail
	for _, one := range problems(err) {
		d := &huma.ErrorDetail{Location: "body", Message: one.Error()}
		if m := aboutMember.FindStringSubmatch(d.Message); m != nil {
			d.Location = pathOf(m[1])
		}
		all = append(all, d)
	}
	return all
}

// problems takes an error of the vault apart: it names the kind and the thing,
// then everything that is wrong, joined.
func problems(err error) []error {
	var several interface{ Unwrap() []error }
	if !errors.As(err, &several) {
		return []error{err}
	}
	parts := several.Unwrap()
	if joined, ok := parts[len(parts)-1].(interface{ Unwrap() []error }); ok && len(parts) > 1 {
		return joined.Unwrap()
	}
	return []error{err}
}

func pathOf(member string) string { return "body." + member }

// fail answers with an error, and logs what the client is not told.
func (a *API) fail(w http.ResponseWriter, r *http.Request, operation string, err error) {
	if errors.Is(err, ErrUnauthenticated) { // by now: see Caller.still
		a.failCaller(w, r, err)
		return
	}
	said := explain(err)
	if said.Status >= http.StatusInternalServerError && r.Context().Err() == nil {
		a.opts.Logger.ErrorContext(r.Context(), "API request failed", "operation", operation, "err", err)
	}
	var more huma.HeadersError
	if errors.As(err, &more) {
		for name, values := range more.GetHeaders() {
			for _, value := range values {
				w.Header().Add(name, value)
			}
		}
	}
	a.write(w, said)
}

// failCaller answers who cannot be told apart.
func (a *API) failCaller(w http.ResponseWriter, r *http.Request, err error) {
	if !errors.Is(err, ErrUnauthenticated) {
		if r.Context().Err() == nil {
			a.opts.Logger.ErrorContext(r.Context(), "API caller not verified", "path", r.URL.Path, "err", err)
		}
		a.write(w, problem(http.StatusServiceUnavailable, "It cannot be found out just now who you are: something is wrong on our side. You are still signed in; try again in a minute."))
		return
	}
	sentence := "You are not signed in. Send a valid token, or sign in first."
	if fault := parley.CredentialFault(err); fault != "" {
		sentence = "This token is not accepted: " + fault + "."
	}
	w.Header().Set("WWW-Authenticate", strings.TrimSpace("Bearer "+parley.CredentialChallenge(err)))
	a.write(w, problem(http.StatusUnauthorized, sentence))
}

// garbled says what is no text in the address of a request. Nothing has such a
// name, and not every store can look for it.
func garbled(r *http.Request) *huma.ErrorModel {
	if !text(r.URL.Path) {
		return problem(http.StatusNotFound, "There is no such thing here. Check its name.")
	}
	for name, values := range r.URL.Query() {
		if !text(name) || !text(strings.Join(values, "")) {
			return invalid("query", "it is not UTF-8, or has a NUL")
		}
	}
	return nil
}

func text(s string) bool { return utf8.ValidString(s) && !strings.Contains(s, "\x00") }

// failNoPath answers what no operation is there for: with the methods that
// there are, if the path is one of ours.
func (a *API) failNoPath(w http.ResponseWriter, r *http.Request) {
	said := problem(http.StatusNotFound, "There is nothing at this address. Check the path.")
	if allow := unrouted.Allow(a.mux, r); allow != "" {
		w.Header().Set("Allow", allow)
		said = problem(http.StatusMethodNotAllowed, "This address does not take that method.")
	}
	a.write(w, said)
}

// withoutValues takes out of a problem what the client sent: it may be a secret, and the
// answer may be logged.
func withoutValues(said *huma.ErrorModel) *huma.ErrorModel {
	copied := *said
	copied.Errors = nil
	for _, one := range said.Errors {
		copied.Errors = append(copied.Errors, &huma.ErrorDetail{Location: one.Location, Message: plainly(one.Location, one.Message)})
	}
	return &copied
}

// plainly says in words what huma says in terms of its own.
func plainly(location, message string) string {
	if message == "expected string to match pattern "+namePattern {
		return "it is no name: a name has 1 to 64 letters from A to Z and a to z, digits, - and _, and begins with a letter or a digit"
	}
	limit, is := strings.CutPrefix(message, "expected number <= ")
	most, err := strconv.ParseFloat(limit, 64)
	if !is || err != nil {
		return message
	}
	const day = 24 * 60 * 60
	if inSeconds := strings.HasSuffix(location, ".after") || strings.HasSuffix(location, "_seconds"); inSeconds && math.Mod(most, day) == 0 {
		return fmt.Sprintf("at most %.0f seconds, which are %.0f days", most, most/day)
	}
	return "expected number <= " + strconv.FormatFloat(most, 'f', -1, 64)
}

// namePattern is that of the tags of names.
const namePattern = "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"

// write answers with a problem: every refusal is sent here.
func (a *API) write(w http.ResponseWriter, p *huma.ErrorModel) {
	text, err := encode(withoutValues(p))
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	if err == nil {
		_, err = w.Write(text)
	}
	if err != nil {
		a.opts.Logger.Debug("API answer not sent", "err", err)
	}
}
