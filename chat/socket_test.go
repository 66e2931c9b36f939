package chat_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
)

// talk is the client's end of a socket. What comes is taken off the wire at once.
type talk struct {
	t     *testing.T
	conn  *websocket.Conn
	lines chan string
	notes *transcript
	err   error // why it ended; valid when lines is closed
}

func (s *site) connect(header map[string]string) (*talk, *http.Response, error) {
	h := http.Header{"Authorization": {"Bearer alice"}}
	for key, value := range header {
		h.Set(key, value)
		if value == "" {
			h.Del(key)
		}
	}
	conn, resp, err := websocket.Dial(s.t.Context(), "http://parley.example/run/ws", &websocket.DialOptions{HTTPClient: s.dial, HTTPHeader: h})
	if err != nil {
		return nil, resp, err
	}
	conn.SetReadLimit(1 << 20)
	one := &talk{t: s.t, conn: conn, lines: make(chan string, 1000), notes: s.notes}
	s.notes.begin("client", nil)
	s.notes.line("GET /run/ws")
	var all sync.WaitGroup
	all.Go(func() {
		defer close(one.lines)
		for {
			_, raw, err := conn.Read(context.Background())
			if err != nil {
				one.err = err
				return
			}
			one.lines <- string(raw)
		}
	})
	s.t.Cleanup(func() { conn.CloseNow(); all.Wait() })
	return one, resp, nil
}

