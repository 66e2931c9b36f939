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
	key := fmt.Sprintf("%s %q %q %q %q", r.ID, r.From, r.Mode, r.Trigger, r.Session)
	if title := r.Labels[LabelTitle]; title != "" {
		key += fmt.Sprintf(" %q", title)
	}
	return Binding{
		Tenant:  r.Tenant,
		Purpose: purpose,
		Owner:   r.To,
		Key:     key,
	}
}

// SealWith gives a hub that has no Sealer this one: what is stored from now on is
// sealed, and what is not is refused, unless Options.AcceptPlain. A hub that has
// one keeps it. It is for services that were given a secret, at their start: every
// hub that reads the same store needs the same secret.
func (h *Hub) SealWith(s Sealer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.sealer == nil {
		h.sealer = s
	}
}

func (h *Hub) sealing() Sealer {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sealer
}

// seal returns r as it is stored.
func (h *Hub) seal(r Request) (Request, error) {
	sealer := h.sealing()
	if sealer == nil {
		return r, nil
	}
	plain, err := unescaped(sealedQuestion{r.Message, r.Schema, r.URL})
	if err != nil {
		return Request{}, err
	}
	sealed, err := sealer.Seal(plain, binding(r, "question"))
	if err != nil {
		return Request{}, fmt.Errorf("request %s: %w", r.ID, err)
	}
	r.Message = sealedMark + base64.RawStdEncoding.EncodeToString(sealed)
	r.Schema, r.URL = nil, ""
	return r, nil
}

// sealOutcome returns o as it is stored with r.
func (h *Hub) sealOutcome(r Request, o Outcome) (Outcome, error) {
	sealer := h.sealing()
	if sealer == nil || len(o.Content) == 0 {
		return o, nil
	}
	sealed, err := sealer.Seal(o.Content, binding(r, "answer"))
	if err != nil {
		return Outcome{}, fmt.Errorf("request %s: %w", r.ID, err)
	}
	o.Content = append([]byte(sealedMark), sealed...)
	return o, nil
}

// unseal returns r as it was opened and answered.
func (h *Hub) unseal(r Request) (Request, error) {
	sealer := h.sealing()
	text, sealed := strings.CutPrefix(r.Message, sealedMark)
	if err := h.expectSealed(r, sealer, sealed); err != nil {
		return Request{}, err
	}
	if sealed {
		raw, err := base64.RawStdEncoding.DecodeString(text)
		if err != nil {
			return Request{}, fmt.Errorf("request %s: %w: its sealed message is damaged: %w", r.ID, ErrUnopened, err)
		}
		plain, err := sealer.Open(raw, binding(r, "question"))
		if err != nil {
			return Request{}, fmt.Errorf("request %s: %w: %w", r.ID, ErrUnopened, err)
		}
		var q sealedQuestion
		if err := json.Unmarshal(plain, &q); err != nil {
			return Request{}, fmt.Errorf("request %s: %w: its sealed message is damaged: %w", r.ID, ErrUnopened, err)
		}
		r.Message, r.Schema, r.URL = q.Message, q.Schema, q.URL
	}
	if r.Outcome == nil || len(r.Outcome.Content) == 0 {
		return r, nil
	}
	content, sealed := strings.CutPrefix(string(r.Outcome.Content), sealedMark)
	if err := h.expectSealed(r, sealer, sealed); err != nil {
		return Request{}, err
	}
	if sealed {
		plain, err := sealer.Open([]byte(content), binding(r, "answer"))
		if err != nil {
			return Request{}, fmt.Errorf("request %s: %w: its content: %w", r.ID, ErrUnopened, err)
		}
		r.Outcome.Content = plain
	}
	return r, nil
}

// expectSealed refuses plain data where a secret is configured, and sealed data
// where none is.
func (h *Hub) expectSealed(r Request, sealer Sealer, sealed bool) error {
	switch {
	case sealed && sealer == nil:
		return fmt.Errorf("request %s: %w", r.ID, ErrSealed)
	case !sealed && sealer != nil && !h.opts.AcceptPlain:
		return fmt.Errorf("request %s: %w", r.ID, ErrNotSealed)
	}
	return nil
}
