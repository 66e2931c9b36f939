package pages

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/loopback"
	"github.com/parley-hq/parley/internal/unrouted"
)

// policy lets a page load its own style sheet and script, send forms to its own
// site, and nothing else. form-action also holds for redirects after a form was
// sent, so a page that leads elsewhere answers with a page that forwards.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// longestBody is what a form may send; the hub has its own limit for answers.
const longestBody = 1 << 20

// protect puts in front of the pages what holds for all of them.
func (p *Pages) protect(mux *http.ServeMux) (http.Handler, error) {
	crossOrigin := http.NewCrossOriginProtection()
	// Behind a proxy the Host may be another than the one in the address bar.
	if err := crossOrigin.AddTrustedOrigin(p.public.String()); err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	crossOrigin.SetDenyHandler(http.HandlerFunc(p.refuseCrossOrigin))
	guarded := crossOrigin.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { p.dispatch(mux, w, r) }))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.secure(w)
		if !p.meant(r) {
			p.fail(w, r, &refusal{
				status: http.StatusMisdirectedRequest, heading: "Wrong address",
				sentence: "This site is not known by that name. Open it at " + p.public.String() + ".",
			})
			return
		}
		guarded.ServeHTTP(w, r)
	}), nil
}

// secure sets the headers that every page has.
func (p *Pages) secure(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
}

// meant reports whether a request names us as its host. On this machine another
// site could have its name lead here and so be taken for ours; elsewhere https
// keeps it from that, and a proxy may rewrite the name.
func (p *Pages) meant(r *http.Request) bool {
	return !loopback.Host(p.public.Hostname()) || loopback.Address(r.Host)
}

func (p *Pages) refuseCrossOrigin(w http.ResponseWriter, r *http.Request) {
	p.fail(w, r, &refusal{
		status: http.StatusForbidden, heading: "Refused",
		sentence: "Another site sent this, so nothing was done. Open the question itself and answer there.",
	})
}

// dispatch serves a request, with pages of our own where the mux has only a
// line of text.
func (p *Pages) dispatch(mux *http.ServeMux, w http.ResponseWriter, r *http.Request) {
	if _, pattern := mux.Handler(r); pattern != "" {
		mux.ServeHTTP(w, r)
		return
	}
	if allow := unrouted.Allow(mux, r); allow != "" {
		w.Header().Set("Allow", allow)
		p.fail(w, r, &refusal{
			status: http.StatusMethodNotAllowed, heading: "That does not work here",
			sentence: "This page cannot be used that way. Go back and open it from its link.",
		})
		return
	}
	p.fail(w, r, errNoPage)
}

var errNoPage = &refusal{
	status: http.StatusNotFound, heading: "No such page",
	sentence: "There is nothing at this address. Check the link, or ask for a new one.",
}

// readForm reads a form that was sent, within bounds.
func readForm(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, longestBody)
	err := r.ParseForm()
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return &refusal{
			status: http.StatusRequestEntityTooLarge, heading: "Too long",
			sentence: "That is more than can be sent" + parley.Allowed(&parley.SizeError{Most: longestBody}) + ". Go back and shorten it.",
		}
	case err != nil:
		return &refusal{
			status: http.StatusBadRequest, heading: "That could not be read",
			sentence: "What was sent is damaged. Go back, reload the page and try again.",
		}
	}
	return nil
}
