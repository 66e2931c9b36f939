package gateway

//lint:file-ignore SA1019 clients and servers still have roots, sampling and logging, which 2026-07-28 deprecates

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
)

const (
	logMethod   = "notifications/message"
	levelMethod = "logging/setLevel"
)

// logLevels are those of the protocol, the least severe first.
var logLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

func severity(level string) int { return slices.Index(logLevels, level) }

// maxLog is how long a log message may be that is passed on.
const maxLog = 64 << 10

// leveled takes the level from which on a client up to 2025-11-25 wants log
// messages: those of the servers that its session is connected to, and of those
// that it will be.
func (g *Gateway) leveled(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		params, ok := req.GetParams().(*mcp.SetLoggingLevelParams)
		if method != levelMethod || !ok || params == nil {
			return next(ctx, method, req)
		}
		level := string(params.Level)
		if severity(level) < 0 {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "level: there is no such level"}
		}
		result, err := next(ctx, method, req)
		if session := req.GetSession().ID(); err == nil && session != "" {
			g.clients.setLevel(session, level)
			for _, l := range g.connsOf(session) {
				l.attune(ctx, level)
			}
		}
		return result, err
	}
}

// log passes a log message of a server's on to who called it.
func (g *Gateway) log(ctx context.Context, f *request, m mcpclient.Message) {
	if f.Contact == nil {
		return
	}
	level, wanted := f.Who.Level, f.Who.Level != ""
	if f.Who.Session != "" {
		level, wanted = g.clients.level(f.Who.Session), true
	}
	if wanted {
		g.passLog(ctx, f.Contact, level, f.Target.Server.Name, m)
	}
}

// passLog tells a client what a server logs, in the server's name. Without a
// level the server decides what is worth it, as it would without a gateway.
func (g *Gateway) passLog(ctx context.Context, to *mcptool.Contact, level, server string, m mcpclient.Message) {
	var said struct {
		Level  string          `json:"level"`
		Logger string          `json:"logger"`
		Data   json.RawMessage `json:"data"`
	}
	if len(m.Params) > maxLog || json.Unmarshal(m.Params, &said) != nil || severity(said.Level) < 0 || len(said.Data) == 0 {
		g.opts.Logger.DebugContext(ctx, "log message not passed on", "server", server, "bytes", len(m.Params))
		return
	}
	if level != "" && severity(said.Level) < severity(level) {
		return
	}
	if said.Logger != "" {
		server += "/" + said.Logger
	}
	said.Logger = server
	params, err := json.Marshal(said)
	if err == nil {
		err = to.Notify(ctx, logMethod, params)
	}
	if err != nil {
		g.opts.Logger.DebugContext(ctx, "log message not passed on", "server", server, "err", err)
	}
}

// attuneTime bounds how long an older server may take to set its level.
const attuneTime = 5 * time.Second

// attune has an older server log from a level on. A connection without a session
// has the calls of several clients: it logs what any of them wants, and each
// hears its own part.
func (l *conn) attune(ctx context.Context, level string) {
	if level == "" || l.Wire().Modern() || !l.Wire().Server().Logging {
		return
	}
	session := l.Key().Session
	l.mu.Lock()
	known := l.level == level || session == "" && l.level != "" && severity(l.level) <= severity(level)
	if !known {
		l.level = level
	}
	l.mu.Unlock()
	if known {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, attuneTime)
	defer cancel()
	if _, err := l.Wire().Do(ctx, levelMethod, json.RawMessage(`{"level":"`+level+`"}`)); err != nil {
		l.gateway.opts.Logger.DebugContext(ctx, "log level not set", "server", l.Server.Name, "err", err)
	}
}
