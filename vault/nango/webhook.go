package nango

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
)

const maxWebhook = 256 << 10

// signatureHeader has the HMAC-SHA256 of the body, in hex. Nango also sends
// X-Nango-Signature, a plain digest of the key and the body, which can be
// extended without knowing the key: it is not looked at.
const signatureHeader = "X-Nango-Hmac-Sha256"

// Webhook takes what Nango reports: mount it at the URL that Nango's
// environment is configured with, /nango/webhook. It answers 401, and nothing
// has changed, unless the body is signed with the webhook key; 204 when it is
// done, also with what does not concern us; and 500 when Nango should send it
// again.
func (s *Source) Webhook() http.Handler { return http.HandlerFunc(s.serveWebhook) }

func (s *Source) serveWebhook(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "POST only", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxWebhook))
	if err != nil {
		http.Error(w, "the body is too large, or did not arrive", http.StatusRequestEntityTooLarge)
		return
	}
	if !s.signed(body, r.Header.Values(signatureHeader)) {
		s.opts.Logger.WarnContext(r.Context(), "webhook refused: its signature is missing or wrong; check the webhook key")
		http.Error(w, "the signature is missing or wrong", http.StatusUnauthorized)
		return
	}
	e, err := readEvent(body)
	if err != nil {
		http.Error(w, "the body cannot be read", http.StatusBadRequest)
		return
	}
	if err := s.hear(r.Context(), e); err != nil {
		s.opts.Logger.ErrorContext(r.Context(), "webhook failed", "err", err)
		http.Error(w, "try again", http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// signed checks the bytes that arrived, before anything reads them.
func (s *Source) signed(body []byte, signatures []string) bool {
	if len(signatures) != 1 {
		return false
	}
	got, err := hex.DecodeString(signatures[0])
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, []byte(s.opts.WebhookKey))
	mac.Write(body)
	return hmac.Equal(got, mac.Sum(nil))
}
