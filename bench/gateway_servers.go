package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	toolsEach  = 20
	largeBytes = 64 << 10
)

// gatewayServers is the process of the servers behind the gateway: the bare SDK,
// one server of each era to call, many to list, and one that lists all that the
// many do.
func gatewayServers(_ context.Context, args []string) error {
	flags := flag.NewFlagSet("gateway-servers", flag.ContinueOnError)
	many := flags.Int("many", 0, "servers with few tools each")
	profile := flags.String("profile", "", "where to write profiles; their names begin so")
	if err := flags.Parse(args); err != nil {
		return err
	}
	raiseFileLimit()
	mux := http.NewServeMux()
	for _, era := range []string{legacyEra, modernEra} {
		mux.Handle("/"+era, ofEra(era, caseServer()))
		mux.Handle("/all/"+era, ofEra(era, toolServer(0, *many*toolsEach)))
	}
	for i := range *many {
		mux.Handle(fmt.Sprint("/many/", i), ofEra(manyEra(i), toolServer(i*toolsEach, toolsEach)))
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: mux}
	defer server.Close()
	go func() { _ = server.Serve(listener) }()
	if *profile != "" {
		end, err := profiled(*profile)
		if err != nil {
			return err
		}
		defer end()
	}
	return report("http://" + listener.Addr().String())
}

// manyEra is the era of one of many servers: every other one is older.
func manyEra(i int) string {
	if i%2 == 0 {
		return legacyEra
	}
	return modernEra
}

// ofEra serves one era, as the SDK's handlers do.
func ofEra(era string, server *mcp.Server) http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: era == modernEra})
}

// search is what a call asks for.
type search struct {
	Query string `json:"query"`
	Limit int    `json:"limit"`
}

// sizes are the tools of caseServer and how long their results' texts are.
var sizes = map[string]int{"small": 64, "large": largeBytes}

// caseServer has tools that only read, with results of several sizes.
func caseServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "cases", Version: "1"}, nil)
	for name, size := range sizes {
		found := strings.Repeat("Ticket 7: the door squeaks. ", size/28+1)[:size]
		mcp.AddTool(server, &mcp.Tool{Name: name, Description: "Finds tickets", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
			func(context.Context, *mcp.CallToolRequest, search) (*mcp.CallToolResult, any, error) {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: found}}}, nil, nil
			})
	}
	return server
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