func (s *site) talk() *talk {
	s.t.Helper()
	one, _, err := s.connect(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return one
}

func (k *talk) say(text string) {
	k.t.Helper()
	k.notes.begin("client, socket", nil)
	k.notes.line(text)
	if err := k.conn.Write(k.t.Context(), websocket.MessageText, []byte(text)); err != nil {
		k.t.Fatal(err)
	}
}

func (k *talk) line() (string, bool) {
	line, ok := <-k.lines
	if ok {
		k.notes.begin("server, socket", k)
		k.notes.line(line)
	}
	return line, ok
}

func (k *talk) until(text string) string {
	k.t.Helper()
	for {
		line, ok := k.line()
		if !ok {
			k.t.Fatalf("the socket closed without %s: %v", text, k.err)
		}
		if strings.Contains(line, text) {
			return line
		}
	}
}

// closed returns the last line, if the server closed the socket in good order.
func (k *talk) closed() string {
	k.t.Helper()
	var before string
	for {
		line, ok := k.line()
		if !ok {
			if code := websocket.CloseStatus(k.err); code != websocket.StatusNormalClosure {
				k.t.Errorf("closed with %d: %v", code, k.err)
			}
			return before
		}
		before = line
	}
}

func TestTheWireOfASocket(t *testing.T) {
	recorded(t, "socket_oauth", "A server needs the account of each person: /run/ws, and a second message.", func(t *testing.T, open func(*site) *site) {
		a, _ := googleDrive(t)
		s := open(newSite(t, nil, a))
		k := s.talk()
		k.say(`{"message":"List files","session_id":"a1b2c3d4-e5f6-7890-abcd-ef1234567890","mentor_id":"helper"}`)
		k.until("oauth_required")
		s.settle(s.onlyQuestion(), parley.Answer{Action: parley.Accept})
		k.until(`"done"`)
		k.say(`{"prompt":"And again"}`)
		k.until("oauth_required")
		if n := s.runs("a1b2c3d4-e5f6-7890-abcd-ef1234567890"); n != 2 {
			t.Errorf("%d runs", n)
		}
	})
}

func TestTheWireOfASocketThatTimesOut(t *testing.T) {
	recorded(t, "socket_timeout", "Nobody connects: the turn ends with an error, and the socket closes.", func(t *testing.T, open func(*site) *site) {
		a, _ := googleDrive(t)
		s := open(newSite(t, nil, a))
		k := s.talk()
		k.say(`{"message":"List files","session_id":"a1b2c3d4-e5f6-7890-abcd-ef1234567890","mentor_id":"helper"}`)
		k.closed()
	})
}

func TestTheWireOfAFormOnASocket(t *testing.T) {
	recorded(t, "socket_form", "A form on a socket: a wrong answer, a right one, one that comes too late.", func(t *testing.T, open func(*site) *site) {
		s := open(newSite(t, nil, painter()))
		k := s.talk()
		k.say(`{"message":"Paint it","session_id":"s1"}`)
		k.until("elicitationId")
		id := s.onlyQuestion()
		k.say(`{"type":"elicitation_response","elicitationId":"` + id + `","action":"accept","content":{"colour":"x"}}`)
		k.until("elicitation_result")
		k.say(`{"type":"elicitation_response","elicitationId":"` + id + `","action":"accept","content":{"colour":"red"}}`)
		k.until("elicitation_result")
		k.until(`"done"`)
		k.say(`{"type":"elicitation_response","elicitationId":"` + id + `","action":"decline"}`)
		k.until("elicitation_result")
	})
}

func TestTheSocketClosesAfterEachOfTheErrors(t *testing.T) {
	for want, text := range map[string]error{
		`{"error":"Could not build OAuth URL for MCP server 'x'.","status_code":400}`:                                        chat.NoOAuthURL("x", nil),
		`{"error":"MCP connection for server 'x' is configured for OAuth2 but has no connected service.","status_code":400}`: chat.NoConnectedService("x", nil),
	} {
		inABubble(t, func(t *testing.T) {
			s := newSite(t, nil, driver(&box{name: "drive", prepare: func(*agent.Invocation) error { return text }}))
			k := s.talk()
			k.say(`{"message":"List files"}`)
			if got := k.closed(); got != want {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestWhatASocketDoesNotTakeClosesIt(t *testing.T) {
	for said, want := range map[string]string{
		`{`:                                   `"status_code":400}`,
		`{"message":""}`:                      `"status_code":400}`,
		`{"message":"x","agent":"nobody"}`:    `{"error":"There is no such agent. Check its name.","status_code":404}`,
		`{"message":"x","session_id":"a\nb"}`: `"status_code":400}`,
	} {
		inABubble(t, func(t *testing.T) {
			s := newSite(t, nil, echo("helper"))
			k := s.talk()
			k.say(said)
			if got := k.closed(); !strings.HasPrefix(got, `{"error":"`) || !strings.HasSuffix(got, want) {
				t.Errorf("%s: %s", said, got)
			}
		})
	}
}

func TestMessagesOfUnknownTypesAreIgnored(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, echo("helper"))
		k := s.talk()
		k.say(`{"type":"ping","at":1}`)
		k.say(`{"type":"user_message","message":"Hello"}`)
		k.until("helper ")
		k.until(`"done"`)
	})
}

func TestAMessageThatIsTooLongEndsTheSocket(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, &chat.Options{Limits: chat.Limits{Body: 100}}, echo("helper"))
		k := s.talk()
		k.say(`{"session_id":"s1","message":"` + strings.Repeat("x", 100) + `"}`)
		for range k.lines {
		}
		if code := websocket.CloseStatus(k.err); code != websocket.StatusMessageTooBig || s.runs("s1") != 0 {
			t.Errorf("closed with %d: %v, %d runs", code, k.err, s.runs("s1"))
		}
	})
}

func TestSeveralTurnsOfASocketAtOnceUpToALimit(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, &chat.Options{Limits: chat.Limits{Turns: 2}}, painter())
		k := s.talk()
		k.say(`{"message":"One","session_id":"s1"}`)
		k.until("elicitationId")
		k.say(`{"message":"Two"}`)
		k.until("elicitationId")
		k.say(`{"message":"Three"}`)
		if got := k.until("error"); got != `{"error":"These are too many messages at once. Wait for an answer first.","status_code":429}` {
			t.Error(got)
		}
		if n := s.runs("s1"); n != 2 {
			t.Errorf("%d runs", n)
		}
	})
}

