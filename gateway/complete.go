package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

const completionMethod = "completion/complete"

// noCompletions is what a server says that has none.
var noCompletions = mcpclient.Message{Result: json.RawMessage(`{"completion":{"values":[]}}`)}

// complete answers what an argument of a prompt or of a resource's template may
// be. Its server knows; one that offers no completions has none, and nobody is
// asked to connect an account for them.
func (g *Gateway) complete(w http.ResponseWriter, r *http.Request, peer mcphttp.Peer, m mcpclient.Message) {
	answer, err := g.completed(r, peer, m)
	if err != nil {
		g.opts.Logger.DebugContext(r.Context(), "no completion", "err", err)
		answer = mcpclient.Message{Error: &mcpclient.Error{Code: jsonrpc.CodeInternalError, Message: "The server gives no completion just now."}}
	}
	writeMessage(w, m.ID, answer, peer.Session == "")
}

func (g *Gateway) completed(r *http.Request, peer mcphttp.Peer, m mcpclient.Message) (mcpclient.Message, error) {
	who := callerOf(r, peer)
	s, params, problem, err := g.completionFor(r.Context(), who, m.Params)
	if err != nil || problem != "" {
		return mcpclient.Message{Error: &mcpclient.Error{Code: jsonrpc.CodeInvalidParams, Message: problem}}, err
	}
	if g.calls.Credential(r.Context(), who, s) != nil {
		return noCompletions, nil
	}
	meta, _ := mcpclient.Member(m.Params, "_meta")
	ctx, span := g.traced(mcptool.Traced(r.Context(), meta, r.Header), "mcp.completion", target{Server: s})
	defer span.End()
	f := g.calls.Request(ctx, who, target{Server: s, Method: completionMethod}, params, false)
	defer f.Close()
	defer g.requests.run(requestKey{peer.Session, string(m.ID)}, f)()
	late := time.AfterFunc(g.patience, f.Close)
	defer late.Stop()
	defer context.AfterFunc(r.Context(), f.Close)()
	f.Do()
	said, err := f.Next(r.Context())
	for err == nil && said.ID == nil { // what it tells besides, such as log messages
		said, err = f.Next(r.Context())
	}
	switch {
	case err != nil:
		return said, err
	case said.Error != nil && said.Error.Code == jsonrpc.CodeMethodNotFound:
		return noCompletions, nil
	case !final(said):
		return said, fmt.Errorf("%w: it wants something else first", mcpclient.ErrProtocol)
	}
	return said, nil
}

// completionFor finds whose argument is meant and says it in that server's
// words; problem is what is wrong with the request.
func (g *Gateway) completionFor(ctx context.Context, who person, params json.RawMessage) (s Server, own json.RawMessage, problem string, err error) {
	var asked struct {
		Ref struct {
			Type string `json:"type"`
			Name string `json:"name,omitempty"`
			URI  string `json:"uri,omitempty"`
		} `json:"ref"`
		Argument json.RawMessage `json:"argument"`
		Context  json.RawMessage `json:"context,omitempty"`
	}
	if json.Unmarshal(params, &asked) != nil || len(asked.Argument) == 0 {
		return s, nil, "ref and argument are needed", nil
	}
	known := false
	switch ref := &asked.Ref; ref.Type {
	case "ref/prompt":
		s, ref.Name, known, err = g.split(ctx, who.Tenant, g.fullName(ctx, ref.Name))
	case "ref/resource":
		s, ref.URI, known, err = g.resourceOwner(ctx, who, fullURI(ctx, ref.URI))
	}
	if err == nil && !known {
		return s, nil, "ref: there is no such prompt or resource template", nil
	}
	if err == nil {
		own, err = json.Marshal(asked)
	}
	return s, own, "", err
}

// completes makes the SDK say that there are completions. It is not called: the
// shortcut answers.
func completes(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "this request is not well formed"}
}
