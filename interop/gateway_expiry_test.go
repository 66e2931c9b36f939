package interop_test

import (
	"context"
	"log/slog"
	"net"
	"strconv"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/config"
	"github.com/parley-hq/parley/internal/server"
)

// serveGateway is startGateway in this process, with questions that stay open for
// ttl.
func serveGateway(t *testing.T, servers []*matrixServer, ttl time.Duration) (*gatewaySite, *parley.Hub) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	cfg, err := config.Parse([]byte(gatewayConfiguration(address, servers, gatewaySettings{})), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	var said output
	s, err := server.New(t.Context(), cfg, &server.Options{TTL: ttl, Listener: listener, Logger: slog.New(slog.NewTextHandler(&said, nil))})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("the gateway wrote:\n%s", said.String())
		}
	})
	return &gatewaySite{url: "http://" + address}, s.Hub
}

// A question that nobody answers is cancelled at its server, whichever way its
// client was asked, and an answer that comes later changes nothing.
func TestTheGatewayCancelsAQuestionThatNobodyAnswers(t *testing.T) {
	needNode(t)
	servers := startFixtures(t, startUpstream(t))
	g, hub := serveGateway(t, servers, time.Second)
	for i, kind := range executeKinds {
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

// asksSomething reports whether a person has an open question.
func asksSomething(t *testing.T, hub *parley.Hub, person string) bool {
	t.Helper()
	open, err := hub.List(t.Context(), parley.Principal{Tenant: parley.DefaultTenant, User: person}, parley.Query{Pending: true})
	if err != nil {
		t.Fatal(err)
	}
	return len(open) > 0
}

// A server that waits on its open connection is not kept waiting by a client that
// has given up: it hears that the question was cancelled when its time is over.
func TestTheGatewayFreesTheServerOfACallThatWasGivenUp(t *testing.T) {
	needNode(t)
	s := startFixtures(t, startUpstream(t))[0]
	g, _ := serveGateway(t, []*matrixServer{s}, time.Second)
	for i, kind := range executeKinds {
		t.Run(kind.title, func(t *testing.T) {
			client := g.person(t, "g"+strconv.Itoa(i)).connect(t, kind)
			k, token := newTalk(t, client), newToken()
			k.call(s.name+"__form", fields{"token": token})
			k.question()
			client.giveUp(t, k.number)
			if end := k.end(); end.err == nil {
				t.Errorf("the call was given up and has a %s", describeEnd(end))
			}
			eventually(t, "the server's question is cancelled", func() bool { return s.entry(t, token).Refused == 1 })
			if got := s.entry(t, token); got.Began != 1 || got.Done != 0 {
				t.Errorf("the server counts %+v", got)
			}
		})
	}
}