func TestPagesOfOtherSitesGetNoSocket(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, &chat.Options{Origins: []string{"https://app.example"}}, echo("helper"))
		for origin, allowed := range map[string]bool{
			"": true, "http://parley.example": true, "https://parley.example": true, "https://app.example": true,
			"https://evil.example": false, "http://app.example": false, "https://app.example.evil.example": false, "null": false, "https://app.example:444": false,
		} {
			k, resp, err := s.connect(map[string]string{"Origin": origin, "Cookie": "user=alice", "Authorization": ""})
			if allowed != (err == nil) {
				t.Errorf("%q: %v", origin, err)
			}
			if !allowed && resp.StatusCode != http.StatusForbidden {
				t.Errorf("%q: %d", origin, resp.StatusCode)
			}
			if allowed {
				k.conn.CloseNow()
			}
		}
	})
}

func TestASocketAsksAgainWhoItIs(t *testing.T) {
	for what, now := range map[string]parley.Principal{"nobody": {}, "somebody else": {User: "mallory"}, "of another tenant": {User: "alice", Tenant: "other"}} {
		inABubble(t, func(t *testing.T) {
			var mu sync.Mutex
			who, err := parley.Principal{User: "alice"}, error(nil)
			s := newSite(t, &chat.Options{Principal: func(*http.Request) (parley.Principal, error) {
				mu.Lock()
				defer mu.Unlock()
				return who, err
			}}, painter())
			k := s.talk()
			k.say(`{"message":"Paint","session_id":"s1"}`)
			k.until("elicitationId")
			id := s.onlyQuestion()
			mu.Lock()
			if who = now; now.User == "" {
				err = chat.ErrUnauthenticated
			}
			mu.Unlock()
			k.say(`{"type":"elicitation_response","elicitationId":"` + id + `","action":"decline"}`)
			if got := k.closed(); got != `{"error":"You are not signed in. Send a valid token, or sign in first.","status_code":401}` {
				t.Errorf("%s: %s", what, got)
			}
			if s.onlyQuestion() != id {
				t.Error("the question was answered")
			}
		})
	}
}

func TestASocketAnswersOnlyQuestionsOfItsConversation(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: shows}).question()
		id := s.onlyQuestion()
		k := s.talk()
		for _, session := range []string{"", `"session_id":"other",`} {
			k.say(`{"type":"elicitation_response",` + session + `"elicitationId":"` + id + `","action":"decline"}`)
			if got := k.until("elicitation_result"); !strings.Contains(got, `"success":false`) || strings.Contains(got, "status_code") {
				t.Error(got)
			}
		}
		if s.onlyQuestion() != id {
			t.Error("the question was answered")
		}
		k.say(`{"type":"elicitation_response","session_id":"c1","elicitationId":"` + id + `","action":"decline"}`)
		if got := k.until("elicitation_result"); !strings.Contains(got, `"success":true`) {
			t.Error(got)
		}
	})
}

func TestLeavingASocketDoesNotEndItsTurn(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		k := s.talk()
		k.say(`{"message":"Paint","session_id":"s1"}`)
		k.until("elicitationId")
		k.conn.CloseNow()
		synctest.Wait()
		s.respond("s1", s.onlyQuestion(), "accept", `{"colour":"red"}`)
		time.Sleep(time.Second)
		runs, err := s.rt.History(t.Context(), alice, "s1")
		if err != nil || len(runs) != 1 || runs[0].Reason != agent.Done || runs[0].Reply != "paint did it" {
			t.Errorf("%+v, %v", runs, err)
		}
	})
}

func TestASocketWhoseClientIsGoneIsClosed(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, echo("helper"))
		// A client that never reads answers no ping.
		conn, _, err := websocket.Dial(t.Context(), "http://parley.example/run/ws", &websocket.DialOptions{
			HTTPClient: s.dial, HTTPHeader: http.Header{"Authorization": {"Bearer alice"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.CloseNow()
		time.Sleep(time.Minute)
		if err := conn.Write(t.Context(), websocket.MessageText, []byte(`{"message":"x","session_id":"s1"}`)); err == nil {
			t.Error("it is still open after a minute")
		}
		if n := s.runs("s1"); n != 0 {
			t.Errorf("%d runs", n)
		}
	})
}

func TestAnIdleSocketStaysOpen(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, echo("helper"))
		k := s.talk()
		time.Sleep(time.Hour)
		k.say(`{"message":"Hello"}`)
		k.until(`"done"`)
		if errors.Is(k.err, context.Canceled) {
			t.Error(k.err)
		}
	})
}
