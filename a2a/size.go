package a2a

import (
	"encoding/json"

	"github.com/a2aproject/a2a-go/v2/a2a"
)

// How many bytes one answer has, about. A task says how much of its history is left out,
// and a page of a list that is full has fewer tasks than were asked for.
const (
	maxHistory = 1 << 20
	maxPage    = 4 << 20
	maxRead    = 8 << 20 // of the tasks of a page, with what is not shown of them
)

// leftOut names the member of a task's metadata that says how many of the oldest messages
// are left out of its history because it is too large.
const leftOut = "historyLeftOut"

// shorten leaves the last messages of a task's history: as many as were asked for, and as
// one answer has room for.
func shorten(t *a2a.Task, length *int) {
	if n := len(t.History); length != nil && n > *length {
		t.History = t.History[n-*length:]
	}
	room := maxHistory
	for i := len(t.History) - 1; i >= 0; i-- {
		if room -= messageSize(t.History[i]); room < 0 {
			t.History = t.History[i+1:]
			t.SetMeta(leftOut, i+1)
			return
		}
	}
}

// sizeOf is how many bytes a task has, about.
func sizeOf(t *a2a.Task) int {
	n := messageSize(t.Status.Message)
	for _, m := range t.History {
		n += messageSize(m)
	}
	for _, one := range t.Artifacts {
		n += partsSize(one.Parts)
	}
	return n
}

func messageSize(m *a2a.Message) int {
	if m == nil {
		return 0
	}
	n := partsSize(m.Parts)
	if len(m.Metadata) > 0 {
		n += valueSize(m.Metadata)
	}
	return n
}

func partsSize(parts a2a.ContentParts) int {
	const around = 100 // names and quotes
	n := around
	for _, p := range parts {
		n += around
		switch content := p.Content.(type) {
		case a2a.Text:
			n += len(content)
		case a2a.Raw:
			n += len(content) * 4 / 3
		case a2a.URL:
			n += len(content)
		case a2a.Data:
			n += valueSize(content.Value)
		}
		if len(p.Metadata) > 0 {
			n += valueSize(p.Metadata)
		}
	}
	return n
}

func valueSize(v any) int {
	text, err := json.Marshal(v)
	if err != nil {
		return 0 // it cannot be told either
	}
	return len(text)
}
