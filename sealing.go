package parley

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// sealedMark stands in front of sealed text. No message can begin with it:
// control characters are refused.
const sealedMark = "\x01sealed:"

// sealedQuestion is what of a request is sealed, in one piece.
type sealedQuestion struct {
	Message string          `json:"m"`
	Schema  json.RawMessage `json:"s,omitempty"`
	URL     string          `json:"u,omitempty"`
}

// binding ties sealed data to the row it stands in, and to the plain columns
// that say who asks whom.
func binding(r Request, purpose string) Binding {
	return Binding{
		Tenant:  r.Tenant,
		Purpose: purpose,
		Owner:   r.To,
		Key:     fmt.Sprintf("%s %q %q %q %q", r.ID, r.From, r.Mode, r.Trigger, r.Session),
	}
}

// seal returns r as it is stored.
func (h *Hub) seal(r Request) (Request, error) {
	if h.opts.Sealer == nil {
		return r, nil
	}
	plain, err := json.Marshal(sealedQuestion{r.Message, r.Schema, r.URL})
	if err != nil {
		return Request{}, err
	}
	sealed, err := h.opts.Sealer.Seal(plain, binding(r, "question"))
	if err != nil {
		return Request{}, fmt.Errorf("request %s: %w", r.ID, err)
	}
	r.Message = sealedMark + base64.RawStdEncoding.EncodeToString(sealed)
	r.Schema, r.URL = nil, ""
	return r, nil
}

// sealOutcome returns o as it is stored with r.
func (h *Hub) sealOutcome(r Request, o Outcome) (Outcome, error) {
	if h.opts.Sealer == nil || len(o.Content) == 0 {
		return o, nil
	}
	sealed, err := h.opts.Sealer.Seal(o.Content, binding(r, "answer"))
	if err != nil {
		return Outcome{}, fmt.Errorf("request %s: %w", r.ID, err)
	}
	o.Content = append([]byte(sealedMark), sealed...)
	return o, nil
}

// unseal returns r as it was opened and answered.
func (h *Hub) unseal(r Request) (Request, error) {
	text, sealed := strings.CutPrefix(r.Message, sealedMark)
	if err := h.expectSealed(r, sealed); err != nil {
		return Request{}, err
	}
	if sealed {
		raw, err := base64.RawStdEncoding.DecodeString(text)
		if err != nil {
			return Request{}, fmt.Errorf("request %s: its sealed message is damaged: %w", r.ID, err)
		}
		plain, err := h.opts.Sealer.Open(raw, binding(r, "question"))
		if err != nil {
			return Request{}, fmt.Errorf("request %s: %w", r.ID, err)
		}
		var q sealedQuestion
		if err := json.Unmarshal(plain, &q); err != nil {
			return Request{}, fmt.Errorf("request %s: its sealed message is damaged: %w", r.ID, err)
		}
		r.Message, r.Schema, r.URL = q.Message, q.Schema, q.URL
	}
	if r.Outcome == nil || len(r.Outcome.Content) == 0 {
		return r, nil
	}
	content, sealed := strings.CutPrefix(string(r.Outcome.Content), sealedMark)
	if err := h.expectSealed(r, sealed); err != nil {
		return Request{}, err
	}
	if sealed {
		plain, err := h.opts.Sealer.Open([]byte(content), binding(r, "answer"))
		if err != nil {
			return Request{}, fmt.Errorf("request %s: its content: %w", r.ID, err)
		}
		r.Outcome.Content = plain
	}
	return r, nil
}

// expectSealed refuses plain data where a secret is configured, and sealed data
// where none is.
func (h *Hub) expectSealed(r Request, sealed bool) error {
	switch {
	case sealed && h.opts.Sealer == nil:
		return fmt.Errorf("request %s: %w", r.ID, ErrSealed)
	case !sealed && h.opts.Sealer != nil && !h.opts.AcceptPlain:
		return fmt.Errorf("request %s: %w", r.ID, ErrNotSealed)
	}
	return nil
}
