package gateway_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// fixtureEntry is all that a fixture knows of a call.
type fixtureEntry struct {
	tally
	Refused int // how often the person's no ended it
	Stopped int // how often its client cancelled it
}

func (s *matrixServer) entry(t *testing.T, token string) (e fixtureEntry) {
	t.Helper()
	base := s.url[:strings.LastIndex(strings.TrimSuffix(s.url, "/mcp"), "/")]
	if err := json.Unmarshal(exchange(t, http.MethodGet, base+"/count?token="+token), &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// Whoever gives up a call that works does not leave it working.
func TestTheGatewayCancelsWhatItsClientCancels(t *testing.T) {
	kit.NeedNode(t)
	t.Parallel()
	servers := startFixtures(t, startUpstream(t))
	g := serveGateway(t, kit.BuildParley(t), servers, gatewaySettings{})
	g.stocked(t, servers)
	for i, kind := range matrixKinds {
		t.Run(kind.title, func(t *testing.T) {
			client := g.person(t, "c"+strconv.Itoa(i)).connect(t, kind)
			for _, s := range servers {
				t.Run(s.name, func(t *testing.T) { cancels(t, client, s, false) })
				if _, ok := client.(*kit.ScriptClient); ok {
					t.Run(s.name+" after it told of its progress", func(t *testing.T) { cancels(t, client, s, true) })
				}
			}
		})
	}
}

// cancels calls a tool that works for ever and cancels it. A server that has told
// of its progress has begun to answer: that is another way through the gateway.
func cancels(t *testing.T, client kit.MatrixClient, s *matrixServer, progress bool) {
	t.Helper()
	k, token := kit.NewTalk(t, client), newToken()
	script, ok := client.(*kit.ScriptClient)
	if ok {
		script.T = t
		k.Number = script.Do("call", kit.Fields{"name": s.name + "__slow", "arguments": kit.Fields{"token": token}, "progress": progress})
	} else {
		k.Call(s.name+"__slow", kit.Fields{"token": token})
	}
	if progress {
		script.Event("progress")
	}
	kit.Eventually(t, "the tool works", func() bool { return s.counts(t, token).Began == 1 })
	client.GiveUp(t, k.Number)
	if end := k.End(); end.Err == nil {
		t.Errorf("the call was given up and has a %s", kit.DescribeEnd(end))
	}
	kit.Eventually(t, "the tool is cancelled", func() bool { return s.entry(t, token).Stopped > 0 })
	if got := s.counts(t, token); got != (tally{Began: 1}) {
		t.Errorf("the server counts %+v: a call that was given up was made again", got)
	}
}
