package notify

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/legible"
	"github.com/parley-hq/parley/outbound"
)

// The events that channels tell of.
const (
	EventOpened  = "question.opened"
	EventChanged = "question.changed" // to messengers: see Messenger.Version
	EventClosed  = "question.closed"
	EventSettled = "question.settled" // to the program that asked: see Expect
	EventTest    = "test"             // of no question: see Outbox.Test
)

// message is what a channel says about a question: who asks, and what for. It has
// nothing of the question's own text, and nothing of a call's arguments.
type message struct {
	ID       string // the same for every attempt
	Event    string
	Question parley.ID
	Tenant   string
	To       string // who is asked
	From     string // who asks
	Title    string
	URL      string // of the answer page
	Created  time.Time
	Expires  time.Time
}

const maxTitle = 200 // runes

// labelTool is the label of an approval that names the tool, as permit sets it.
const labelTool = "tool"

// Title says what a question is about, in our own words and those of its labels: one
// line that hides nothing.
func Title(r parley.Request) string {
	switch {
	case r.Trigger == parley.TriggerApproval && r.Labels[labelTool] == "":
		return "Your approval is needed"
	case r.Trigger == parley.TriggerApproval && r.Labels[parley.LabelAsker] != "":
		asker := r.Labels[parley.LabelAsker]
		if parley.OwnerOf(r.Tenant, asker).Anonymous() {
			asker = "somebody who is not signed in"
		}
		return fmt.Sprintf("May %s be called for %s?", line(r.Labels[labelTool]), line(asker))
	case r.Trigger == parley.TriggerApproval:
		return fmt.Sprintf("May %s be called?", line(r.Labels[labelTool]))
	case r.Trigger == parley.TriggerCredential:
		return "Connect an account"
	case r.Mode == parley.URL:
		return "A page wants to be opened"
	}
	return "A question waits for your answer"
}

// fromOf is who asks, as people know it. A program is called by the name of its
// key, which is the operator's word; what it calls itself is for who looks at the
// question.
func fromOf(r parley.Request) string {
	from := r.Service()
	if program := asks(r); program != "" {
		from = program
	}
	if from = line(from); from != "" {
		return from
	}
	return "Parley"
}

// asks is the program that asks a question, by the name of its key. An approval of a
// tool's call is asked by the tool's server, also where it is a program's call.
func asks(r parley.Request) string {
	if r.Trigger != parley.TriggerProgram && (r.Trigger != parley.TriggerApproval || r.Labels[labelTool] != "") {
		return ""
	}
	return parley.OwnerOf(r.Tenant, r.Labels[parley.LabelAsker]).Key
}

// line is a text of somebody else's as one short line.
func line(text string) string {
	text = strings.TrimSpace(legible.Line(text))
	if utf8.RuneCountInString(text) > maxTitle {
		text = string([]rune(text)[:maxTitle-1]) + "…"
	}
	return text
}

// finalError is of an attempt that no other will help.
type finalError struct {
	error
	gone bool // the address is no more
}

func (e *finalError) Unwrap() error { return e.error }

// Final says of an error that no other attempt will help.
func Final(err error) error { return &finalError{error: err} }

// isFinal reports whether trying again cannot help.
func isFinal(err error) bool {
	var f *finalError
	return errors.As(err, &f)
}

// isGone reports whether the address does not exist any more.
func isGone(err error) bool {
	var f *finalError
	return errors.As(err, &f) && f.gone
}

// post sends a request and reads from the answer's status how it went.
func post(client *http.Client, request *http.Request) error {
	response, err := client.Do(request)
	if err != nil {
		return refusal(err)
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10)) // so that the connection can be used again
	return status(response.StatusCode)
}

// refusal is an error of a client, without the URL: it may hold a secret.
func refusal(err error) error {
	if cause := errors.Unwrap(err); cause != nil { // of a *url.Error
		err = cause
	}
	if errors.Is(err, outbound.ErrForbidden) {
		return Final(err)
	}
	return err
}

// status reads how it went. What a server may be able to do later is tried again.
func status(code int) error {
	switch {
	case code/100 == 2:
		return nil
	case code == http.StatusNotFound, code == http.StatusGone:
		return &finalError{error: fmt.Errorf("answered %d: it is no more", code), gone: true}
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code >= 500, code/100 == 3:
		return fmt.Errorf("answered %d", code)
	}
	return Final(fmt.Errorf("answered %d", code))
}
