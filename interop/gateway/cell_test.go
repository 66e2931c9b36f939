package gateway_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// cell is one case of one client with one server.
type cell struct {
	t      *testing.T
	client kit.MatrixClient
	modern bool // the client's era
	server *matrixServer
	play   scenario
	token  string
	before tally // what the server had done

	prefix string // of the tool's name: server__ behind the gateway
	by     string // the tool that calls tools, where the gateway has one
	from   string // in front of the server's messages: [server] behind it
}

var tokens atomic.Int64

func newToken() string { return fmt.Sprintf("t%d", tokens.Add(1)) }

// run plays a cell with a client that asks, and returns what the table says of
// it.
func (x *cell) run() string {
	x.t.Helper()
	k := kit.NewTalk(x.t, x.client)
	x.call(k)
	note := "✓"
	for i, s := range x.play.steps {
		q := k.Question()
		x.shown(q.TsParams, s)
		switch {
		case x.play.late && x.play.expire == nil:
			return x.gaveUp(k)
		case x.play.late:
			x.outlast(k, q, s)
			continue
		}
		if i == 0 && x.play.visits {
			note = "✓ as url"
		}
		if q.Required {
			note = "✓ as -32042"
			x.goThere(s) // before the client calls again
			k.Answer(q, s.action, s.content)
			continue
		}
		k.Answer(q, s.action, s.content) // to go there, not that they have been
		x.goThere(s)
	}
	x.ends(k.End())
	if k.Asked != len(x.play.steps) {
		x.t.Errorf("%d questions; want %d", k.Asked, len(x.play.steps))
	}
	x.counted(x.play.answers(), x.play.done)
	return note
}

// call makes the call, by its name or through the tool that calls tools.
func (x *cell) call(k *kit.Talk) {
	x.t.Helper()
	name := x.prefix + x.play.tool
	if x.by != "" {
		k.Call(x.by, kit.Fields{"name": name, "arguments": x.play.arguments})
		return
	}
	k.Call(name, x.play.arguments)
}

// goThere is what a person does after accepting a link. Some of the links are
// not ours.
func (x *cell) goThere(s step) {
	x.t.Helper()
	if strings.HasPrefix(s.url, "http://127.0.0.1:") {
		kit.Visit(x.t, s.url)
	}
}

// shown checks a question as the client saw it.
func (x *cell) shown(q kit.TsParams, s step) {
	x.t.Helper()
	if q.Mode == "" {
		q.Mode = "form" // which it may leave out
	}
	if q.Mode != s.mode || q.Message != x.from+s.message || q.URL != s.url {
		x.t.Errorf("asked %s %q %q;\nwant %s %q %q", q.Mode, q.Message, q.URL, s.mode, x.from+s.message, s.url)
	}
	if hasID := q.ElicitationID != ""; s.mode == "url" && hasID == x.modern {
		x.t.Errorf("elicitationId %q in this era", q.ElicitationID)
	}
	x.asked(q.RequestedSchema, s)
}

// asked checks that a form is the server's, to the order of its fields. A client
// on the go-sdk does not see that order.
func (x *cell) asked(schema json.RawMessage, s step) {
	x.t.Helper()
	if s.mode != "form" {
		return
	}
	if !kit.SameJSON(schema, s.schema) {
		x.t.Errorf("schema %s;\nwant %s", schema, s.schema)
	}
	if _, sees := x.client.(*kit.ScriptClient); !sees {
		return
	}
	if got, want := fieldNames(x.t, schema), fieldNames(x.t, []byte(s.schema)); !slices.Equal(got, want) {
		x.t.Errorf("fields in the order %v;\nwant %v", got, want)
	}
}

// outlast does not answer until the server waits no longer. A question on the
// open call is taken back then. Every other answer comes, and comes too late.
func (x *cell) outlast(k *kit.Talk, q *kit.MatrixQuestion, s step) {
	x.t.Helper()
	x.play.expire(x.t)
	if x.server.withdraws && !x.modern {
		k.Withdrawn(q)
		return
	}
	k.Answer(q, s.action, s.content)
}

// gaveUp is the other way for time to pass: the client's own.
func (x *cell) gaveUp(k *kit.Talk) string {
	x.t.Helper()
	k.Client.GiveUp(x.t, k.Number)
	if end := k.End(); end.Err == nil {
		x.t.Errorf("the call was given up and has a %s", kit.DescribeEnd(end))
	}
	x.counted(0, 0)
	return "✓"
}

// ends checks the result.
func (x *cell) ends(end kit.MatrixEnd) {
	x.t.Helper()
	if x.play.refused != "" {
		x.refused(end)
		return
	}
	if end.Err != nil || end.IsError != x.play.isError {
		x.t.Errorf("got %s", kit.DescribeEnd(end))
		return
	}
	got := end.Texts()
	same := len(got) == len(x.play.texts)
	for i := 0; same && i < len(got); i++ {
		same = sameText(got[i], x.play.texts[i])
	}
	if !same {
		x.t.Errorf("result %q;\nwant %q", got, x.play.texts)
	}
}

// notAccepted is the error of a call that the person's no ended before its
// server could hear of it.
const notAccepted = -32001

// refused checks that error: it says what the person's answer was.
func (x *cell) refused(end kit.MatrixEnd) {
	x.t.Helper()
	var data struct {
		Action string `json:"action"`
	}
	if end.Code() != notAccepted || json.Unmarshal(end.Err.Data, &data) != nil || data.Action != x.play.refused {
		x.t.Errorf("got %s; want %d with %s", kit.DescribeEnd(end), notAccepted, x.play.refused)
	}
}

// counted checks how often the server's tool was entered and came to its end. A
// call on an open connection is made once. One that comes back with its answers
// is entered again for each, and one that sent the person away at least once
// more.
func (x *cell) counted(answers, done int) {
	x.t.Helper()
	now := x.server.counts(x.t, x.token)
	got := tally{now.Began - x.before.Began, now.Done - x.before.Done}
	want := tally{1, done}
	switch {
	case x.server.modern:
		want.Began += answers
	case x.play.visits && answers > 0:
		want.Began = max(2, got.Began)
	}
	if got != want {
		x.t.Errorf("the server counts %+v; want %+v", got, want)
	}
}

// rawMark begins the text in which the reference server shows what it was sent.
const rawMark = "\nRaw result: "

func rawResult(answer string) string { return rawMark + answer }

func acceptedForm() string {
	raw, _ := json.Marshal(kit.Fields{"action": "accept", "content": everythingForm})
	return rawResult(string(raw))
}

// sameText compares texts; an answer in them may be written in another order,
// and may have empty content.
func sameText(got, want string) bool {
	raw, ok := strings.CutPrefix(want, rawMark)
	if !ok {
		return got == want
	}
	shown, ok := strings.CutPrefix(got, rawMark)
	var answer kit.Fields
	if !ok || json.Unmarshal([]byte(shown), &answer) != nil {
		return false
	}
	if content, ok := answer["content"].(kit.Fields); ok && len(content) == 0 {
		delete(answer, "content")
	}
	again, err := json.Marshal(answer)
	return err == nil && kit.SameJSON(again, raw)
}
