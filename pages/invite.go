package pages

import (
	"context"
	"errors"
	"net/http"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

// inviting is what Connections may also be: it finds or opens the question that
// asks somebody to connect a server's account. *vault.Vault is one.
type inviting interface {
	Invite(ctx context.Context, p parley.Principal, server string) (parley.ID, vault.Server, error)
}

var _ inviting = (*vault.Vault)(nil)

var errNoServer = &refusal{
	status: http.StatusNotFound, heading: "Nothing to connect",
	sentence: "There is no such service, or its account is not yours to connect. Check the link, or ask who runs this site.",
}

// showInvitation leads whoever is signed in to the question of connecting their own
// account at a server, as notices link to it. Coming again leads to the same
// question, so that no other site can make many by sending people here.
func (p *Pages) showInvitation(w http.ResponseWriter, r *http.Request, server string) {
	invites, ok := p.opts.Connections.(inviting)
	if !ok {
		p.fail(w, r, errNoConnections)
		return
	}
	s, ok := p.signedIn(w, r)
	if !ok {
		return
	}
	id, found, err := invites.Invite(r.Context(), s.principal(), server)
	switch {
	case errors.Is(err, vault.ErrUnknown), errors.Is(err, vault.ErrRequired), errors.Is(err, vault.ErrNoPerson):
		p.render(w, r, page{status: errNoServer.status, Heading: errNoServer.heading, who: &s, Body: failureView{
			Sentence: errNoServer.sentence, Switch: r.URL.RequestURI(),
		}})
	case err != nil:
		if known, ok := connectRefusal(err); ok {
			err = known
		}
		p.fail(w, r, err)
	case id == "":
		v := failureView{Sentence: "Your account at " + found.Label() + " is connected. There is nothing to do."}
		v.Again, v.AgainText = p.wayOn(r)
		p.render(w, r, page{Heading: "Connected", who: &s, Body: v})
	default:
		p.keepReturn(w, r, id)
		http.Redirect(w, r, connectPath(id), http.StatusSeeOther)
	}
}

// wayOn is where somebody goes for whom there is nothing to do here: back to
// where they came from, or home.
func (p *Pages) wayOn(r *http.Request) (to, text string) {
	from := p.cameFrom(r)
	if address, err := viewAddress(from.To); err == nil {
		return from.To, "Back to " + address.Host
	}
	return p.opts.Home.Path, p.opts.Home.Text
}
