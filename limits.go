package parley

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/parley-hq/parley/legible"

	"github.com/parley-hq/parley/internal/loopback"
)

// Limits caps what comes in. Zero fields mean the defaults.
type Limits struct {
	MessageBytes int           // default 16 KiB
	CallBytes    int           // of the message of an approval that only its page shows whole (LabelBrief); default MessageBytes
	URLBytes     int           // default 4 KiB
	NameBytes    int           // tenant, user, service, trigger, session, label key or value; default 512
	SchemaBytes  int           // default 64 KiB
	Fields       int           // of a schema; default 64
	Depth        int           // of a schema's JSON; default 8
	Options      int           // of one field of a schema; default 500
	AnswerBytes  int           // default 256 KiB
	Labels       int           // default 32
	TTL          time.Duration // longest time a question may stay open; default 366 days

	// Pending is how many open questions a user may have; default 1000. Calls of
	// others, of which the user is an approver (LabelAsker), are asked about only
	// while there are fewer than half as many: the rest is for the user's own.
	Pending int
	// PendingOfAsker is how many of them may be about the calls of one asker; default
	// 20. Sessions and calls of nobody in particular are one asker together.
	PendingOfAsker int
	// PendingOfModels is how many of them may have LabelCircle; default 50. They are asked
	// only while the user has fewer than half of Pending: the rest is for the user's own.
	PendingOfModels int
	// PendingLong is how many of them may have LabelBrief, since each may hold
	// CallBytes; default 16. Half of that may be about the calls of others, a quarter
	// about those of one asker, and at least one.
	PendingLong int
}

func (l Limits) orDefault() Limits {
	return Limits{
		MessageBytes: cmp.Or(l.MessageBytes, 16<<10),
		CallBytes:    cmp.Or(l.CallBytes, l.MessageBytes, 16<<10),
		URLBytes:     cmp.Or(l.URLBytes, 4<<10),
		NameBytes:    cmp.Or(l.NameBytes, maxName),
		SchemaBytes:  cmp.Or(l.SchemaBytes, 64<<10),
		Fields:       cmp.Or(l.Fields, 64),
		Depth:        cmp.Or(l.Depth, 8),
		Options:      cmp.Or(l.Options, 500),
		AnswerBytes:  cmp.Or(l.AnswerBytes, 256<<10),
		Labels:       cmp.Or(l.Labels, 32),
		TTL:          cmp.Or(l.TTL, 366*24*time.Hour),

		Pending:        cmp.Or(l.Pending, 1000),
		PendingOfAsker: cmp.Or(l.PendingOfAsker, 20),
		PendingLong:    cmp.Or(l.PendingLong, 16),

		PendingOfModels: cmp.Or(l.PendingOfModels, 50),
	}
}

func (h *Hub) validateOpening(_ context.Context, o *Opening) error {
	r := &o.Request
	if err := h.validateNames(r); err != nil {
		return err
	}
	if !r.Expires.After(r.Created) {
		return fmt.Errorf("%w: it expires before it is opened", ErrInvalid)
	}
	if ttl := r.Expires.Sub(r.Created); ttl > h.opts.Limits.TTL {
		return fmt.Errorf("open for %v, %v are allowed: %w", ttl, h.opts.Limits.TTL, ErrTooLarge)
	}
	switch r.Mode {
	case Form:
		if r.URL != "" {
			return fmt.Errorf("%w: a form has no URL", ErrInvalid)
		}
		schema, err := h.schema(r.Schema)
		if err != nil {
			return err
		}
		r.Schema = schema.JSON()
	case URL:
		if len(r.Schema) > 0 {
			return fmt.Errorf("%w: a URL has no schema", ErrInvalid)
		}
		return h.validateURL(r.URL)
	default:
		return fmt.Errorf("%w: mode %.20q; use form or url", ErrInvalid, string(r.Mode))
	}
	return nil
}

func (h *Hub) validateNames(r *Request) error {
	limits := h.opts.Limits
	most := limits.MessageBytes
	if isLong(*r) {
		most = limits.CallBytes
	}
	if err := text("message", r.Message, most, "\n\t"); err != nil {
		return err
	}
	if strings.TrimSpace(r.Message) == "" {
		return fmt.Errorf("%w: a question needs a message", ErrInvalid)
	}
	// Surfaces write "[service] message": a bracket in the name could forge one.
	if strings.ContainsAny(r.From, "[]") {
		return fmt.Errorf("%w: a service's name has no brackets", ErrInvalid)
	}
	for what, name := range map[string]string{
		"tenant": r.Tenant, "user": r.To, "service": r.From, "trigger": r.Trigger, "session": r.Session,
	} {
		if err := text(what, name, limits.NameBytes, ""); err != nil {
			return err
		}
	}
	if n := len(r.Labels); n > limits.Labels {
		return fmt.Errorf("%d labels, %d are allowed: %w", n, limits.Labels, ErrTooLarge)
	}
	for key, value := range r.Labels {
		if err := text("label", key, limits.NameBytes, ""); err != nil {
			return err
		}
		if err := text("label "+key, value, limits.NameBytes, "\n\t"); err != nil {
			return err
		}
	}
	return nil
}

// text checks that s is readable text of at most the given size: control
// characters could rewrite a terminal or hide what is asked.
func text(what, s string, most int, allowed string) error {
	if len(s) > most {
		return fmt.Errorf("%s of %d bytes, %d are allowed: %w", what, len(s), most, ErrTooLarge)
	}
	if !utf8.ValidString(s) {
		return fmt.Errorf("%w: %s is not valid UTF-8", ErrInvalid, what)
	}
	for _, c := range s {
		if (c < ' ' || c >= 0x7f && c < 0xa0) && !strings.ContainsRune(allowed, c) {
			return fmt.Errorf("%w: %s has the control character %U", ErrInvalid, what, c)
		}
	}
	return nil
}

// validateURL lets through what a browser may safely be sent to.
func (h *Hub) validateURL(raw string) error {
	if err := text("url", raw, h.opts.Limits.URLBytes, ""); err != nil {
		return err
	}
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Opaque != "" {
		return fmt.Errorf("%w: the URL is not absolute", ErrInvalid)
	}
	if u.User != nil {
		return fmt.Errorf("%w: a URL with a user name hides where it leads", ErrInvalid)
	}
	if u.Scheme == "https" || u.Scheme == "http" && (h.opts.AllowHTTP || loopback.Host(u.Hostname())) {
		return nil
	}
	return fmt.Errorf("%w: a URL is https, or http on this machine", ErrInvalid)
}

// Text is the message as surfaces show it that have nothing but text, with the
// service that asks in front. Nothing in it turns the direction of what is around
// it, and no line of an approval can be shown in another order than it has.
func (r Request) Text() string {
	text := legible.Prose(r.Message)
	if service := r.Service(); service != "" {
		text = "[" + legible.Line(service) + "] " + text
	}
	if r.Trigger == TriggerApproval {
		return legible.Ordered(text)
	}
	return text
}
