package demoprovider

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// Provider is the demonstration provider. Make one with [New] and serve it.
type Provider struct {
	opts    Options
	path    string // of the issuer, "" or "/acme"
	handler http.Handler
	pages   *pages
	visits  *visits
	clients *clients
	flows   *flows
	grants  *grants
	signer  *signer
	faults  *faults
}

// New makes a provider with a new signing key. It starts nothing: serve the
// Provider with [http.Serve] or mount it at its [Provider.Paths].
func New(opts *Options) (*Provider, error) {
	o := opts.withDefaults()
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("demoprovider: %w", err)
	}
	issuer, err := parseIssuer(o.Issuer)
	if err != nil {
		return nil, fmt.Errorf("demoprovider: %w", err)
	}
	p := &Provider{
		opts:   o,
		path:   issuer.Path,
		pages:  &pages{title: o.Title, path: issuer.Path},
		visits: newVisits(o.Issuer, issuer.Path, issuer.Scheme == "https"),
		flows:  newFlows(),
		grants: newGrants(),
		faults: newFaults(),
	}
	p.clients = newClients(o.Clients, p.scopeNames())
	if p.signer, err = newSigner(); err != nil {
		return nil, fmt.Errorf("demoprovider: %w", err)
	}
	if p.handler, err = p.routes(); err != nil {
		return nil, fmt.Errorf("demoprovider: %w", err)
	}
	return p, nil
}

// Issuer returns the issuer, as it is in tokens and in the metadata.
func (p *Provider) Issuer() string { return p.opts.Issuer }

// scopeNames lists the scopes in the order of the alphabet.
func (p *Provider) scopeNames() []string {
	return slices.Sorted(maps.Keys(p.opts.Scopes))
}
