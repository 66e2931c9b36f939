package pages

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/parley-hq/parley"
)

// refusal is an error with a sentence for the person.
type refusal struct {
	status   int
	heading  string
	sentence string
	again    string // where to try again, if that makes sense
	cause    error  // for the log
}

func (e *refusal) Error() string {
	if e.cause != nil {
		return e.sentence + " (" + e.cause.Error() + ")"
	}
	return e.sentence
}

func (e *refusal) Unwrap() error { return e.cause }

type failureView struct {
	Sentence  string
	Again     string // a link
	AgainText string
	Switch    string // where to come back to with another account
	Decline   string // where to say no
}

// fail shows an error as a page. What is not meant for people goes to the log.
func (p *Pages) fail(w http.ResponseWriter, r *http.Request, err error) {
	var known *refusal
	switch {
	case errors.As(err, &known):
		switch {
		case known.cause == nil, r.Context().Err() != nil: // whoever asked has gone
		case known.status == http.StatusServiceUnavailable:
			p.opts.Logger.ErrorContext(r.Context(), "page failed", "path", r.URL.Path, "err", known.cause)
		default:
			p.opts.Logger.WarnContext(r.Context(), "page refused", "path", r.URL.Path, "status", known.status, "err", known.cause)
		}
	default:
		if r.Context().Err() == nil {
			p.opts.Logger.ErrorContext(r.Context(), "page failed", "path", r.URL.Path, "err", err)
		}
		known = &refusal{
			status: http.StatusServiceUnavailable, heading: "That did not work",
			sentence: "Something is wrong on our side. Try again in a minute.",
		}
	}
	v := failureView{Sentence: known.sentence, Again: known.again, AgainText: "Try again"}
	if known.status == http.StatusServiceUnavailable && v.Again == "" && r.Method == http.MethodGet && !strings.Contains(r.URL.Path, "/callback") && r.URL.Path != verifiedPath {
		v.Again = localPath(r.URL.RequestURI()) // codes and answers do not get into a page
	}
	if known.status == http.StatusUnauthorized {
		v.AgainText = "Sign in"
	}
	p.render(w, r, page{status: known.status, Heading: known.heading, Body: v})
}

// failLogin shows an error of signing in, with the way to try again.
func (p *Pages) failLogin(w http.ResponseWriter, r *http.Request, err error, next string) {
	var known *refusal
	if errors.As(err, &known) {
		copied := *known
		copied.again = "/login"
		if next != "" {
			copied.again += "?" + url.Values{"next": {next}}.Encode()
		}
		err = &copied
	}
	p.fail(w, r, err)
}

// failQuestion shows what went wrong with a question of somebody who is signed
// in. Of a question that is not theirs it says nothing, not even that it is.
func (p *Pages) failQuestion(w http.ResponseWriter, r *http.Request, s session, err error) {
	if !errors.Is(err, parley.ErrNotFound) {
		p.fail(w, r, err)
		return
	}
	p.render(w, r, page{
		status: http.StatusNotFound, Heading: "Not found", who: &s,
		Body: failureView{
			Sentence: "This question is for somebody else or does not exist.",
			Switch:   r.URL.RequestURI(),
		},
	})
}
