package fakeslack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"
)

// Delivery is an event or interaction that was sent to the app.
type Delivery struct {
	Kind     string // the event's or interaction's type, as "app_mention" or "block_actions"
	ID       string // event_id, or the trigger_id of an interaction
	URL      string // where it went; empty: over Socket Mode
	Payload  []byte // the JSON
	Body     []byte // what was sent: the JSON, or a form or envelope with it
	Attempts []Attempt
	Done     bool // it is not tried again
}

// Attempt is one time that something was sent.
type Attempt struct {
	Header   http.Header // that it was sent with
	Status   int         // of the answer; 0: none. An acknowledgement over Socket Mode is 200
	Response []byte
	Reason   string // why it counts as failed, as X-Slack-Retry-Reason says it; empty: it does not
	At       time.Time
}

// Taken says whether the app has acknowledged it.
func (d Delivery) Taken() bool {
	return len(d.Attempts) > 0 && d.Attempts[len(d.Attempts)-1].Reason == ""
}

// Deliveries are what was sent so far, the oldest first, of these kinds or all.
func (s *Slack) Deliveries(kinds ...string) (all []Delivery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.sent {
		if len(kinds) == 0 || slices.Contains(kinds, d.Kind) {
			all = append(all, d.clone())
		}
	}
	return all
}

func (d *Delivery) clone() Delivery {
	made := *d
	made.Attempts = slices.Clone(d.Attempts)
	return made
}

// Wait waits until all that is under way has arrived, or is given up.
func (s *Slack) Wait(ctx context.Context) error {
	return s.await(ctx, func() bool { return s.underWay == 0 })
}

// begin keeps a delivery that is under way; end is its end. The caller holds the lock.
func (s *Slack) begin(d *Delivery) {
	s.sent = append(s.sent, d)
	s.underWay++
}

func (s *Slack) end(d *Delivery) {
	d.Done = true
	s.underWay--
	s.tell()
}

// Replay sends the bytes and headers of a delivery's last attempt once more, as
// somebody would who has read them. It returns the answer's status.
func (s *Slack) Replay(d Delivery) (int, error) {
	if d.URL == "" || len(d.Attempts) == 0 {
		return 0, errors.New("it did not go over HTTP")
	}
	status, _, err := s.post(s.life.Context(), d.URL, d.Body, d.Attempts[len(d.Attempts)-1].Header)
	return status, err
}

// Send delivers a payload that the caller made to the app's interactions, signed. It
// returns the answer's status and body.
func (s *Slack) Send(payload any) (Attempt, error) {
	s.mu.Lock()
	d := s.interaction(payload)
	s.mu.Unlock()
	return s.finish(d)
}

// SendEvent delivers an event that the caller made for a workspace, whether or not
// the app subscribed to it, with retries. It returns its event_id.
func (s *Slack) SendEvent(w *Workspace, event map[string]any) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.send(w.team, event)
}

// Verify asks the app's events URL for the challenge, as Slack does before it uses it.
func (s *Slack) Verify() error {
	s.mu.Lock()
	challenge := s.random(16)
	payload := encode(fields{"token": "fake-verification-token", "challenge": challenge, "type": "url_verification"})
	d := &Delivery{Kind: "url_verification", URL: s.opts.EventsURL, Payload: payload, Body: payload}
	s.begin(d)
	s.mu.Unlock()
	answer, err := s.finish(d)
	if err != nil {
		return err
	}
	if found, ok := decode(answer.Response); ok {
		if object, isObject := found.(map[string]any); isObject && object["challenge"] == challenge {
			return nil
		}
	}
	if string(bytes.TrimSpace(answer.Response)) == challenge {
		return nil
	}
	return fmt.Errorf("the app answered %q to the challenge", answer.Response)
}

// interaction makes a delivery to the interactions URL. The caller holds the lock.
func (s *Slack) interaction(payload any) *Delivery {
	raw := encode(payload)
	d := &Delivery{Kind: "interaction", Payload: raw, URL: s.opts.InteractionsURL, Body: []byte(url.Values{"payload": {string(raw)}}.Encode())}
	if object, ok := payload.(map[string]any); ok {
		d.Kind, d.ID = text(object["type"]), text(object["trigger_id"])
	}
	if s.opts.SocketMode {
		d.URL, d.Body = "", nil
	}
	s.begin(d)
	return d
}

// finish sends something once and waits for the answer.
func (s *Slack) finish(d *Delivery) (Attempt, error) {
	a := s.attempt(d, 0, "")
	s.mu.Lock()
	s.end(d)
	s.mu.Unlock()
	if a.Reason != "" {
		return a, fmt.Errorf("%s: the app answered with status %d: %s", d.Kind, a.Status, a.Reason)
	}
	return a, nil
}

// retry sends an event until it is taken, or has been sent four times.
func (s *Slack) retry(d *Delivery) {
	defer func() {
		s.mu.Lock()
		s.end(d)
		s.mu.Unlock()
	}()
	a := s.attempt(d, 0, "")
	for n, pause := range s.opts.Retries {
		if a.Reason == "" || a.Reason == noRetry || !s.pause(pause) {
			return
		}
		a = s.attempt(d, n+1, a.Reason)
	}
}

const noRetry = "no_retry" // the app said that it wants none

func (s *Slack) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-s.life.Done():
		return false
	case <-timer.C:
		return !s.life.Over()
	}
}

// attempt sends something once, and keeps what came of it.
func (s *Slack) attempt(d *Delivery, n int, reason string) Attempt {
	a := Attempt{At: time.Now()}
	ctx, cancel := context.WithTimeout(s.life.Context(), s.opts.AckWithin)
	defer cancel()
	var err error
	if d.URL == "" && s.opts.SocketMode {
		a.Response, err = s.overSocket(ctx, d, n, reason)
		if err == nil {
			a.Status = http.StatusOK
		}
	} else {
		a.Header = Sign(s.opts.SigningSecret, d.Body, a.At)
		a.Header.Set("Accept", "*/*")
		a.Header.Set("Content-Type", "application/json")
		if !bytes.Equal(d.Body, d.Payload) {
			a.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		if n > 0 {
			a.Header.Set("X-Slack-Retry-Num", strconv.Itoa(n))
			a.Header.Set("X-Slack-Retry-Reason", reason)
		}
		a.Status, a.Response, err = s.post(ctx, d.URL, d.Body, a.Header)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		a.Reason = "http_timeout"
	case errors.Is(err, errNoRetry):
		a.Reason = noRetry
	case err != nil:
		a.Reason = "connection_failed"
	case a.Status < 200 || a.Status > 299:
		a.Reason = "http_error"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.Reason == "" && s.lost(d.Kind) {
		a.Reason = "http_timeout"
	}
	d.Attempts = append(d.Attempts, a)
	s.tell()
	return a
}

var errNoRetry = errors.New("the app wants no retry")

func (s *Slack) post(ctx context.Context, to string, body []byte, header http.Header) (int, []byte, error) {
	if to == "" {
		return 0, nil, errors.New("the app has no URL for this")
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header = header.Clone()
	answer, err := s.client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err == nil && answer.StatusCode > 299 && answer.Header.Get("X-Slack-No-Retry") == "1" {
		err = errNoRetry
	}
	return answer.StatusCode, raw, err
}
