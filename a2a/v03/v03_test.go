package v03_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/a2a/v03"
)

func whole() *a2a.Task {
	at := time.Date(2026, 11, 17, 17, 0, 0, 0, time.UTC)
	info := a2a.TaskInfo{TaskID: "t1", ContextID: "c1"}
	raw := a2a.NewRawPart([]byte("\x89PNG"))
	raw.MediaType, raw.Filename = "image/png", "a.png"
	m := a2a.NewMessageForTask(a2a.MessageRoleAgent, info, a2a.NewTextPart("Which?"), a2a.NewDataPart(map[string]any{"a": 1.0}), raw, a2a.NewFileURLPart("https://a.example/b", "text/plain"))
	m.Extensions = []string{"https://e.example"}
	return &a2a.Task{
		ID: "t1", ContextID: "c1", Status: a2a.TaskStatus{State: a2a.TaskStateInputRequired, Message: m, Timestamp: &at},
		History:   []*a2a.Message{a2a.NewMessageForTask(a2a.MessageRoleUser, info, a2a.NewTextPart(""))},
		Artifacts: []*a2a.Artifact{{ID: "a1", Name: "answer", Parts: a2a.ContentParts{a2a.NewTextPart("Done")}}},
	}
}

// The package that this one stands in for writes the same.
func TestEventsAreAsA2AGoWritesThem(t *testing.T) {
	task := whole()
	for _, e := range []a2a.Event{
		task, task.Status.Message,
		&a2a.TaskStatusUpdateEvent{TaskID: "t1", ContextID: "c1", Status: task.Status},
		&a2a.TaskStatusUpdateEvent{TaskID: "t1", ContextID: "c1", Status: a2a.TaskStatus{State: a2a.TaskStateAuthRequired}},
		&a2a.TaskArtifactUpdateEvent{TaskID: "t1", ContextID: "c1", Artifact: task.Artifacts[0], Append: true},
	} {
		mine, err := v03.Event(e)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := a2av0.FromV1Event(e)
		if err != nil {
			t.Fatal(err)
		}
		raw := marshal(t, mine)
		if diff := cmp.Diff(generic(t, marshal(t, theirs)), generic(t, raw)); diff != "" {
			t.Errorf("%T: %s", e, diff)
		}
		again, err := v03.ReadEvent(raw)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(e, again); diff != "" {
			t.Errorf("%T read back: %s", e, diff)
		}
	}
}

func TestMessagesAndConfigurationsAreReadBack(t *testing.T) {
	n := 3
	req := &a2a.SendMessageRequest{Message: whole().Status.Message, Config: &a2a.SendMessageConfig{
		ReturnImmediately: true, HistoryLength: &n, AcceptedOutputModes: []string{"text/plain"},
		PushConfig: &a2a.PushConfig{ID: "p", URL: "https://a.example", Token: "t", Auth: &a2a.PushAuthInfo{Scheme: "Bearer", Credentials: "c"}},
	}}
	got, err := v03.ReadSend(marshal(t, v03.SendParams(req)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(req, got); diff != "" {
		t.Error(diff)
	}
	c := *req.Config.PushConfig
	c.TaskID = "t1"
	config, err := v03.ReadPushConfig(marshal(t, v03.PushConfig(&c)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&c, config); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsNotOfThisVersionIsRefused(t *testing.T) {
	for _, raw := range []string{`7`, `{"kind":"dream"}`, `{"kind":"message","parts":[{"text":"x"}]}`, `{"kind":"message","parts":[{"kind":"file","file":{"bytes":"?"}}]}`, `{"kind":"artifact-update"}`} {
		if e, err := v03.ReadEvent([]byte(raw)); !errors.Is(err, v03.ErrMalformed) {
			t.Error(raw, e, err)
		}
	}
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func generic(t *testing.T, raw []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// Whatever comes is refused, or is written as it was read.
func FuzzReadEvent(f *testing.F) {
	f.Add(`{"kind":"task","id":"t","contextId":"c","status":{"state":"working"},"history":[{"kind":"message","messageId":"m","role":"user","parts":[{"kind":"text","text":"x"}]}]}`)
	f.Add(`{"kind":"status-update","taskId":"t","contextId":"c","status":{"state":"input-required"},"final":true}`)
	f.Add(`{"kind":"artifact-update","artifact":{"artifactId":"a","parts":[{"kind":"file","file":{"bytes":"YQ==","mimeType":"a/b"}}]}}`)
	f.Add(`{"kind":"message","parts":[{"kind":"data","data":{"a":[null]}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		e, err := v03.ReadEvent([]byte(text))
		if err != nil {
			return
		}
		once, err := v03.Event(e)
		if err != nil {
			t.Fatal(err)
		}
		again, err := v03.ReadEvent(marshal(t, once))
		if err != nil {
			t.Fatal(err)
		}
		twice, err := v03.Event(again)
		if err != nil || !cmp.Equal(generic(t, marshal(t, once)), generic(t, marshal(t, twice))) {
			t.Error(err, cmp.Diff(once, twice))
		}
	})
}
