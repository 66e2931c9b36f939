package server

import (
	"cmp"
	"context"
	"math"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/api"
	"github.com/parley-hq/parley/asking"
	"github.com/parley-hq/parley/notify"
	"github.com/parley-hq/parley/seal"
)

// openAsking makes what programs ask people through. It runs with the server.
func (s *Server) openAsking(context.Context) error {
	s.asked = asking.New(s.Hub, seal.Records(s.store, s.keys, nil), &asking.Options{
		Groups: s.cfg.Groups, PerHour: s.cfg.Limits.QuestionsPerHour, Logger: s.opts.Logger,
		Callbacks: callbacks{s},
	})
	return nil
}

// callbacks has the outbox call programs when what they asked is settled.
type callbacks struct{ *Server }

func (s callbacks) Check(c asking.Callback) error { return s.Outbox.CheckCallback(called(c)) }

func (s callbacks) Expect(ctx context.Context, c asking.Callback) error {
	return s.Outbox.Expect(ctx, called(c))
}

func called(c asking.Callback) notify.Callback {
	return notify.Callback{Question: c.Question, Owner: c.Owner, URL: c.URL, Secret: string(c.Secret)}
}

// settled is called with every question that is settled here.
func (s *Server) settled(ctx context.Context, a *parley.Answering) error {
	if s.asked == nil {
		return nil
	}
	return s.asked.Settled(ctx, a)
}

// asks says whom a program may ask: what all of its keys may together, so that it
// can change its key.
func (i *identity) asks(c *api.Caller) {
	manages := false
	for _, key := range i.auth.APIKeys {
		if who := programOf(key); who.Key != c.Key || who.Tenant != cmp.Or(c.Tenant, parley.DefaultTenant) {
			continue
		}
		c.MayAsk = append(c.MayAsk, key.MayAsk...)
		c.WebhookSecret = cmp.Or(c.WebhookSecret, key.WebhookSecret)
		manages = manages || key.Manages()
	}
	c.Admin = manages
}

// awaits reports whether a path of the API is read until a question is settled.
func awaits(path, query string) bool {
	rest, is := strings.CutPrefix(path, "/api/elicitations/")
	return is && (strings.HasSuffix(rest, "/events") || strings.Contains(query, "wait="))
}

// hubLimits are what questions may be. What is without a limit has one that nobody
// reaches.
func (s *Server) hubLimits() parley.Limits {
	l := parley.Limits{CallBytes: callBytes, PendingOfAsker: s.cfg.Limits.Questions, PendingOfModels: s.cfg.Limits.QuestionsOfAgents}
	if l.PendingOfAsker < 0 {
		l.PendingOfAsker = math.MaxInt32
	}
	if l.PendingOfModels < 0 {
		l.PendingOfModels = math.MaxInt32
	}
	return l
}
