package fakeslack

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/parley-hq/parley/internal/crew"
)

// socket is a WebSocket of Socket Mode.
type socket struct {
	conn *websocket.Conn
	life crew.Life

	mu   sync.Mutex
	acks map[string]chan []byte // by envelope_id
}

// connectionsOpen is apps.connections.open: an address for one WebSocket.
func (c *call) connectionsOpen() reply {
	if len(c.s.sockets) >= 10 {
		return no("too_many_websockets")
	}
	ticket := c.s.random(16)
	c.s.tickets[ticket] = true
	return reply{"url": "ws" + strings.TrimPrefix(c.s.URL, "http") + "/link/?ticket=" + ticket + "&app_id=" + AppID}
}

// serveSocket is a WebSocket from hello to its end.
func (s *Slack) serveSocket(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	known := s.tickets[r.URL.Query().Get("ticket")]
	delete(s.tickets, r.URL.Query().Get("ticket"))
	s.mu.Unlock()
	if !known {
		http.Error(w, "invalid_ticket", http.StatusForbidden)
		return
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true}) // clients say Origin: api.slack.com
	if err != nil {
		return
	}
	life := crew.Begin(s.life.Context())
	defer life.End()
	if !s.opts.SocketMode { // an app whose settings do not have it
		_ = conn.Write(life.Context(), websocket.MessageText, goAway("link_disabled"))
		_ = conn.Close(websocket.StatusNormalClosure, "")
		return
	}
	one := &socket{conn: conn, life: life, acks: map[string]chan []byte{}}
	s.mu.Lock()
	s.sockets = append(s.sockets, one)
	count := len(s.sockets)
	s.tell()
	s.mu.Unlock()
	defer func() {
		_ = conn.CloseNow()
		s.mu.Lock()
		s.sockets = slices.DeleteFunc(s.sockets, func(other *socket) bool { return other == one })
		s.tell()
		s.mu.Unlock()
	}()
	hello := fields{
		"type": "hello", "num_connections": count, "connection_info": fields{"app_id": AppID},
		"debug_info": fields{"host": "applink-fake", "started": time.Now().UTC().Format("2006-01-02 15:04:05.000"), "build_number": 1, "approximate_connection_time": 3600},
	}
	if conn.Write(life.Context(), websocket.MessageText, encode(hello)) != nil {
		return
	}
	s.crew.Go(one.ping)
	one.read()
}

// read takes acknowledgements until the socket ends.
func (k *socket) read() {
	for {
		_, raw, err := k.conn.Read(k.life.Context())
		if err != nil {
			return
		}
		var ack struct {
			Envelope string          `json:"envelope_id"`
			Payload  json.RawMessage `json:"payload"`
		}
		if json.Unmarshal(raw, &ack) != nil {
			continue
		}
		k.mu.Lock()
		waiting := k.acks[ack.Envelope]
		delete(k.acks, ack.Envelope)
		k.mu.Unlock()
		if waiting != nil {
			waiting <- ack.Payload
		}
	}
}

// ping keeps the socket alive; clients leave one on which nothing comes.
func (k *socket) ping() {
	for {
		if k.conn.Ping(k.life.Context()) != nil {
			k.life.End()
			return
		}
		select {
		case <-k.life.Done():
			return
		case <-time.After(5 * time.Second):
		}
	}
}

// WaitForSockets waits until the app has this many WebSockets.
func (s *Slack) WaitForSockets(ctx context.Context, n int) error {
	return s.await(ctx, func() bool { return len(s.sockets) == n })
}

// Disconnect tells all WebSockets to go, with a reason as Slack's: "warning",
// "refresh_requested" or "link_disabled". Clients then open others.
func (s *Slack) Disconnect(reason string) {
	s.mu.Lock()
	all := slices.Clone(s.sockets)
	s.mu.Unlock()
	for _, k := range all {
		_ = k.conn.Write(k.life.Context(), websocket.MessageText, goAway(reason))
	}
}

func goAway(reason string) []byte {
	return encode(fields{"type": "disconnect", "reason": reason, "debug_info": fields{"host": "applink-fake"}})
}

// Sever ends all WebSockets without a word.
func (s *Slack) Sever() {
	s.mu.Lock()
	all := slices.Clone(s.sockets)
	s.mu.Unlock()
	for _, k := range all {
		_ = k.conn.CloseNow()
	}
}

// overSocket sends something over one of the app's WebSockets and waits until it is
// acknowledged.
func (s *Slack) overSocket(ctx context.Context, d *Delivery, n int, reason string) ([]byte, error) {
	s.mu.Lock()
	envelope := s.uuid()
	s.mu.Unlock()
	kind, answers := "interactive", true
	if strings.HasPrefix(d.ID, "Ev") {
		kind, answers = "events_api", false
	}
	body := encode(fields{
		"envelope_id": envelope, "type": kind, "payload": json.RawMessage(d.Payload), "accepts_response_payload": answers,
		"retry_attempt": n, "retry_reason": reason,
	})
	s.mu.Lock()
	d.Body = body
	if len(s.sockets) == 0 {
		s.mu.Unlock()
		return nil, errors.New("the app has no WebSocket")
	}
	s.serial++
	k := s.sockets[s.serial%len(s.sockets)]
	s.mu.Unlock()
	ack := make(chan []byte, 1)
	k.mu.Lock()
	k.acks[envelope] = ack
	k.mu.Unlock()
	if err := k.conn.Write(ctx, websocket.MessageText, body); err != nil {
		return nil, err
	}
	select {
	case payload := <-ack:
		return payload, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-k.life.Done():
		return nil, errors.New("the WebSocket ended")
	}
}
