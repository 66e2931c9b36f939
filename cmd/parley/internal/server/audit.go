package server

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/audit"
	"github.com/parley-hq/parley/passkey"
	"github.com/parley-hq/parley/permit"
)

// auditKeyPath is where the public key is that receipts are verified with.
const auditKeyPath = "/.well-known/parley-audit-key"

func (s *Server) openAudit() (err error) {
	kept, err := s.cfg.Retention.AuditFor()
	if err != nil {
		return fmt.Errorf("retention.audit: %w", err)
	}
	opts := &audit.Options{About: aboutApproval, Changes: permit.ChangesOf, Retention: kept, Logger: s.opts.Logger}
	if u, err := url.Parse(s.cfg.PublicURL); err == nil {
		opts.Name = u.Host
	}
	s.Audit, err = audit.New(s.store, s.keys, opts)
	return err
}

// aboutApproval is what the chain says of an approval: which call it was about, and what
// was decided.
func aboutApproval(r parley.Request) parley.Deed {
	if r.Trigger != parley.TriggerApproval && r.Trigger != parley.TriggerApprovers {
		return parley.Deed{}
	}
	choice, _ := permit.Decided(r)
	return parley.Deed{
		Decision: string(choice), Server: r.Labels[permit.LabelServer], Tool: r.Labels[permit.LabelTool],
		Call: r.Labels[permit.LabelCall], Digest: r.Labels[permit.LabelDigest], Changes: passkey.Changes(permit.ChangesOf(r)), Signed: permit.SignedBy(r),
	}
}

func (s *Server) auditKey(w http.ResponseWriter, r *http.Request) {
	key, err := s.Audit.PublicKey(r.Context())
	if err != nil {
		s.opts.Logger.WarnContext(r.Context(), "audit key not read", "err", err)
		http.Error(w, "the store does not answer", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = fmt.Fprintln(w, key) // the client is gone, or is not
}
