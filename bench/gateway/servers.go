package gateway

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/bench/kit"
	"github.com/parley-hq/parley/internal/testkit/profile"
)

// toolsEach is how many tools each of many servers has.
const toolsEach = 20

// Servers is the process of the servers behind the gateway: the bare SDK,
// one server of each era to call, many to list, and one that lists all that the
// many do.
func Servers(_ context.Context, args []string) error {
	flags := flag.NewFlagSet("gateway-servers", flag.ContinueOnError)
	many := flags.Int("many", 0, "servers with few tools each")
	profiles := flags.String("profile", "", "where to write profiles; their names begin so")
	if err := flags.Parse(args); err != nil {
		return err
	}
	kit.RaiseFileLimit()
	mux := http.NewServeMux()
	for _, era := range []string{kit.LegacyEra, kit.ModernEra} {
		mux.Handle("/"+era, kit.OfEra(era, kit.CaseServer()))
		mux.Handle("/all/"+era, kit.OfEra(era, toolServer(0, *many*toolsEach)))
	}
	for i := range *many {
		mux.Handle(fmt.Sprint("/many/", i), kit.OfEra(manyEra(i), toolServer(i*toolsEach, toolsEach)))
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: mux}
	defer server.Close()
	go func() { _ = server.Serve(listener) }()
	if *profiles != "" {
		end, err := profile.Start(*profiles)
		if err != nil {
			return err
		}
		defer end()
	}
	return kit.Report("http://" + listener.Addr().String())
}

// manyEra is the era of one of many servers: every other one is older.
func manyEra(i int) string {
	if i%2 == 0 {
		return kit.LegacyEra
	}
	return kit.ModernEra
}

// toolSchema is about as long as those that servers have.
const toolSchema = `{"type":"object","properties":{` +
	`"project":{"type":"string","description":"The project's key, such as DOOR","minLength":2,"maxLength":10},` +
	`"query":{"type":"string","description":"Words that the title or the text has to contain"},` +
	`"state":{"type":"string","enum":["open","in_progress","done","rejected"],"description":"Only those in this state"},` +
	`"limit":{"type":"integer","minimum":1,"maximum":100,"default":20,"description":"How many at most"}},` +
	`"required":["project","query"],"additionalProperties":false}`

// toolServer has so many tools, numbered from first on.
func toolServer(first, n int) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "tools", Version: "1"}, nil)
	for i := range n {
		server.AddTool(&mcp.Tool{
			Name: fmt.Sprintf("find_tickets_%d", first+i), Title: "Find tickets",
			Description: "Finds the tickets of a project that contain some words, the newest first.",
			InputSchema: json.RawMessage(toolSchema), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
		}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{}, nil
		})
	}
	return server
}
