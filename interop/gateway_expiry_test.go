package interop_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/parley-hq/parley"
)

// soonOver is how long questions stay open that nobody is to answer.
const soonOver = 3 * time.Second

// A question that nobody answers is cancelled at its server, whichever way its
// client was asked, and an answer that comes later changes nothing.
func TestTheGatewayCancelsAQuestionThatNobodyAnswers(t *testing.T) {
	needNode(t)
	servers := startFixtures(t, startUpstream(t))[:2] // one of each era
	g, hub := serveGateway(t, servers, soonOver)
	g.stocked(t, servers)
	for i, kind := range executeKinds { // one of each era
		t.Run(kind.title, func(t *testing.T) {
			name := "x" + strconv.Itoa(i)
			client := g.person(t, name).connect(t, kind)
			for _, s := range servers {
				t.Run(s.name, func(t *testing.T) {
					token := newToken()
					play, _ := s.scenario("cancel", token)
					x := &cell{t: t, client: client, modern: kind.modern, server: s, play: play, token: token, prefix: s.name + "__", from: "[" + s.name + "] "}
					x.expires(hub, name)
				})
			}
			t.Run("given up", func(t *testing.T) { freed(t, client, servers[0]) })
		})
	}
}

// expires waits until the question has expired and answers it then, if the client
// still can.
func (x *cell) expires(hub *parley.Hub, person string) {
	x.t.Helper()
	k := newTalk(x.t, x.client)
	x.call(k)
	q := k.question()
	x.shown(q.tsParams, x.play.steps[0])
	if x.modern {
		eventually(x.t, "the question has expired", func() bool { return !asksSomething(x.t, hub, person) })
		k.answer(q, "accept", fields{"name": "Ada"})
	} else {
		k.withdrawn(q)
	}
	x.ends(k.end())
	x.counted(1, 0)
}

// asksSomething reports whether a person has a question whose time is not over.
func asksSomething(t *testing.T, hub *parley.Hub, person string) bool {
	t.Helper()
	open, err := hub.List(t.Context(), parley.Principal{Tenant: parley.DefaultTenant, User: person}, parley.Query{Pending: true})
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(open, func(q parley.Request) bool { return time.Now().Before(q.Expires) })
}

// freed gives a call up whose server waits on its open connection. The same call
// could come again and go on, so the server waits, but not for longer than the
// question lives.
func freed(t *testing.T, client matrixClient, s *matrixServer) {
	t.Helper()
	var token string
	for try := 1; ; try++ {
		began := time.Now()
		k := newTalk(t, client)
		token = newToken()
		k.call(s.name+"__form", fields{"token": token})
		k.question()
		client.giveUp(t, k.number)
		end := k.end()
		if end.err != nil {
			break
		}
		if time.Since(began) < soonOver || try == 5 { // later, it may have ended before it was given up
			t.Fatalf("the call was given up and has a %s", describeEnd(end))
		}
	}
	eventually(t, "the server's question is cancelled", func() bool { return s.entry(t, token).Refused == 1 })
	if got := s.counts(t, token); got != (tally{Began: 1}) {
		t.Errorf("the server counts %+v", got)
	}
}
