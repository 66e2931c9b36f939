package pages

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/passkey"
	"github.com/parley-hq/parley/vault"
)

// connects is what somebody decides who signs that they connect an account.
const connects = "connect"

// toConnect is what a person signs who connects an account.
func toConnect(s session, offer vault.Offer) passkey.Statement {
	return passkey.Statement{
		Question: string(offer.Question.ID), Tenant: s.Tenant, Person: s.User, Server: offer.Server.Name, Decision: connects,
		Rule: "servers." + offer.Server.Name, Shown: parley.ShownTo(offer.Question).Digest(),
	}
}

// viewConnectSign is nil for what is connected without a passkey.
func (p *Pages) viewConnectSign(r *http.Request, s session, offer vault.Offer) (*signView, error) {
	if !offer.Server.Sign {
		return nil, nil
	}
	v := &signView{What: "connect this account", Rule: offer.Server.Label()}
	return v, p.ready(r, s, v, connectPath(offer.Question.ID))
}

// askConnectSignature says what a person's passkey has to sign to connect an account.
func (p *Pages) askConnectSignature(w http.ResponseWriter, r *http.Request) {
	options, err := p.toSignConnect(r)
	p.answerSignature(w, options, err)
}

func (p *Pages) toSignConnect(r *http.Request) (o signOptions, err error) {
	s, err := p.session(r)
	if err != nil {
		return o, err
	}
	if p.opts.Connections == nil {
		return o, parley.ErrNotFound
	}
	offer, err := p.opts.Connections.Offer(r.Context(), s.principal(), parley.ID(r.URL.Query().Get("elicitation_id")))
	if err != nil || !offer.Server.Sign || offer.Connected {
		return o, err
	}
	return p.challenge(r, s, toConnect(s, offer))
}

// checkConnectSigned refuses to connect an account without the passkey that its server
// wants (passkey.ErrNotSigned), and has it recorded that there was one.
func (p *Pages) checkConnectSigned(ctx context.Context, s session, offer vault.Offer, action, assertion string) error {
	if action != connects || !offer.Server.Sign {
		return nil
	}
	if p.opts.Passkeys == nil {
		return fmt.Errorf("%w: there are no passkeys on this site", passkey.ErrNotSigned)
	}
	statement := toConnect(s, offer)
	signed, err := p.opts.Passkeys.Verify(ctx, s.principal(), statement.Challenge(), json.RawMessage(assertion))
	if err != nil {
		return err
	}
	signed.Rule = statement.Rule
	d := s.deed("connect.signed")
	d.Question, d.Server, d.Decision, d.Shown, d.Signed = offer.Question.ID, statement.Server, statement.Decision, statement.Shown, &signed
	return p.opts.Record.Record(ctx, d)
}
