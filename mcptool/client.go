package mcptool

//lint:file-ignore SA1019 clients and servers still have roots, sampling and logging, which 2026-07-28 deprecates

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpclient"
)

// client is who made a request, and what it can do.
type client struct {
	connection   *mcp.ServerSession
	toolRequest  *mcp.CallToolRequest
	session      string      // its name, empty in the sessionless era
	endpoint     string      // by which it came: see Options.Endpoint
	header       http.Header // of the request of its session that hears the result; nil: it is not known
	modern       bool
	capabilities *mcp.ClientCapabilities
	progress     any           // the progress token, if any
	told         *atomic.Int64 // how often it was told of progress: the number only ever grows
	logLevel     string        // from which on this request wants log messages, where it says so itself
}

// serverRequest is what the SDK's requests for tools, prompts and resources
// have in common.
type serverRequest interface {
	ProtocolVersion() string
	ClientCapabilities() *mcp.ClientCapabilities
	GetExtra() *mcp.RequestExtra
	GetSession() mcp.Session
	GetParams() mcp.Params
}

func (a *Asker) client(req serverRequest) (client, parley.Principal, error) {
	session := req.GetSession().(*mcp.ServerSession)
	c := client{
		connection:   session,
		modern:       req.ProtocolVersion() >= mcpclient.ModernVersion,
		capabilities: withExperimental(req.ClientCapabilities()),
	}
	if p, ok := req.GetParams().(interface{ GetProgressToken() any }); ok {
		c.progress, c.told = p.GetProgressToken(), &atomic.Int64{}
	}
	if p := req.GetParams(); p != nil && c.modern {
		c.logLevel, _ = p.GetMeta()[mcp.MetaKeyLogLevel].(string)
	}
	if extra := req.GetExtra(); extra != nil {
		c.endpoint = a.opts.Endpoint(extra)
	}
	who, err := a.principal(req.GetExtra(), session, c.modern)
	if err != nil {
		return c, who, err
	}
	if !c.modern {
		c.session = a.sessions.name(session)
		if extra := req.GetExtra(); extra != nil {
			c.header = extra.Header
		}
	}
	return c, who, nil
}

// name is what the client calls itself, in characters that people can read; empty: it
// does not say.
func (c client) name() string {
	said := ""
	if c.modern && c.toolRequest != nil {
		info, _ := c.toolRequest.Params.Meta[mcp.MetaKeyClientInfo].(map[string]any)
		said, _ = info["name"].(string)
	} else if c.connection != nil {
		if began := c.connection.InitializeParams(); began != nil && began.ClientInfo != nil {
			said = began.ClientInfo.Name
		}
	}
	said = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(said, ""))
	for len(said) > shownClientName {
		_, size := utf8.DecodeLastRuneInString(said)
		said = said[:len(said)-size]
	}
	return said
}

// shownClientName is how many bytes of a client's name people are shown.
const shownClientName = 60

// supports reports whether the client declared the mode.
func (c client) supports(mode parley.Mode) bool { return Supports(c.capabilities, mode) }

// Supports reports whether a client with these capabilities, which may be nil, asks
// in that mode. An empty declaration means forms.
func Supports(capabilities *mcp.ClientCapabilities, mode parley.Mode) bool {
	if capabilities == nil || capabilities.Elicitation == nil {
		return false
	}
	e := capabilities.Elicitation
	if mode == parley.URL {
		return e.URL != nil
	}
	return e.Form != nil || e.URL == nil
}

// supportsTasks reports whether this request declared the tasks extension.
func (c client) supportsTasks() bool {
	return c.modern && c.capabilities != nil && c.capabilities.Extensions[mcpclient.TasksExtension] != nil
}

// tell sends progress while a person thinks, so that clients that reset their
// time-out on progress do. The returned function ends it.
func (c client) tell(ctx context.Context, every time.Duration, message string) (stop func()) {
	if c.progress == nil || c.connection == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var timer *time.Timer
	set := make(chan struct{}) // the function must not run ahead of the variable
	timer = time.AfterFunc(every, func() {
		if <-set; ctx.Err() != nil {
			return
		}
		if c.notify(ctx, message) == nil && ctx.Err() == nil {
			timer.Reset(every)
		}
	})
	close(set)
	return func() {
		cancel()
		timer.Stop()
	}
}

// notify tells the client, if it wants to hear of progress, that there is some.
func (c client) notify(ctx context.Context, message string) error {
	if c.progress == nil || c.connection == nil {
		return nil
	}
	return c.connection.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
		ProgressToken: c.progress, Progress: float64(c.told.Add(1)), Message: message,
	})
}

func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }
