package a2a

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2apb/v0/pbjson"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/parley-hq/parley/a2a/v03"
	"github.com/parley-hq/parley/chat"
)

// Clients of 0.3 are served by the transports of 1.0: what they send is put into the words
// of 1.0 before, and what they are told into theirs.

// method is one of JSON-RPC in 0.3.
type method struct {
	name   string                                         // in 1.0
	params func(json.RawMessage) (any, error)             // nil: they are the same
	result func(o *offer, r json.RawMessage) (any, error) // nil: it is the same
}

var methods = map[string]method{
	v03.Send:        {"SendMessage", sendParams, oldEvent},
	v03.Stream:      {"SendStreamingMessage", sendParams, oldEvent},
	v03.Get:         {"GetTask", nil, oldTask},
	v03.Cancel:      {"CancelTask", nil, oldTask},
	v03.Resubscribe: {"SubscribeToTask", nil, oldEvent},
	v03.PushSet:     {"CreateTaskPushNotificationConfig", func(raw json.RawMessage) (any, error) { return v03.ReadPushConfig(raw) }, oldPushConfig},
	v03.PushGet:     {"GetTaskPushNotificationConfig", pushParams, oldPushConfig},
	v03.PushList:    {"ListTaskPushNotificationConfigs", pushParams, oldPushConfigs},
	v03.PushDelete:  {"DeleteTaskPushNotificationConfig", pushParams, func(*offer, json.RawMessage) (any, error) { return nil, nil }},
	v03.Card:        {"GetExtendedAgentCard", func(json.RawMessage) (any, error) { return struct{}{}, nil }, wholeCard},
}

func sendParams(raw json.RawMessage) (any, error) { return v03.ReadSend(raw) }

// pushParams are those that name a configuration: its task is id in 0.3.
func pushParams(raw json.RawMessage) (any, error) {
	var named struct {
		ID     string `json:"id"`
		Config string `json:"pushNotificationConfigId"`
	}
	if err := json.Unmarshal(raw, &named); err != nil {
		return nil, fmt.Errorf("%w: %w", v03.ErrMalformed, err)
	}
	return map[string]string{"taskId": named.ID, "id": named.Config}, nil
}

func oldEvent(_ *offer, raw json.RawMessage) (any, error) {
	var e a2a.StreamResponse
	if err := json.Unmarshal(raw, &e); err != nil {
		return nil, err
	}
	return v03.Event(e.Event)
}

func oldTask(_ *offer, raw json.RawMessage) (any, error) {
	var t a2a.Task
	if err := json.Unmarshal(raw, &t); err != nil {
		return nil, err
	}
	return v03.Event(&t)
}

func oldPushConfig(_ *offer, raw json.RawMessage) (any, error) {
	var c a2a.PushConfig
	if err := json.Unmarshal(raw, &c); err != nil {
		return nil, err
	}
	return v03.PushConfig(&c), nil
}

func oldPushConfigs(_ *offer, raw json.RawMessage) (any, error) {
	var list a2a.ListTaskPushConfigResponse
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	all := []any{}
	for _, c := range list.Configs {
		all = append(all, v03.PushConfig(c))
	}
	return all, nil
}

// wholeCard is the extended card, as clients of both versions read it.
func wholeCard(o *offer, _ json.RawMessage) (any, error) {
	text, err := union(o.extended)
	return json.RawMessage(text), err
}

// serveOldRPC serves JSON-RPC of 0.3.
func (o *offer) serveOldRPC(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // its client is gone
	}
	answer := &translated{ResponseWriter: w, wrapped: true}
	defer answer.finish()
	if call, err := readCall(body); err == nil {
		m, known := methods[call.Method]
		if !known && call.Method != "" { // 1.0 must not answer by its own name for it
			m.name = "0.3: " + call.Method
		}
		if known && m.params != nil {
			params, err := m.params(call.Params)
			if err == nil {
				call.Params, err = json.Marshal(params)
			}
			if err != nil {
				a2asrv.NewJSONRPCHandler(refusing{invalid("params: " + misread(err))}).ServeHTTP(answer, withBody(r, anyCall(body)))
				return
			}
		}
		if m.result != nil {
			answer.result = func(raw json.RawMessage) (any, error) { return m.result(o, raw) }
		}
		call.Method = m.name
		if body, err = json.Marshal(call); err != nil {
			return // what was read can be written
		}
	}
	o.rpc.ServeHTTP(answer, withBody(r, body))
}

func withBody(r *http.Request, body []byte) *http.Request {
	r = r.Clone(r.Context())
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return r
}

