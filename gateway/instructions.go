package gateway

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/legible"
)

// ownInstructions are those of the gateway itself.
const ownInstructions = "Tools of several servers. A tool's name begins with its server's."

// oneInstructions are those at the endpoint of one server.
const oneInstructions = "Tools of one server."

// ownVersion is the gateway's, as clients are told it.
const ownVersion = "1"

// maxInstructions is how many bytes of servers' instructions a client is told:
// it gives all of them to its model, in every conversation. Servers that say
// little leave the rest to those that say more.
const maxInstructions = 8 << 10

// instructionsTime is how long a client waits for servers that are not known yet
// before it is told what the others say.
const instructionsTime = time.Second

// instructed adds what the servers say of themselves to what a client is told
// first, and at the endpoint of one server whose that is.
func (g *Gateway) instructed(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		if err != nil {
			return result, err
		}
		switch told := result.(type) {
		case *mcp.InitializeResult:
			again := *told
			again.Instructions = g.instructions(ctx, req)
			if one := g.identity(ctx, req); one != nil {
				again.ServerInfo = one
			}
			return &again, nil
		case *mcp.DiscoverResult:
			again := *told
			again.Instructions = g.instructions(ctx, req)
			if one := g.identity(ctx, req); one != nil {
				again.Meta = maps.Clone(again.Meta)
				if again.Meta == nil {
					again.Meta = mcp.Meta{}
				}
				again.Meta[mcp.MetaKeyServerInfo] = one
			}
			// They are those of the servers that this person has, and may change.
			again.CacheScope, again.TTLMs = "private", listTTL
			return &again, nil
		}
		return result, nil
	}
}

// identity is who answers at the endpoint of one server, as hosts show it to people:
// with the name and the title that the server has here, not those that it gives itself.
// It is nil where the endpoint is that of all.
func (g *Gateway) identity(ctx context.Context, req mcp.Request) *mcp.Implementation {
	only := onlyServer(ctx)
	if only == "" {
		return nil
	}
	s, known, err := g.Find(ctx, requester(req).Tenant, only)
	if err != nil || !known { // it was there when the request came
		return nil
	}
	return &mcp.Implementation{Name: s.Name, Title: s.Label(), Version: ownVersion}
}

// listTTL is for how many milliseconds a client may keep a list.
const listTTL = 1000

func (g *Gateway) instructions(ctx context.Context, req mcp.Request) string {
	waiting, cancel := context.WithTimeout(ctx, min(instructionsTime, g.opts.ListTimeout))
	defer cancel()
	who := requester(req)
	servers, err := g.opts.Catalogue.Servers(ctx, who.Tenant)
	if err != nil {
		g.opts.Logger.WarnContext(ctx, "servers unknown", "err", err)
	}
	front := ownInstructions
	if only := onlyServer(ctx); only != "" {
		front = oneInstructions
		servers = slices.DeleteFunc(slices.Clone(servers), func(s Server) bool { return s.Name != only })
	}
	all := make([]string, len(servers))
	var wg sync.WaitGroup
	for i, s := range servers {
		wg.Go(func() { all[i] = g.instructionsOf(waiting, who, s) })
	}
	wg.Wait()
	var said []string
	for i, s := range servers {
		if strings.TrimSpace(all[i]) != "" {
			said = append(said, quoted(s.Name, all[i]))
		}
	}
	return strings.Join(append([]string{front}, shortened(said, maxInstructions)...), "\n\n")
}

// instructionsOf is what a server says of itself. That is the same whatever the
// client can do, so any list that is known will do.
func (g *Gateway) instructionsOf(ctx context.Context, who person, s Server) string {
	if l := g.toolCache.Known(who, s); l != nil {
		return l.instructions
	}
	l, err := g.toolCache.Of(who, s).Current(ctx)
	if err != nil {
		return ""
	}
	return l.instructions
}

// quoted is what a server says, under its name. Each line is marked: none can
// pass for the gateway's own, or for another server's.
func quoted(server, said string) string {
	var b strings.Builder
	b.WriteString(server + " says:")
	said = strings.ReplaceAll(strings.ToValidUTF8(said, "\ufffd"), "\r\n", "\n")
	for line := range strings.SplitSeq(strings.TrimSpace(said), "\n") {
		b.WriteString("\n> " + legible.Escaped(line, hiddenInLine))
	}
	return b.String()
}

func hiddenInLine(c rune) bool { return c != '\t' && legible.HiddenInProse(c) }

// shortened gives texts so many bytes together: each an equal part, and what a
// shorter one leaves to the longer ones.
func shortened(texts []string, budget int) []string {
	part := budget
	for rest, waiting := budget, len(texts); waiting > 0; {
		part = rest / waiting
		fitting, bytes := 0, 0
		for _, t := range texts {
			if len(t) <= part {
				fitting, bytes = fitting+1, bytes+len(t)
			}
		}
		if left := len(texts) - fitting; left == 0 || left == waiting {
			break
		}
		rest, waiting = budget-bytes, len(texts)-fitting
	}
	short := make([]string, len(texts))
	for i, t := range texts {
		short[i] = cut(t, part)
	}
	return short
}

// cut is a text of at most so many bytes, that shows where it ends early.
func cut(s string, most int) string {
	const mark = " …"
	if len(s) <= most {
		return s
	}
	end := max(0, most-len(mark))
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + mark
}
