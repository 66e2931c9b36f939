package a2a

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/internal/unrouted"
)

// The transports of a2a-go answer what they cannot read in the words of Go, or in none,
// and some calls without a result. What stands in front of them says what is wrong, and
// puts that right.

// requests are what the methods of 1.0 take.
var requests = map[string]func() any{
	"SendMessage":                      func() any { return &a2a.SendMessageRequest{} },
	"SendStreamingMessage":             func() any { return &a2a.SendMessageRequest{} },
	"GetTask":                          func() any { return &a2a.GetTaskRequest{} },
	"ListTasks":                        func() any { return &a2a.ListTasksRequest{} },
	"CancelTask":                       func() any { return &a2a.CancelTaskRequest{} },
	"SubscribeToTask":                  func() any { return &a2a.SubscribeToTaskRequest{} },
	"CreateTaskPushNotificationConfig": func() any { return &a2a.PushConfig{} },
	"GetTaskPushNotificationConfig":    func() any { return &a2a.GetTaskPushConfigRequest{} },
	"ListTaskPushNotificationConfigs":  func() any { return &a2a.ListTaskPushConfigRequest{} },
	"DeleteTaskPushNotificationConfig": func() any { return &a2a.DeleteTaskPushConfigRequest{} },
	"GetExtendedAgentCard":             func() any { return &a2a.GetExtendedAgentCardRequest{} },
}

// envelope is a call of JSON-RPC.
type envelope struct {
	Version json.RawMessage `json:"jsonrpc,omitempty"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params,omitempty"`
}

// readCall reads a call. Parameters that are left out are empty.
func readCall(body []byte) (envelope, error) {
	var call envelope
	if text := bytes.TrimSpace(body); len(text) > 0 && text[0] != '{' {
		return call, a2a.NewError(a2a.ErrInvalidRequest, "a call is one JSON object: several at once are not taken")
	}
	if err := json.Unmarshal(body, &call); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			return call, a2a.NewError(a2a.ErrInvalidRequest, "this is no call of JSON-RPC: "+misread(err))
		}
		return call, a2a.NewError(a2a.ErrParseError, "the body is not JSON")
	}
	if len(call.Params) == 0 || string(call.Params) == "null" {
		call.Params = json.RawMessage(`{}`)
	}
	return call, nil
}

// misread says which member of a request is not what it has to be.
func misread(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		value, _, _ := strings.Cut(kind.Value, " ") // "number 5" may be long
		if kind.Field == "" {
			return "it cannot be of the type " + value
		}
		return fmt.Sprintf("%.100s cannot be of the type %s", kind.Field, value)
	}
	if text := brief(err.Error()); !strings.Contains(text, "json: ") && !strings.Contains(text, "Go ") {
		return text
	}
	return "it is not as A2A has it"
}

// rpcFront stands in front of JSON-RPC of 1.0.
func (o *offer) rpcFront(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // its client is gone
		}
		call, err := readCall(body)
		if r.Method != http.MethodPost {
			err = a2a.NewError(a2a.ErrInvalidRequest, "calls of JSON-RPC are sent with POST")
		}
		if err == nil {
			if request := requests[call.Method]; request != nil {
				if wrong := json.Unmarshal(call.Params, request()); wrong != nil {
					err = invalid("params: " + misread(wrong))
				}
			}
		}
		if err != nil {
			a2asrv.NewJSONRPCHandler(refusing{err}).ServeHTTP(w, withBody(r, anyCall(body)))
			return
		}
		if body, err = json.Marshal(call); err != nil {
			return // what was read can be written
		}
		if result := o.missing(call.Method); result != nil {
			answer := &translated{ResponseWriter: w, wrapped: true, result: result}
			defer answer.finish()
			w = answer
		}
		next.ServeHTTP(w, withBody(r, body))
	})
}

// missing makes the results that a2a-go leaves out, or writes as not everybody reads it;
// nil: it is right.
func (o *offer) missing(method string) func(json.RawMessage) (any, error) {
	switch method {
	case "DeleteTaskPushNotificationConfig":
		return func(json.RawMessage) (any, error) { return struct{}{}, nil }
	case "GetExtendedAgentCard":
		return func(raw json.RawMessage) (any, error) { return wholeCard(o, raw) }
	}
	return nil
}

// restFront stands in front of REST of 1.0.
func (o *offer) restFront(next http.Handler) http.Handler {
	mux := http.NewServeMux()
	for pattern, method := range map[string]string{
		"POST /message:send": "SendMessage", "POST /message:stream": "SendStreamingMessage", "POST /tasks/{id}/pushNotificationConfigs": "CreateTaskPushNotificationConfig",
		"GET /tasks": "", "GET /tasks/{id}": "", "POST /tasks/{id}": "", "GET /tasks/{id}/pushNotificationConfigs": "",
		"GET /tasks/{id}/pushNotificationConfigs/{config}": "", "DELETE /tasks/{id}/pushNotificationConfigs/{config}": "",
	} {
		mux.Handle(pattern, readable(requests[method], next))
	}
	mux.HandleFunc("GET /extendedAgentCard", func(w http.ResponseWriter, r *http.Request) {
		answer := &translated{ResponseWriter: w, result: o.missing("GetExtendedAgentCard")}
		defer answer.finish()
		next.ServeHTTP(answer, r)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		if allow := unrouted.Allow(mux, r); allow != "" {
			w.Header().Set("Allow", allow)
			chat.Refuse(w, http.StatusMethodNotAllowed, "this path takes "+allow)
			return
		}
		why := "there is nothing at this path: A2A has /message:send, /message:stream, /tasks, and what is below that"
		if strings.HasPrefix(r.URL.Path+"/", "/v1/") {
			why = "the paths of 1.0 do not begin with /v1: those of 0.3 do, for which A2A-Version is 0.3"
		}
		chat.Refuse(w, http.StatusNotFound, why)
	})
}

// readable refuses what the transport could not read, and says why. A request that takes
// no body has none.
func readable(request func() any, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := badQuery(r.URL.Query())
		if err == nil && request != nil {
			var body []byte
			if body, err = io.ReadAll(r.Body); err != nil {
				return // its client is gone
			}
			r = withBody(r, body)
			if len(bytes.TrimSpace(body)) == 0 {
				err = invalid("there is no body")
			} else if wrong := json.Unmarshal(body, request()); wrong != nil {
				err = invalid("the body: " + misread(wrong))
			}
		}
		if err != nil {
			refusingREST(err).ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// badQuery refuses a query with a value that cannot be read.
func badQuery(query url.Values) error {
	for name, read := range map[string]func(string) error{
		"pageSize":             func(s string) error { _, err := strconv.Atoi(s); return err },
		"historyLength":        func(s string) error { _, err := strconv.Atoi(s); return err },
		"includeArtifacts":     func(s string) error { _, err := strconv.ParseBool(s); return err },
		"statusTimestampAfter": func(s string) error { _, err := time.Parse(time.RFC3339, s); return err },
	} {
		if value := query.Get(name); value != "" && read(value) != nil {
			return invalid(fmt.Sprintf("%s cannot be %.50q", name, value))
		}
	}
	return nil
}
