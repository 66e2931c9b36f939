package gateway_test

import (
	"os/exec"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/interop/kit"
)

// matrixKind is a client of the matrix.
type matrixKind struct {
	title   string
	modern  bool
	command []string // of npm/; nil is the go-sdk
	silent  bool     // it declares no elicitation
}

// matrixKinds are the clients that ask.
var matrixKinds = []matrixKind{
	{title: "go-sdk, 2025-11-25"},
	{title: "go-sdk, 2026-07-28", modern: true},
	{title: "TypeScript 1.32", command: kit.Sdk1},
	{title: "TypeScript 2.4, 2025-11-25", command: kit.Client2},
	{title: "TypeScript 2.4, 2026-07-28", modern: true, command: kit.Client2026},
}

// directly connects a client to a server with nothing in between.
func (kind matrixKind) directly(t *testing.T, s *matrixServer) kit.MatrixClient {
	t.Helper()
	switch {
	case kind.command != nil && s.command != nil:
		return kit.StartScriptClient(t, kit.With(kit.With(kind.command, "--"), s.command...))
	case kind.command != nil:
		return kit.StartScriptClient(t, kit.With(kind.command, "--url", s.url))
	case s.command != nil:
		return kit.StartGoClient(t, &mcp.CommandTransport{Command: exec.Command(s.command[0], s.command[1:]...), TerminateDuration: time.Second}, kind.modern, true)
	}
	return kit.StartGoClient(t, kit.OverHTTP(t, s.url, ""), kind.modern, true)
}

// The matrix is about the gateway, so what is around it must work without it.
func TestTheClientsOfTheMatrixUseItsServersDirectly(t *testing.T) {
	kit.NeedNode(t)
	t.Parallel()
	servers := startServers(t)
	for _, kind := range matrixKinds {
		for _, s := range servers {
			if kind.modern && !s.modern || !kind.modern && !s.legacy {
				continue // they have no revision in common
			}
			t.Run(kind.title+" with "+s.title, func(t *testing.T) {
				client := kind.directly(t, s)
				for _, name := range matrixCases {
					token := newToken()
					play, reason := s.scenario(name, token)
					if reason != "" || play.refused != "" {
						continue // who is refused by -32042 and does not go there has the error
					}
					t.Run(name, func(t *testing.T) {
						x := &cell{t: t, client: client, modern: kind.modern, server: s, play: play, token: token, before: s.counts(t, token)}
						x.run()
					})
				}
			})
		}
	}
}
