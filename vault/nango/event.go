package nango

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

// event is what a webhook of type auth says. Other types have other fields.
type event struct {
	Type        string            `json:"type"`
	Operation   string            `json:"operation"`
	Connection  string            `json:"connectionId"`
	Integration string            `json:"providerConfigKey"`
	Success     bool              `json:"success"`
	Tags        map[string]string `json:"tags"`
}

// readEvent reads a body. Of types that are not ours only the type is read:
// Nango adds new ones now and then.
func readEvent(body []byte) (event, error) {
	var kind struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(body, &kind); err != nil || kind.Type != "auth" {
		return event{Type: kind.Type}, err
	}
	var e event
	err := json.Unmarshal(body, &e)
	return e, err
}

// hear acts on a verified event. Hearing one again, or an older one, changes
// nothing for the worse.
func (s *Source) hear(ctx context.Context, e event) error {
	if e.Type != "auth" {
		return nil
	}
	log := s.opts.Logger.With("operation", e.Operation, "integration", e.Integration)
	if !e.Success {
		// The person may try again: the question stays open. A token that Nango
		// cannot refresh shows when it is next fetched.
		log.WarnContext(ctx, "account not connected or refreshed at Nango")
		return nil
	}
	key, ours := keyOf(e.Tags)
	if !ours || !idForm.MatchString(e.Connection) {
		log.DebugContext(ctx, "foreign connection at Nango")
		return nil
	}
	at := vault.Place{Key: key, Integration: e.Integration}
	switch e.Operation {
	case "creation", "override":
		return s.arrived(ctx, at, e)
	case "deletion":
		_, err := s.update(ctx, at, func(p *place) bool { return p.owns(e.Tags[tagRef]) && p.empty(e.Connection) })
		return err
	}
	return nil
}

// arrived fills a place with a new connection, if a session of ours for exactly
// this place brought it.
func (s *Source) arrived(ctx context.Context, at vault.Place, e event) error {
	var by session
	ours := false
	_, err := s.update(ctx, at, func(p *place) bool {
		by, ours = p.opened(e.Tags[tagRef])
		return ours && p.fill(by, e.Connection)
	})
	if err != nil {
		return err
	}
	log := s.opts.Logger.With("server", at.Server, "scope", at.Scope, "integration", at.Integration)
	if !ours {
		log.WarnContext(ctx, "connection at Nango ignored: no session was opened for it, or it was disconnected since")
		return nil
	}
	log.InfoContext(ctx, "account connected at Nango")
	if s.opts.Connected == nil {
		return nil
	}
	err = s.opts.Connected(ctx, at, by.Question)
	if final(err) {
		log.InfoContext(ctx, "connection at Nango without a question", "id", by.Question, "err", err)
		return nil
	}
	return err
}

// final reports whether telling again would not help. The connection stands in
// any case, and is found by who looks.
func final(err error) bool {
	return errors.Is(err, parley.ErrNotFound) || errors.Is(err, vault.ErrUnknown) ||
		errors.Is(err, vault.ErrNotConnecting) || errors.Is(err, vault.ErrNotConnected)
}
