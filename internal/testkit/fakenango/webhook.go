package fakenango

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"time"
)

// Delivery is what happens to webhooks.
type Delivery struct {
	URL    string        // where they go; empty: nowhere
	Delay  time.Duration // how long they take
	Lose   bool          // they do not arrive
	Copies int           // how often each arrives, one after the other; default once
}

// SetDelivery changes what happens to the webhooks that are sent from now on.
func (s *Server) SetDelivery(d Delivery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.delivery = d
}

// Sent is a webhook that was sent, or lost.
type Sent struct {
	Body   []byte
	Header http.Header
	Status []int // the answers to each attempt; 0: none
}

// Sent returns the webhooks so far, the oldest first. One that is still under
// way lacks some of its answers: call Wait.
func (s *Server) Sent() []Sent {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := slices.Clone(s.sent)
	for i := range all {
		all[i].Status = slices.Clone(all[i].Status)
	}
	return all
}

// Wait returns when no webhook is under way.
func (s *Server) Wait() { s.deliveries.Wait() }

// Sign returns the headers that Nango sends with a body signed with key: the
// one that counts, and the old one that does not.
func Sign(key string, body []byte) http.Header {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write(body)
	old := sha256.Sum256(append([]byte(key), body...))
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set("User-Agent", "nango/fake")
	h.Set("X-Nango-Hmac-Sha256", hex.EncodeToString(mac.Sum(nil)))
	h.Set("X-Nango-Signature", hex.EncodeToString(old[:]))
	return h
}

// event is the body of a webhook of type auth that succeeded.
func (s *Server) event(c *Connection, operation string) map[string]any {
	e := map[string]any{
		"from": "nango", "type": "auth", "operation": operation, "success": true, "environment": "dev",
		"connectionId": c.ID, "providerConfigKey": c.Integration, "provider": c.Integration,
		"authMode": s.opts.Integrations[c.Integration].mode(), "tags": c.Tags,
	}
	if c.endUser != nil {
		e["endUser"] = map[string]any{
			"endUserId": c.endUser.ID, "organizationId": c.endUser.Organization, "endUserEmail": nil, "tags": map[string]any{},
		}
	}
	return e
}

// failure is the body when no account was connected. Nango has no connection
// to take the tags from then.
func (s *Server) failure(one *session, integration string) map[string]any {
	e := s.event(&Connection{ID: uuid(), Integration: integration}, "creation")
	if one.connection != "" {
		e["operation"], e["connectionId"] = "override", one.connection
	}
	delete(e, "tags")
	e["success"] = false
	e["error"] = map[string]any{"type": "fake_failure", "description": "The fake account was not connected."}
	return e
}

// announce sends a webhook as it is configured now. The caller holds the lock.
func (s *Server) announce(event map[string]any) {
	var body bytes.Buffer
	out := json.NewEncoder(&body)
	out.SetEscapeHTML(false)
	if err := out.Encode(event); err != nil {
		panic(err) // it is made of strings
	}
	raw := bytes.TrimSuffix(body.Bytes(), []byte("\n"))
	s.sent = append(s.sent, Sent{Body: raw, Header: Sign(s.opts.WebhookKey, raw)})
	select {
	case <-s.closed:
		return
	default:
	}
	if s.delivery.URL == "" || s.delivery.Lose {
		return
	}
	index, how := len(s.sent)-1, s.delivery
	s.deliveries.Go(func() { s.deliver(index, how) })
}

// deliver sends each copy until it is taken, or three times: Nango repeats
// what failed at the other end, not what it refused.
func (s *Server) deliver(index int, how Delivery) {
	if !s.pause(how.Delay) {
		return
	}
	for range max(1, how.Copies) {
		for wait := 100 * time.Millisecond; ; wait *= 2 {
			status := s.post(index, how.URL)
			if status >= 200 && status < 500 || wait > 200*time.Millisecond || !s.pause(wait) {
				break
			}
		}
	}
}

func (s *Server) post(index int, to string) int {
	s.mu.Lock()
	one := s.sent[index]
	s.mu.Unlock()
	status := 0
	if r, err := http.NewRequest(http.MethodPost, to, bytes.NewReader(one.Body)); err == nil {
		r.Header = one.Header.Clone()
		if answer, err := s.opts.Client.Do(r); err == nil {
			_, _ = io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
			status = answer.StatusCode
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent[index].Status = append(s.sent[index].Status, status)
	return status
}

// pause waits, unless the server is closed meanwhile.
func (s *Server) pause(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-s.closed:
		return false
	case <-t.C:
		return true
	}
}
