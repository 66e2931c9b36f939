package gateway_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
)

// before has something happen while the person thinks, once.
func before(event func()) func(*mcp.ElicitParams) *mcp.ElicitResult {
	once := sync.OnceFunc(event)
	return func(p *mcp.ElicitParams) *mcp.ElicitResult {
		once()
		return agreeing(p)
	}
}

func TestAnAnswerHasItsResultThoughTheServerWasMarkedDown(t *testing.T) {
	eachEra(t, func(t *testing.T, client, server string) {
		s := &bank{era: server, asks: true}
		h := newHouse(t, catalogue{shopAt(serve(t, s))}, nil)
		other := visit(t, h.url, "alice", client, nil)
		v := visit(t, h.url, "alice", client, before(func() { _, _ = other.call(t, "shop__crash", map[string]any{}) }))
		if text, err := v.call(t, "shop__pay", map[string]any{}); text != "paid" || s.done.Load() != 1 {
			t.Errorf("%q, %v; carried out %d times", text, err, s.done.Load())
		}
	})
}

// A server that waits on its connection is given the answer there. To one that is
// called again nothing is sent: somebody took it away.
func TestAnAnswerToAServerThatIsOfferedNoLonger(t *testing.T) {
	for what, to := range map[string][]gateway.Server{
		"removed": nil, "changed": {{Name: "shop", URL: "http://127.0.0.1:1/", Approve: permit.Never}},
	} {
		t.Run(what, func(t *testing.T) {
			eachEra(t, func(t *testing.T, client, server string) {
				s := &bank{era: server, asks: true}
				servers := &shifting{}
				servers.set(nil, shopAt(serve(t, s)))
				h := newHouse(t, nil, func(o *gateway.Options) { o.Catalogue = servers })
				v := visit(t, h.url, "alice", client, before(func() { servers.set(nil, to...) }))
				text, err := v.call(t, "shop__pay", map[string]any{})
				if server == legacy && (text != "paid" || s.done.Load() != 1) {
					t.Errorf("%q, %v; carried out %d times", text, err, s.done.Load())
				}
				if server == modern && (!strings.Contains(text, "so the answer was not sent there.") || s.done.Load() != 0) {
					t.Errorf("%q, %v; carried out %d times", text, err, s.done.Load())
				}
			})
		})
	}
}

// path is the way to servers, which can be cut: so many connections are not made.
type path struct{ cut atomic.Int64 }

func (p *path) client(t *testing.T) *http.Client {
	carrier := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		if p.cut.Add(-1) >= 0 {
			return nil, errors.New("no route to host")
		}
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}}
	t.Cleanup(carrier.CloseIdleConnections)
	return &http.Client{Transport: carrier}
}

func TestAnAnswerSurvivesAServerThatIsAwayForAMoment(t *testing.T) {
	for rule, asks := range map[permit.Rule]bool{permit.Never: true, permit.Always: false} {
		t.Run(string(rule), func(t *testing.T) {
			eachEra(t, func(t *testing.T, client, server string) {
				s, p := &bank{era: server, asks: asks}, &path{}
				h := newHouse(t, catalogue{{Name: "shop", URL: serve(t, s), Approve: rule}}, func(o *gateway.Options) { o.Client = p.client(t) })
				v := visit(t, h.url, "alice", client, before(func() { p.cut.Store(3) }))
				text, err := v.call(t, "shop__pay", map[string]any{})
				if text != "paid" || s.calls.Load() != 1 || s.done.Load() != 1 || p.cut.Load() >= 0 {
					t.Errorf("%q, %v; %d calls, %d carried out", text, err, s.calls.Load(), s.done.Load())
				}
			})
		})
	}
}

// What nobody was asked about is told at once, whether it needs no approval or is made
// without one.
func TestACallToAServerThatIsAwayIsNotHeld(t *testing.T) {
	for rule, client := range map[permit.Rule]func(*mcp.ElicitParams) *mcp.ElicitResult{permit.Never: agreeing, permit.Always: nil} {
		t.Run(string(rule), func(t *testing.T) {
			eachEra(t, func(t *testing.T, era, server string) {
				s, p := &bank{era: server}, &path{}
				h := newHouse(t, catalogue{{Name: "shop", URL: serve(t, s), Approve: rule}}, func(o *gateway.Options) {
					o.Client, o.Approvals = p.client(t), mcptool.Allow
				})
				v := visit(t, h.url, "alice", era, client)
				toolNames(t, v)
				p.cut.Store(1000)
				text, err := v.call(t, "shop__pay", map[string]any{})
				if got := says(text, err); got != "ERROR shop cannot be reached just now; the call was not sent." || s.calls.Load() != 0 {
					t.Errorf("%q; %d calls", got, s.calls.Load())
				}
				if tried := 1000 - p.cut.Load(); tried > 8 { // it is also looked at by and by
					t.Errorf("it was tried %d times", tried)
				}
			})
		})
	}
}
