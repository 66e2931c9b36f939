package gateway_test

import (
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/interop/kit"
)

// soonOver is how long questions stay open that nobody is to answer.
const soonOver = 3 * time.Second

// A question that nobody answers is cancelled at its server, whichever way its
// client was asked, and an answer that comes later changes nothing.
func TestTheGatewayCancelsAQuestionThatNobodyAnswers(t *testing.T) {
	kit.NeedNode(t)
	t.Parallel()
	servers := startFixtures(t, startUpstream(t))[:2] // one of each era
	settings := gatewaySettings{ttl: soonOver, store: "sqlite:" + filepath.Join(t.TempDir(), "parley.db")}
	g := startGateway(t, kit.Build(t, "../cmd/parley/internal/testserve"), servers, settings)
	store, err := backend.Open(t.Context(), settings.store, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for i, kind := range executeKinds { // one of each era
		t.Run(kind.title, func(t *testing.T) {
			name := "x" + strconv.Itoa(i)
			client := g.person(t, name).connect(t, kind)
			for _, s := range servers {
				t.Run(s.name, func(t *testing.T) {
					token := newToken()
					play, _ := s.scenario("cancel", token)
					x := &cell{t: t, client: client, modern: kind.modern, server: s, play: play, token: token, prefix: s.name + "__", from: "[" + s.name + "] "}
					x.expires(store, name)
				})
			}
			t.Run("given up", func(t *testing.T) { freed(t, client, servers[0]) })
		})
	}
}

// expires waits until the question has expired and answers it then, if the client
// still can.
func (x *cell) expires(store parley.Store, person string) {
	x.t.Helper()
	k := kit.NewTalk(x.t, x.client)
	x.call(k)
	q := k.Question()
	x.shown(q.TsParams, x.play.steps[0])
	if x.modern {
		kit.Eventually(x.t, "the question has expired", func() bool { return !asksSomething(x.t, store, person) })
		k.Answer(q, "accept", kit.Fields{"name": "Ada"})
	} else {
		k.Withdrawn(q)
	}
	x.ends(k.End())
	x.counted(1, 0)
}

// asksSomething reports whether a person has a question whose time is not over.
func asksSomething(t *testing.T, store parley.Store, person string) bool {
	t.Helper()
	open, err := store.List(t.Context(), parley.Query{Tenant: parley.DefaultTenant, To: person, Pending: true})
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(open, func(q parley.Request) bool { return time.Now().Before(q.Expires) })
}

// freed gives a call up whose server waits on its open connection. The same call
// could come again and go on, so the server waits, but not for longer than the
// question lives.
func freed(t *testing.T, client kit.MatrixClient, s *matrixServer) {
	t.Helper()
	var token string
	for try := 1; ; try++ {
		began := time.Now()
		k := kit.NewTalk(t, client)
		token = newToken()
		k.Call(s.name+"__form", kit.Fields{"token": token})
		k.Question()
		client.GiveUp(t, k.Number)
		end := k.End()
		if end.Err != nil {
			break
		}
		if time.Since(began) < soonOver || try == 5 { // later, it may have ended before it was given up
			t.Fatalf("the call was given up and has a %s", kit.DescribeEnd(end))
		}
	}
	kit.Eventually(t, "the server's question is cancelled", func() bool { return s.entry(t, token).Refused == 1 })
	if got := s.counts(t, token); got != (tally{Began: 1}) {
		t.Errorf("the server counts %+v", got)
	}
}
