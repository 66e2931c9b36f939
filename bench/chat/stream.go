package chat

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// eventWait is how long an event may take before it counts as lost.
const eventWait = time.Minute

// perAddress is how many streams share a source address: an address has some
// 28,000 ports, unless the system is told otherwise.
const perAddress = 20_000

// stream is a chat stream on a connection of its own. Nobody reads it while it
// waits, so that it costs this process, which shares the processors with the
// server, next to nothing.
type stream struct {
	user, conversation string
	question           string // what it waits for
	conn               net.Conn
	lines              *bufio.Reader
}

// openStream says something in a new conversation and reads to the question.
func openStream(ctx context.Context, url string, i, round int) (*stream, error) {
	host := strings.TrimPrefix(url, "http://")
	dialer := net.Dialer{}
	if far := i / perAddress; far > 0 {
		dialer.LocalAddr = &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(1+far))}
	}
	conn, err := dialer.DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, err
	}
	s := &stream{user: fmt.Sprint("user-", i), conversation: fmt.Sprintf("c-%d-%d", i, round), conn: conn}
	if err := s.ask(url); err != nil {
		conn.Close()
		return nil, fmt.Errorf("%s: %w", s.conversation, err)
	}
	return s, nil
}

func (s *stream) ask(url string) error {
	body := fmt.Sprintf(`{"id":%q,"messages":[{"id":"m","role":"user","parts":[{"type":"text","text":"Paint wall 7, please."}]}]}`, s.conversation)
	r, err := http.NewRequest(http.MethodPost, url+"/run/api/chat", strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+s.user)
	r.Header.Set("x-supports-elicitation", "true")
	if err := r.Write(s.conn); err != nil {
		return err
	}
	if err := s.conn.SetReadDeadline(time.Now().Add(eventWait)); err != nil {
		return err
	}
	resp, err := http.ReadResponse(bufio.NewReader(s.conn), r)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(io.LimitReader(resp.Body, 1000))
		return fmt.Errorf("%s: %s", resp.Status, said)
	}
	s.lines = bufio.NewReaderSize(resp.Body, 512)
	line, err := s.until("data-elicitation-request")
	if err != nil {
		return err
	}
	_, after, _ := strings.Cut(line, `"elicitationId":"`)
	s.question, _, _ = strings.Cut(after, `"`)
	return nil
}

// event returns the next event, not heartbeats.
func (s *stream) event() (string, error) {
	for {
		line, err := s.lines.ReadString('\n')
		if err != nil {
			return "", err
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			return strings.TrimSpace(data), nil
		}
	}
}

func (s *stream) until(text string) (string, error) {
	for {
		e, err := s.event()
		if err != nil {
			return "", fmt.Errorf("the stream ended without %s: %w", text, err)
		}
		if strings.Contains(e, text) {
			return e, nil
		}
	}
}

// answered is what an answer did.
type answered struct {
	next time.Duration // until the next event of the stream
	done time.Duration // until the stream ended
	err  error
}

// answer answers the question. The clock starts before the answer is sent, and
// stops when the event has been read.
func (s *stream) answer(ctx context.Context, client *http.Client, url string) (a answered) {
	body := fmt.Sprintf(`{"conversationId":%q,"elicitationId":%q,"action":"accept","content":{"colour":"blue"}}`, s.conversation, s.question)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/run/api/elicitation-responses", strings.NewReader(body))
	if err != nil {
		return answered{err: err}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+s.user)
	if err := s.conn.SetReadDeadline(time.Now().Add(eventWait)); err != nil {
		return answered{err: err}
	}
	told := make(chan answered, 1)
	began := time.Now()
	go func() { told <- s.listen(began) }()
	resp, err := client.Do(r)
	if err == nil {
		_, err = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			err = errors.Join(err, fmt.Errorf("the answer was refused: %s", resp.Status))
		}
	}
	a = <-told
	a.err = errors.Join(a.err, err)
	return a
}

// listen reads what an answer makes happen.
func (s *stream) listen(began time.Time) (a answered) {
	e, err := s.event()
	a.next = time.Since(began)
	switch {
	case err != nil:
		return answered{err: err}
	case !strings.Contains(e, `"outcome":{"action":"accept"`) || !strings.Contains(e, s.question):
		return answered{err: fmt.Errorf("the event after the answer is %s", e)}
	}
	if _, err = s.until("Painted blue."); err == nil {
		_, err = s.until("[DONE]")
	}
	a.done, a.err = time.Since(began), err
	return a
}
