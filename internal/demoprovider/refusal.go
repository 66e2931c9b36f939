package demoprovider

import (
	"context"
	"encoding/json"
	"net/http"
)

// refusal is an error that a client is told (RFC 6749, section 5.2). Its
// description quotes nothing that clients sent.
type refusal struct{ code, description string }

func (e *refusal) Error() string { return e.code + ": " + e.description }

func (e *refusal) status() int {
	switch e.code {
	case "invalid_client", "invalid_token":
		return http.StatusUnauthorized
	case "server_error":
		return http.StatusInternalServerError
	}
	return http.StatusBadRequest
}

// refuse tells a program.
func (p *Provider) refuse(w http.ResponseWriter, r *http.Request, e *refusal) {
	p.logRefusal(r.Context(), e)
	switch e.code {
	case "invalid_client":
		w.Header().Set("WWW-Authenticate", `Basic realm="demo provider"`)
	case "invalid_token":
		w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
	}
	writeJSON(w, e.status(), map[string]any{"error": e.code, "error_description": e.description})
}

// refuseOnPage tells the person what cannot be told to the application, because it
// is not certain which one that is.
func (p *Provider) refuseOnPage(w http.ResponseWriter, r *http.Request, e *refusal) {
	p.logRefusal(r.Context(), e)
	p.pages.message(w, e.status(), "This request cannot go on",
		"Nothing was granted ("+e.description+"). Close this page and start again from the application.")
}

func (p *Provider) logRefusal(ctx context.Context, e *refusal) {
	level := p.opts.Logger.InfoContext
	if e.code == "server_error" {
		level = p.opts.Logger.ErrorContext
	}
	level(ctx, "demo provider refused a request", "error", e.code, "description", e.description)
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
