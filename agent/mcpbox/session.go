package mcpbox

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/agent"
)

// session is one connection. It serves one call at a time, because an older
// server's questions do not say which call they belong to.
type session struct {
	*mcp.ClientSession
	box   *Box
	owner owner
	timer *time.Timer
	end   context.CancelFunc

	mu   sync.Mutex
	asks func(context.Context, *mcp.ElicitParams) (*mcp.ElicitResult, error)
}

var errClosed = errors.New("this toolbox is closed")

// checkOut returns a connection of the caller's for one call; asks gets the
// server's questions.
func (b *Box) checkOut(ctx context.Context, who agent.Caller, asks func(context.Context, *mcp.ElicitParams) (*mcp.ElicitResult, error)) (*session, error) {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return nil, errClosed
	}
	var s *session
	if free := b.idle[ownerOf(who)]; len(free) > 0 {
		s = free[len(free)-1]
		b.idle[ownerOf(who)] = free[:len(free)-1]
		s.timer.Stop()
	}
	b.mu.Unlock()
	if s == nil {
		var err error
		if s, err = b.connect(ctx, who); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	s.asks = asks
	s.mu.Unlock()
	return s, nil
}

// checkIn gives a connection back.
func (b *Box) checkIn(s *session) {
	s.mu.Lock()
	s.asks = nil
	s.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		go s.discard()
		return
	}
	s.timer = time.AfterFunc(b.opts.Idle, func() {
		if b.remove(s) {
			_ = s.discard()
		}
	})
	b.idle[s.owner] = append(b.idle[s.owner], s)
}

// remove takes a connection out of the idle ones, if it is there.
func (b *Box) remove(s *session) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	free := b.idle[s.owner]
	for i := range free {
		if free[i] == s {
			b.idle[s.owner] = append(free[:i:i], free[i+1:]...)
			return true
		}
	}
	return false
}

func (b *Box) connect(ctx context.Context, who agent.Caller) (*session, error) {
	// The connection outlives the call that made it.
	lasting, end := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, end)
	s := &session{box: b, owner: ownerOf(who), end: end}
	client := mcp.NewClient(&mcp.Implementation{Name: "parley", Version: "1"}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{
			Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{},
		}},
		ElicitationHandler: s.elicit,
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			b.mu.Lock()
			defer b.mu.Unlock()
			delete(b.lists, s.owner)
		},
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
	})
	carrier, err := b.transport(lasting, who)
	if err == nil {
		s.ClientSession, err = client.Connect(lasting, carrier, nil)
	}
	if !stop() && err == nil { // ctx ended while we connected
		_ = s.ClientSession.Close()
		err = context.Cause(ctx)
	}
	if err != nil {
		end()
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sessions[s] = struct{}{}
	return s, nil
}

// discard closes a connection for good.
func (s *session) discard() error {
	s.box.remove(s)
	s.box.mu.Lock()
	delete(s.box.sessions, s)
	if s.timer != nil {
		s.timer.Stop()
	}
	s.box.mu.Unlock()
	defer s.end()
	return s.Close()
}

// elicit is a question of a server that waits on the open connection.
func (s *session) elicit(ctx context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	s.mu.Lock()
	asks := s.asks
	s.mu.Unlock()
	if asks == nil {
		return &mcp.ElicitResult{Action: "cancel"}, nil // nobody is there any more
	}
	return asks(ctx, r.Params)
}
