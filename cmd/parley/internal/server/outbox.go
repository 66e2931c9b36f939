package server

import (
	"context"
	"encoding/json"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/notify"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/slackapp"
)

// callbackInside is what a program is told that wants to be called inside the network.
const callbackInside = "it is called by https at a public address, and with dev: true on this machine; no setting allows more. Inside a network wait for the answer instead"

// openOutbox makes what tells people of questions, and programs of outcomes.
func (s *Server) openOutbox(context.Context) error {
	opts, err := s.cfg.Notices()
	if err != nil {
		return err
	}
	opts.Clients, opts.Outbound, opts.Logger = s.client, &outbound.Options{Loopback: s.cfg.Dev, Inside: callbackInside}, s.opts.Logger
	opts.Settled = func(ctx context.Context, owner string, r parley.Request) (json.RawMessage, error) {
		return s.management.SettledData(ctx, owner, r)
	}
	opts.Failed = s.untold()
	if s.slack != nil {
		opts.Messengers = map[string]notify.Messenger{slackapp.Via: s.slack}
	}
	if s.escalates() {
		opts.Escalate = s.escalate
	}
	s.Outbox, err = notify.New(s.Hub, s.store, s.keys, opts)
	return err
}

// escalates reports whether anybody may be asked besides the approvers of a rule.
func (s *Server) escalates() bool {
	for _, p := range s.cfg.People {
		if p.Deputy != "" {
			return true
		}
	}
	for _, r := range s.cfg.Rules {
		if len(r.Escalate) > 0 {
			return true
		}
	}
	return false
}

// escalate asks whom the configuration names besides an approver: their deputy while
// they are absent, and the steps of the rule as their times come.
func (s *Server) escalate(ctx context.Context, r parley.Request, deputy string) (next time.Time, err error) {
	stages, first := s.cfg.Escalates(r.Labels[permit.LabelRule])
	// A deputy stands in for this one approver, whatever the rule, while they are away.
	if err := s.Permits.Deputize(ctx, r, deputy); err != nil {
		return time.Time{}, err
	}
	for _, stage := range stages {
		if at := r.Created.Add(stage.After); at.After(time.Now()) {
			return at, nil
		}
		if err := s.Permits.Extend(ctx, r, first, stage.To...); err != nil {
			return time.Time{}, err
		}
	}
	return time.Time{}, nil
}

// signedIn remembers where letters to a person go: an address that their provider or
// the issuer of their token has verified. What it said last is not stored again.
func (s *Server) signedIn(ctx context.Context, who parley.Principal, email string) {
	if s.cfg.Channels.SMTP == nil {
		return
	}
	if known, ok := s.emails.Load(who.Tenant + "\x00" + who.User); ok && known == email {
		return
	}
	if err := s.Outbox.SignedIn(ctx, who, email); err != nil {
		s.opts.Logger.WarnContext(ctx, "e-mail address not kept", "err", err)
		return
	}
	s.emails.Store(who.Tenant+"\x00"+who.User, email)
}

// looking says that somebody sees the questions of a conversation, where anybody is
// told of questions at all.
func (s *Server) looking(ctx context.Context, p parley.Principal, session string) {
	if s.cfg.Channels.WebPush == nil && s.cfg.Channels.SMTP == nil && len(s.cfg.Channels.Webhooks) == 0 && s.slack == nil {
		return
	}
	if err := s.Outbox.Looking(ctx, p, session); err != nil && ctx.Err() == nil {
		s.opts.Logger.WarnContext(ctx, "presence not recorded", "err", err)
	}
}
