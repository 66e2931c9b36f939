package mcpclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcpclient"
)

// piped offers the fixture at the other end of a pipe, which it returns as well.
func piped(t *testing.T, opts *mcp.ServerOptions) (mcpclient.Options, net.Conn) {
	ours, theirs := net.Pipe()
	session, err := newFixture(opts).Connect(t.Context(), &mcp.IOTransport{Reader: theirs, Writer: theirs}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Wait() }) // it has noticed that its end was closed
	return mcpclient.Options{Pipe: ours}, theirs
}

func TestAServerAtTheOtherEndOfAPipeIsCalled(t *testing.T) {
	for name, opts := range map[string]*mcp.ServerOptions{"modern": nil, "legacy": {SupportedProtocolVersions: []string{"2025-11-25"}}} {
		t.Run(name, func(t *testing.T) {
			pipe, _ := piped(t, opts)
			c := connectTo(t, pipe, name == "modern")
			if got := textOf(t, next(t, call(t, c, "plain", `{"word":"you"}`))); got != "hello you" {
				t.Errorf("got %q", got)
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAPipeThatIsClosedIsGone(t *testing.T) {
	pipe, theirs := piped(t, nil)
	c := connect(t, pipe)
	x := call(t, c, "hang", `{"word":"a"}`, func(r *mcpclient.Request) { r.Progress = json.RawMessage("1") })
	next(t, x) // the server has it
	_ = theirs.Close()
	if _, err := x.Next(); !errors.Is(err, mcpclient.ErrSessionGone) || !errors.Is(err, mcpclient.ErrUnderway) {
		t.Errorf("got %v", err)
	}
	<-c.Done()
	if _, err := c.Call(t.Context(), mcpclient.Request{Method: "tools/call", Params: json.RawMessage(`{}`)}); !errors.Is(err, mcpclient.ErrSessionGone) {
		t.Errorf("a new call ended with %v", err)
	}
}

func TestAPipeThatNobodyReadsIsClosed(t *testing.T) {
	ours, theirs := net.Pipe()
	defer theirs.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = theirs.Read(make([]byte, 1)) // and then no more
		cancel()
	}()
	if _, err := mcpclient.Connect(ctx, &mcpclient.Options{Pipe: ours}); err == nil {
		t.Error("it was taken for a server")
	}
}

func TestAServerHasOnePlace(t *testing.T) {
	ours, theirs := net.Pipe()
	defer theirs.Close()
	defer ours.Close()
	for _, opts := range []mcpclient.Options{{}, {URL: "https://a.example", Pipe: ours}, {Command: []string{"/bin/true"}, Pipe: ours}, {URL: "https://a.example", Command: []string{"/bin/true"}}} {
		if _, err := mcpclient.Connect(t.Context(), &opts); !errors.Is(err, mcpclient.ErrProtocol) {
			t.Errorf("%+v: %v", opts, err)
		}
	}
}

func TestWhatWaitsToBeReadIsBoundedInBytes(t *testing.T) {
	opts := child("dies")
	opts.MaxMessage = 100 << 10
	c := connect(t, opts)
	x := call(t, c, "flood", `{}`)
	next(t, x)
	other := call(t, c, "any", `{}`)
	for m := next(t, other); !m.Response(); m = next(t, other) {
	} // now all of the flood was read
	questions := 0
	for m := next(t, x); !m.Response(); m = next(t, x) {
		questions++
	}
	if questions > 3 {
		t.Errorf("%d messages of 64 KiB waited, where one may have 100", questions)
	}
}

// deaf is a pipe whose other end stops to read, and still says something.
type deaf struct {
	net.Conn
	since chan struct{}
}

func (d deaf) Write(p []byte) (int, error) {
	select {
	case <-d.since:
		return 0, errors.New("broken pipe")
	default:
		return d.Conn.Write(p)
	}
}

func TestACallThatCouldNotBeWrittenWasNotSent(t *testing.T) {
	pipe, _ := piped(t, nil)
	d := deaf{pipe.Pipe.(net.Conn), make(chan struct{})}
	pipe.Pipe = d
	c := connect(t, pipe)
	underWay := call(t, c, "hang", `{"word":"a"}`, func(r *mcpclient.Request) { r.Progress = json.RawMessage("1") })
	next(t, underWay) // the server has it
	close(d.since)
	for range 2 {
		if err := fate(t, c); !errors.Is(err, mcpclient.ErrSessionGone) || errors.Is(err, mcpclient.ErrUnderway) {
			t.Errorf("a call ended with %v", err)
		}
	}
	_ = c.Close()
	if _, err := underWay.Next(); !errors.Is(err, mcpclient.ErrUnderway) {
		t.Errorf("the call that was under way ended with %v", err)
	}
}
