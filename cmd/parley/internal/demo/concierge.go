package demo

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"net/http"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/parley-hq/parley/a2a/elicitation"
)

// concierge is an agent of somebody else's, which speaks A2A: it reserves tables, and
// asks for which one. There is nothing of ours in it but the name of the extension.
type concierge struct{}

// conciergePath is where it is.
const conciergePath = "/concierge"

// tableForm is what it asks.
var tableForm = map[string]any{
	"elicitationId": "table", "mode": "form", "message": "For which table shall I ask?",
	"requestedSchema": map[string]any{
		"type": "object",
		"properties": map[string]any{
			"guests": map[string]any{"type": "integer", "title": "Guests", "minimum": 1.0, "maximum": 12.0, "default": 2.0},
			"at":     map[string]any{"type": "string", "title": "At", "enum": []any{"18:00", "19:30", "21:00"}},
			"window": map[string]any{"type": "boolean", "title": "By the window"},
		},
		"required": []any{"guests", "at"},
	},
	"fieldOrder": []any{"guests", "at", "window"},
}

// conciergeHandler serves it, with its card.
func conciergeHandler(at string, logger *slog.Logger) http.Handler {
	card := &a2a.AgentCard{
		Name: "Concierge", Description: "Reserves tables.", Version: "1", DefaultInputModes: []string{"text/plain"}, DefaultOutputModes: []string{"text/plain"},
		SupportedInterfaces: []*a2a.AgentInterface{a2a.NewAgentInterface(at+"/rpc", a2a.TransportProtocolJSONRPC)},
		Capabilities:        a2a.AgentCapabilities{Streaming: true, Extensions: []a2a.AgentExtension{{URI: elicitation.URI}}},
		Skills:              []a2a.AgentSkill{{ID: "table", Name: "Reserve a table", Description: "Reserves a table in a restaurant.", Tags: []string{"restaurant"}}},
	}
	mux := http.NewServeMux()
	mux.Handle(conciergePath+a2asrv.WellKnownAgentCardPath, a2asrv.NewStaticAgentCardHandler(card))
	mux.Handle(conciergePath+"/rpc", a2asrv.NewJSONRPCHandler(a2asrv.NewHandler(concierge{}, a2asrv.WithLogger(logger))))
	return mux
}

// Execute implements a2asrv.AgentExecutor.
func (concierge) Execute(_ context.Context, ec *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		if ec.StoredTask == nil {
			question := a2a.NewMessageForTask(a2a.MessageRoleAgent, ec, a2a.NewTextPart("For which table shall I ask?"), a2a.NewDataPart(tableForm))
			question.Extensions = []string{elicitation.URI}
			_ = yield(a2a.NewSubmittedTask(ec, ec.Message), nil) && yield(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateInputRequired, question), nil)
			return
		}
		_ = yield(a2a.NewArtifactEvent(ec, a2a.NewTextPart(reserved(ec.Message))), nil) && yield(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateCompleted, nil), nil)
	}
}

// reserved is what becomes of an answer.
func reserved(m *a2a.Message) string {
	for _, p := range m.Parts {
		answer, _ := p.Data().(map[string]any)
		wanted, _ := answer["content"].(map[string]any)
		if answer["action"] == "accept" && wanted != nil {
			return fmt.Sprintf("A table for %v at %v is reserved.", wanted["guests"], wanted["at"])
		}
	}
	return "No table is reserved."
}

// Cancel implements a2asrv.AgentExecutor.
func (concierge) Cancel(_ context.Context, ec *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		yield(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateCanceled, nil), nil)
	}
}
