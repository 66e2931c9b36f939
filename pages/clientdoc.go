package pages

import (
	"context"
	"errors"
	"net/http"

	"github.com/parley-hq/parley/vault"
)

// ClientDocuments is an ability of Connections that describe this site to
// authorization servers: the client-id metadata documents of MCP's own
// authorization.
type ClientDocuments interface {
	// ClientDocument returns the document of a provider's slug, or
	// vault.ErrUnknown.
	ClientDocument(ctx context.Context, slug string) ([]byte, error)
}

// showClient serves a client-id metadata document. It is for everybody: an
// authorization server fetches it to learn who asks.
func (p *Pages) showClient(w http.ResponseWriter, r *http.Request) {
	documents, ok := p.opts.Connections.(ClientDocuments)
	if !ok {
		p.fail(w, r, errNoConnections)
		return
	}
	document, err := documents.ClientDocument(r.Context(), r.PathValue("provider"))
	if errors.Is(err, vault.ErrUnknown) {
		http.NotFound(w, r)
		return
	}
	if err != nil {
		p.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "max-age=300")
	_, _ = w.Write(document)
}
