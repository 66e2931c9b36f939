package mcpclient_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcpclient"
)

// runChild is a server over stdio.
func runChild(kind string) error {
	switch kind {
	case "modern":
		return newFixture(nil).Run(context.Background(), &mcp.StdioTransport{})
	case "legacy":
		return newFixture(&mcp.ServerOptions{SupportedProtocolVersions: []string{"2025-11-25", "2025-06-18"}}).Run(context.Background(), &mcp.StdioTransport{})
	}
	return runPlain(kind)
}

// runPlain is a server without an SDK, with the manners of some in the wild.
func runPlain(kind string) error {
	if kind == "stubborn" {
		signal.Ignore(syscall.SIGTERM)
		defer func() { select {} }()
	}
	var probe json.RawMessage
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		m, err := mcpclient.Envelope(lines.Bytes())
		if err != nil {
			return err
		}
		switch {
		case m.Method == "server/discover" && kind == "dies":
			return fmt.Errorf("unknown method")
		case m.Method == "server/discover" && kind == "stubborn":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`+"\n", m.ID)
		case m.Method == "server/discover": // "mute" says nothing, "slow" answers later
			probe = m.ID
		case m.Method == "initialize" && kind == "begun": // as Python's servers
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"connection is serving the 2026-07-28 protocol"}}`+"\n", m.ID)
			answer(probe, `{"supportedVersions":["2026-07-28"],"capabilities":{}}`)
		case m.Method == "initialize" && kind == "slow":
			answer(probe, `{"supportedVersions":["2026-07-28"],"capabilities":{}}`)
		case m.Method == "initialize":
			fmt.Println("starting up, this is no JSON")
			answer(m.ID, `{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"plain","version":"0"}}`)
		case m.Method == "tools/call":
			name, _ := mcpclient.Member(m.Params, "name")
			switch string(name) {
			case `"spawn"`: // somebody who stays
				sleep := exec.Command("/bin/sleep", "600")
				sleep.Stderr = os.Stderr
				if err := sleep.Start(); err != nil {
					return err
				}
				answer(m.ID, `{"content":[{"text":"spawned"}]}`)
			case `"double"`:
				answer(m.ID, `{"content":[],"content":[{"text":"plain"}]}`)
			case `"leave"`: // somebody, who will say more
				late := exec.Command("/bin/sh", "-c", `sleep 1; echo '{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":{"content":[{"text":"late"}]}}'`)
				late.Stdout, late.Stderr = os.Stdout, os.Stderr
				return late.Start()
			case `"exit"`:
				return nil
			case `"regret"`:
				fmt.Println(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{}}`)
				fmt.Println(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"other"}}`)
				fmt.Println(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q"}}`)
				answer(m.ID, `{"content":[{"text":"never mind"}]}`)
			case `"huge"`:
				fmt.Printf("%01000000d\n", 1)
			case `"flood"`:
				for i := range 64 {
					fmt.Printf(`{"x":"%065536d","jsonrpc":"2.0","id":"q%d","method":"elicitation/create","params":{}}`+"\n", i, i)
				}
				answer(m.ID, `{"content":[{"text":"flooded"}]}`)
			case `"strange"`:
				answer(json.RawMessage("99999"), `{}`)
				answer(json.RawMessage(`"text"`), `{}`)
				fmt.Println(`[{"jsonrpc":"2.0","id":1,"result":{}}]`)
				fmt.Println(`{"jsonrpc":"2.0","id":{},"result":{}}`)
				answer(m.ID, `{"content":[{"text":"after all"}]}`)
			default:
				answer(m.ID, `{"content":[{"text":"plain"}]}`)
			}
		}
	}
	return lines.Err()
}

func answer(id json.RawMessage, result string) {
	fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, result)
}
