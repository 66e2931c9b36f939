// Package v03 writes and reads the JSON of A2A 0.3 as the types of 1.0. It stands in for
// a2acompat/a2av0 of a2a-go, which links gRPC.
//
//	request, err := v03.ReadSend(params)
//	…
//	told, err := v03.Event(task)
//
// What 0.3 has no place for is left out; data that is no object is wrapped into one.
package v03

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
)

// Version is the version as cards and headers name it.
const Version a2a.ProtocolVersion = "0.3"

// The methods of JSON-RPC, by those of 1.0.
const (
	Send        = "message/send"
	Stream      = "message/stream"
	Get         = "tasks/get"
	Cancel      = "tasks/cancel"
	Resubscribe = "tasks/resubscribe"
	PushSet     = "tasks/pushNotificationConfig/set"
	PushGet     = "tasks/pushNotificationConfig/get"
	PushList    = "tasks/pushNotificationConfig/list"
	PushDelete  = "tasks/pushNotificationConfig/delete"
	Card        = "agent/getAuthenticatedExtendedCard"
)

type message struct {
	Kind       string         `json:"kind"`
	ID         string         `json:"messageId"`
	ContextID  string         `json:"contextId,omitempty"`
	TaskID     a2a.TaskID     `json:"taskId,omitempty"`
	Role       string         `json:"role"`
	Parts      []part         `json:"parts"`
	Extensions []string       `json:"extensions,omitempty"`
	References []a2a.TaskID   `json:"referenceTaskIds,omitempty"`
	Metadata   map[string]any `json:"metadata,omitempty"`
}

type part struct {
	Kind     string         `json:"kind"`
	Text     *string        `json:"text,omitempty"`
	Data     map[string]any `json:"data,omitempty"`
	File     *file          `json:"file,omitempty"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

type file struct {
	Name  string  `json:"name,omitempty"`
	Type  string  `json:"mimeType,omitempty"`
	Bytes *string `json:"bytes,omitempty"` // base64
	URI   string  `json:"uri,omitempty"`
}

type status struct {
	State     string     `json:"state"`
	Message   *message   `json:"message,omitempty"`
	Timestamp *time.Time `json:"timestamp,omitempty"`
}

type artifact struct {
	ID          a2a.ArtifactID `json:"artifactId"`
	Name        string         `json:"name,omitempty"`
	Description string         `json:"description,omitempty"`
	Parts       []part         `json:"parts"`
	Extensions  []string       `json:"extensions,omitempty"`
	Metadata    map[string]any `json:"metadata,omitempty"`
}

type task struct {
	Kind      string         `json:"kind"`
	ID        a2a.TaskID     `json:"id"`
	ContextID string         `json:"contextId"`
	Status    status         `json:"status"`
	History   []*message     `json:"history,omitempty"`
	Artifacts []*artifact    `json:"artifacts,omitempty"`
	Metadata  map[string]any `json:"metadata,omitempty"`
}

type statusUpdate struct {
	Kind      string         `json:"kind"`
	TaskID    a2a.TaskID     `json:"taskId"`
	ContextID string         `json:"contextId"`
	Status    status         `json:"status"`
	Final     bool           `json:"final"`
	Metadata  map[string]any `json:"metadata,omitempty"`
}

type artifactUpdate struct {
	Kind      string         `json:"kind"`
	TaskID    a2a.TaskID     `json:"taskId"`
	ContextID string         `json:"contextId"`
	Artifact  *artifact      `json:"artifact"`
	Append    bool           `json:"append,omitempty"`
	LastChunk bool           `json:"lastChunk,omitempty"`
	Metadata  map[string]any `json:"metadata,omitempty"`
}

type pushConfig struct {
	ID    string    `json:"id,omitempty"`
	URL   string    `json:"url"`
	Token string    `json:"token,omitempty"`
	Auth  *pushAuth `json:"authentication,omitempty"`
}

type pushAuth struct {
	Schemes     []string `json:"schemes"`
	Credentials string   `json:"credentials,omitempty"`
}

type taskPush struct {
	TaskID a2a.TaskID `json:"taskId"`
	Config pushConfig `json:"pushNotificationConfig"`
}

type send struct {
	Message *message       `json:"message"`
	Config  *sendConfig    `json:"configuration,omitempty"`
	Meta    map[string]any `json:"metadata,omitempty"`
}

type sendConfig struct {
	Modes         []string    `json:"acceptedOutputModes,omitempty"`
	Blocking      *bool       `json:"blocking,omitempty"`
	HistoryLength *int        `json:"historyLength,omitempty"`
	Push          *pushConfig `json:"pushNotificationConfig,omitempty"`
}

// stateName is a state as 0.3 writes it: "input-required".
func stateName(s a2a.TaskState) string {
	if s == a2a.TaskStateUnspecified {
		return "unknown"
	}
	return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(string(s), "TASK_STATE_")), "_", "-")
}

func stateOf(name string) a2a.TaskState {
	if name == "unknown" || name == "" {
		return a2a.TaskStateUnspecified
	}
	return a2a.TaskState("TASK_STATE_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")))
}

// ErrMalformed says that a JSON text is not of 0.3.
var ErrMalformed = errors.New("this is not as A2A 0.3 has it")

func partOf(p part) (*a2a.Part, error) {
	whole := &a2a.Part{Metadata: p.Metadata}
	switch {
	case p.Kind == "text" && p.Text != nil:
		whole.Content = a2a.Text(*p.Text)
	case p.Kind == "data" && p.Data != nil:
		whole.Content = a2a.Data{Value: p.Data}
	case p.Kind == "file" && p.File != nil:
		whole.Filename, whole.MediaType = p.File.Name, p.File.Type
		if p.File.Bytes == nil {
			whole.Content = a2a.URL(p.File.URI)
			break
		}
		raw, err := base64.StdEncoding.DecodeString(*p.File.Bytes)
		if err != nil {
			return nil, fmt.Errorf("%w: the bytes of a file are not base64", ErrMalformed)
		}
		whole.Content = a2a.Raw(raw)
	default:
		return nil, fmt.Errorf("%w: a part of kind %.20q", ErrMalformed, p.Kind)
	}
	return whole, nil
}

func oldPart(p *a2a.Part) part {
	old := part{Metadata: p.Metadata}
	switch content := p.Content.(type) {
	case a2a.Text:
		text := string(content)
		old.Kind, old.Text = "text", &text
	case a2a.Data:
		old.Kind = "data"
		var isObject bool
		if old.Data, isObject = content.Value.(map[string]any); !isObject {
			old.Data = map[string]any{"value": content.Value}
		}
	case a2a.Raw:
		text := base64.StdEncoding.EncodeToString(content)
		old.Kind, old.File = "file", &file{Name: p.Filename, Type: p.MediaType, Bytes: &text}
	case a2a.URL:
		old.Kind, old.File = "file", &file{Name: p.Filename, Type: p.MediaType, URI: string(content)}
	}
	return old
}

func partsOf(all []part) (a2a.ContentParts, error) {
	parts := a2a.ContentParts{}
	for i, p := range all {
		one, err := partOf(p)
		if err != nil {
			return nil, fmt.Errorf("parts[%d]: %w", i, err)
		}
		parts = append(parts, one)
	}
	return parts, nil
}

func oldParts(all a2a.ContentParts) []part {
	parts := []part{}
	for _, p := range all {
		parts = append(parts, oldPart(p))
	}
	return parts
}

func read[T any](raw []byte) (T, error) {
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		return v, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return v, nil
}
