package chat

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"

	"github.com/parley-hq/parley/bench/kit"
)

// Fakes is the process beside the one that is measured: a model that calls a
// tool and then says how it went, and the MCP server that has the tool. Neither
// takes any time.
func Fakes(_ context.Context, args []string) error {
	era := kit.ModernEra
	if len(args) > 0 {
		era = args[0]
	}
	kit.RaiseFileLimit()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", fakeCompletion)
	mux.Handle("/mcp", kit.OfEra(era, kit.CaseServer()))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: mux}
	defer server.Close()
	go func() { _ = server.Serve(listener) }()
	return kit.Report("http://" + listener.Addr().String())
}

// fakeWords is what the model says at the end, a piece at a time.
var fakeWords = strings.SplitAfter("I have looked for it, and found one ticket: number 7, the door squeaks. Shall I do anything about it?", " ")

// fakeLast is how a client recognises the end of the answer.
const fakeLast = "it?\""

func fakeCompletion(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Messages []struct{ Role string }
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || len(asked.Messages) == 0 {
		http.Error(w, `{"error":{"message":"no messages","type":"invalid_request_error"}}`, http.StatusBadRequest)
		return
	}
	var out strings.Builder
	chunk := func(delta, finish string) {
		fmt.Fprintf(&out, `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"fake","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`+"\n\n", delta, finish)
	}
	w.Header().Set("Content-Type", "text/event-stream")
	if asked.Messages[len(asked.Messages)-1].Role != "tool" {
		chunk(`{"role":"assistant","tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"tickets__small","arguments":"{\"query\":\"door\",\"limit\":3}"}}]}`, "null")
		chunk("{}", `"tool_calls"`)
	} else {
		for _, word := range fakeWords {
			said, _ := json.Marshal(word) // strings always marshal
			chunk(`{"content":`+string(said)+`}`, "null")
		}
		chunk("{}", `"stop"`)
	}
	out.WriteString("data: [DONE]\n\n")
	_, _ = w.Write([]byte(out.String())) // the client is gone, or is not
}
