package fakeslack

import (
	"io"
	"net/http"
	"time"
)

// responseURL is where an app may answer an interaction: five times within half an
// hour.
type responseURL struct {
	message *message // that was acted on; nil: none
	channel *channel
	user    string
	left    int
	expires time.Time
}

// respond makes a response URL. The caller holds the lock.
func (s *Slack) respond(to *channel, m *message, user string) string {
	id := s.random(16)
	s.responses[id] = &responseURL{message: m, channel: to, user: user, left: 5, expires: s.now().Add(30 * time.Minute)}
	return s.URL + "/actions/" + id
}

// serveResponseURL answers the use of a response URL.
func (s *Slack) serveResponseURL(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4<<20))
	if err != nil {
		http.Error(w, "request_entity_too_large", http.StatusRequestEntityTooLarge)
		return
	}
	arguments, _, code := parse(r, body)
	one := &Call{Method: "response_url", Args: arguments, Header: r.Header.Clone(), Request: body, At: time.Now()}
	s.mu.Lock()
	s.calls = append(s.calls, one)
	fault := s.fault("response_url")
	s.mu.Unlock()
	if done, status := fault.before(s, w, r); done {
		s.mu.Lock()
		one.Status, one.Error = status, fault.Error
		s.mu.Unlock()
		return
	}
	s.mu.Lock()
	if code == "" {
		code = s.respondTo(r.PathValue("id"), arguments)
	}
	// Slack says ok as text, and its errors as JSON with a status.
	status, raw, kind := http.StatusOK, []byte("ok"), "text/html"
	if code != "" {
		status, raw, kind = http.StatusBadRequest, encode(no(code)), "application/json; charset=utf-8"
		if code == "used_url" || code == "expired_url" {
			status = http.StatusNotFound
		}
	}
	one.Error = code
	if !fault.Drop {
		one.Status, one.Response = status, raw
	}
	s.tell()
	s.mu.Unlock()
	if fault.Drop {
		die(w)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	_, _ = w.Write(raw)
}

// respondTo does what was said at a response URL, and returns an error's code. The
// caller holds the lock.
func (s *Slack) respondTo(id string, a args) string {
	u := s.responses[id]
	switch {
	case u == nil:
		return "invalid_url"
	case !s.now().Before(u.expires):
		return "expired_url"
	case u.left == 0:
		return "used_url"
	}
	p, refusal := s.contentOf(a)
	if refusal != nil {
		return text(refusal["error"])
	}
	u.left--
	m := u.message
	switch {
	case m != nil && a.bool("delete_original"):
		m.deleted = true
		s.see(m)
	case p.empty() && !p.given["blocks"]:
		return "no_text"
	case m != nil && a.bool("replace_original"):
		m.text, m.blocks, m.attachments = p.text, p.blocks, p.attachments
		m.edits++
		s.see(m)
		if m.only == "" {
			s.changedEvent(m, "message_changed")
		}
	default:
		made := &message{channel: u.channel, ts: s.ts(), user: u.channel.team.botUser, byApp: true, text: p.text, blocks: p.blocks, attachments: p.attachments}
		if a.str("response_type") != "in_channel" {
			made.only = u.user
		}
		made.thread = a.str("thread_ts")
		s.add(made)
		if made.only == "" {
			s.messageEvent(made)
		}
	}
	return ""
}
