package nango

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/loopback"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/vault"
)

// Connect opens a connect session at Nango and returns the address of its
// page. Where a connection is known already, the person connects that one
// again.
//
// The address is as good as the person's presence: whoever opens it connects
// an account of theirs to this place. Send nobody there but the person who
// asked, and do not log it.
func (s *Source) Connect(ctx context.Context, at vault.Place, question string) (string, error) {
	tags, err := whereabouts(at.Key)
	if err != nil {
		return "", err
	}
	opening := session{Ref: rand.Text(), Question: parley.ID(question), Opened: now()}
	// It is remembered before Nango knows of it, so that no word of it can come
	// too early.
	p, err := s.update(ctx, at, func(p *place) bool {
		p.Sessions = append(p.Sessions, opening)
		p.Sessions = p.Sessions[max(0, len(p.Sessions)-maxSessions):]
		return true
	})
	if err != nil {
		return "", err
	}
	tags[tagRef], tags[tagQuestion] = opening.Ref, question
	link, err := s.open(ctx, at, p, tags)
	if err == nil {
		err = s.checkLink(link)
	}
	if err != nil {
		return "", err
	}
	return link, nil
}

// sessionBody is what both ways to open a session have in common.
type sessionBody struct {
	Allowed      []string          `json:"allowed_integrations,omitempty"`
	ConnectionID string            `json:"connection_id,omitempty"`
	Integration  string            `json:"integration_id,omitempty"`
	Tags         map[string]string `json:"tags"`
	EndUser      named             `json:"end_user"` // what Nango had before it had tags; its dashboard shows it
	Organization named             `json:"organization"`
}

type named struct {
	ID string `json:"id"`
}

type sessionAnswer struct {
	Data struct {
		Link string `json:"connect_link"`
	} `json:"data"`
}

// open asks Nango for a session.
func (s *Source) open(ctx context.Context, at vault.Place, p place, tags map[string]string) (string, error) {
	var answer sessionAnswer
	body := sessionBody{Tags: tags, EndUser: named{tags[tagOwner]}, Organization: named{tags[tagTenant]}}
	if p.Connection != "" {
		again := body
		again.ConnectionID, again.Integration = p.Connection, at.Integration
		err := s.do(ctx, call{method: http.MethodPost, path: "/connect/sessions/reconnect", body: again}, &answer)
		if err == nil {
			return answer.Data.Link, nil
		}
		if !errors.Is(err, ErrRefused) && !errors.Is(err, errGone) {
			return "", fmt.Errorf("connect session: %w", err)
		}
		// Nango calls the body invalid when the connection is no longer there.
		if _, err := s.update(ctx, at, func(now *place) bool { return now.empty(p.Connection) }); err != nil {
			return "", err
		}
	}
	body.Allowed = []string{at.Integration}
	err := s.do(ctx, call{method: http.MethodPost, path: "/connect/sessions", body: body}, &answer)
	if errors.Is(err, ErrRefused) {
		err = fmt.Errorf("%w; does it have the integration %q?", err, at.Integration)
	}
	if err != nil {
		return "", fmt.Errorf("connect session: %w", err)
	}
	return answer.Data.Link, nil
}

// checkLink lets people go to pages by https, and on their own machine when
// Nango is there as well. Its error does not repeat the link, which lets in
// whoever has it.
func (s *Source) checkLink(link string) error {
	if _, err := outbound.DomainOf(link); err != nil {
		return fmt.Errorf("%w: %w", ErrLink, err)
	}
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "https" && !(s.local && loopback.Host(u.Hostname())) {
		return fmt.Errorf("%w: it is not https", ErrLink)
	}
	return nil
}