// serveOldREST serves REST of 0.3: the JSON of its protocol buffers, below /v1.
func (o *offer) serveOldREST(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimPrefix(r.URL.Path, "/v1")
	if path == r.URL.Path {
		chat.Refuse(w, http.StatusNotFound, "the paths of 0.3 begin with /v1")
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // its client is gone
	}
	body, err = oldBody(r.Method, path, camelled(body))
	if err != nil {
		refusingREST(invalid(err.Error())).ServeHTTP(w, r)
		return
	}
	query := r.URL.Query()
	if s := query.Get("status"); s != "" {
		query.Set("status", string(pbjson.DecodeTaskState(pbjson.TaskState(s))))
	}
	answer := &translated{ResponseWriter: w, result: func(raw json.RawMessage) (any, error) { return o.oldResult(r.Method, path, raw) }}
	modern := path
	if path == "/card" {
		modern = "/extendedAgentCard"
	}
	o.rest.ServeHTTP(answer, at(r, modern, query, body))
	answer.finish()
}

// refusingREST refuses a request whose body is not read.
func refusingREST(err error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a2asrv.NewRESTHandler(refusing{err}).ServeHTTP(w, at(r, "/message:send", nil, nil))
	})
}

// at is a request for another path; without a query it is one that only sends.
func at(r *http.Request, path string, query url.Values, body []byte) *http.Request {
	r = withBody(r, body)
	r.URL = &url.URL{Path: path, RawQuery: query.Encode()}
	if query == nil {
		r.Method, r.Body = http.MethodPost, io.NopCloser(strings.NewReader(`{"message":null}`))
	}
	return r
}

// oldBody is what a client of 0.3 sends, in the words of 1.0.
func oldBody(verb, path string, body []byte) ([]byte, error) {
	var modern any
	var err error
	task, pushes := strings.CutSuffix(strings.TrimPrefix(path, "/tasks/"), "/pushNotificationConfigs")
	switch {
	case verb != http.MethodPost:
		return nil, nil
	case path == "/message:send", path == "/message:stream":
		modern, err = pbjson.FromProtoSendMessageRequest(body)
	case pushes:
		modern, err = oldPushBody(body, a2a.TaskID(task))
	default:
		return body, nil
	}
	if err != nil {
		return nil, errors.New("the body cannot be read as A2A 0.3 has it")
	}
	return json.Marshal(modern)
}

// oldPushBody is a configuration as clients of 0.3 send it: as its protocol buffers have it,
// within a request, and as @a2a-js/sdk has it, by itself.
func oldPushBody(body []byte, task a2a.TaskID) (*a2a.PushConfig, error) {
	var request struct {
		Config json.RawMessage `json:"config"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	if len(request.Config) > 0 {
		return pbjson.FromProtoCreatePushConfigRequest(body, task)
	}
	c, err := pbjson.FromProtoPushConfigResponse(body)
	if err != nil {
		return nil, err
	}
	c.TaskID = task
	return c, nil
}

// oldStreamed is an event of a stream. a2a-go does not say of a task that waits for a message
// that its stream is over.
func oldStreamed(e a2a.Event) (any, error) {
	raw, err := pbjson.ToProtoStreamEvent(e)
	var told pbjson.StreamResponse
	if err == nil {
		err = json.Unmarshal(raw, &told)
	}
	if update, ok := e.(*a2a.TaskStatusUpdateEvent); ok && told.StatusUpdate != nil {
		told.StatusUpdate.Final = v03.Final(update.Status.State)
	}
	return told, err
}

// oldResult is a result in the words of 0.3.
func (o *offer) oldResult(verb, path string, raw json.RawMessage) (any, error) {
	var text []byte
	var err error
	_, config, pushes := strings.Cut(path, "/pushNotificationConfigs")
	switch {
	case path == "/card":
		return wholeCard(o, raw)
	case path == "/message:send":
		var e a2a.StreamResponse
		if err = json.Unmarshal(raw, &e); err == nil {
			sent, _ := e.Event.(a2a.SendMessageResult)
			text, err = pbjson.ToProtoSendMessageResult(sent)
		}
	case path == "/message:stream", strings.HasSuffix(path, ":subscribe"):
		var e a2a.StreamResponse
		if err = json.Unmarshal(raw, &e); err == nil {
			return oldStreamed(e.Event)
		}
	case path == "/tasks":
		var list a2a.ListTasksResponse
		if err = json.Unmarshal(raw, &list); err == nil {
			text, err = pbjson.ToProtoListTasksResponse(&list)
		}
	case pushes && config == "" && verb == http.MethodGet:
		var list a2a.ListTaskPushConfigResponse
		if err = json.Unmarshal(raw, &list); err == nil {
			text, err = pbjson.ToProtoListPushConfigsResponse(list.Configs)
		}
	case pushes:
		var c a2a.PushConfig
		if err = json.Unmarshal(raw, &c); err == nil {
			text, err = pbjson.ToProtoPushConfigResponse(&c)
		}
	default:
		var t a2a.Task
		if err = json.Unmarshal(raw, &t); err == nil {
			text, err = pbjson.ToProtoTask(&t)
		}
	}
	return json.RawMessage(text), err
}
