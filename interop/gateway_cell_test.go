package interop_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// cell is one case of one client with one server.
type cell struct {
	t      *testing.T
	client matrixClient
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
	k := newTalk(x.t, x.client)
	x.call(k)
	note := "✓"
	for i, s := range x.play.steps {
		q := k.question()
		x.shown(q.tsParams, s)
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
		if q.required {
			note = "✓ as -32042"
			x.goThere(s) // before the client calls again
			k.answer(q, s.action, s.content)
			continue
		}
		k.answer(q, s.action, s.content) // to go there, not that they have been
		x.goThere(s)
	}
	x.ends(k.end())
	if k.asked != len(x.play.steps) {
		x.t.Errorf("%d questions; want %d", k.asked, len(x.play.steps))
	}
	x.counted(x.play.answers(), x.play.done)
	return note
}

// call makes the call, by its name or through the tool that calls tools.
func (x *cell) call(k *talk) {
	x.t.Helper()
	name := x.prefix + x.play.tool
	if x.by != "" {
		k.call(x.by, fields{"name": name, "arguments": x.play.arguments})
		return
	}
	k.call(name, x.play.arguments)
}

// goThere is what a person does after accepting a link. Some of the links are
// not ours.
func (x *cell) goThere(s step) {
	x.t.Helper()
	if strings.HasPrefix(s.url, "http://127.0.0.1:") {
		visit(x.t, s.url)
	}
}

// shown checks a question as the client saw it.
func (x *cell) shown(q tsParams, s step) {
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
	if !sameJSON(schema, s.schema) {
		x.t.Errorf("schema %s;\nwant %s", schema, s.schema)
	}
	if _, sees := x.client.(*scriptClient); !sees {
		return
	}
	if got, want := fieldNames(x.t, schema), fieldNames(x.t, []byte(s.schema)); !slices.Equal(got, want) {
		x.t.Errorf("fields in the order %v;\nwant %v", got, want)
	}
}

// outlast does not answer until the server waits no longer. A question on the
// open call is taken back then. Every other answer comes, and comes too late.
func (x *cell) outlast(k *talk, q *matrixQuestion, s step) {
	x.t.Helper()
	x.play.expire(x.t)
	if x.server.withdraws && !x.modern {
		k.withdrawn(q)
		return
	}
	k.answer(q, s.action, s.content)
}

// gaveUp is the other way for time to pass: the client's own.
func (x *cell) gaveUp(k *talk) string {
	x.t.Helper()
	k.client.giveUp(x.t, k.number)
	if end := k.end(); end.err == nil {
		x.t.Errorf("the call was given up and has a %s", describeEnd(end))
	}
	x.counted(0, 0)
	return "✓"
}

// ends checks the result.
func (x *cell) ends(end matrixEnd) {
	x.t.Helper()
	if x.play.refused != "" {
		x.refused(end)
		return
	}
	if end.err != nil || end.IsError != x.play.isError {
		x.t.Errorf("got %s", describeEnd(end))
		return
	}
	got := end.texts()
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
func (x *cell) refused(end matrixEnd) {
	x.t.Helper()
	var data struct {
		Action string `json:"action"`
	}
	if end.code() != notAccepted || json.Unmarshal(end.err.Data, &data) != nil || data.Action != x.play.refused {
		x.t.Errorf("got %s; want %d with %s", describeEnd(end), notAccepted, x.play.refused)
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
	raw, _ := json.Marshal(fields{"action": "accept", "content": everythingForm})
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
	var answer fields
	if !ok || json.Unmarshal([]byte(shown), &answer) != nil {
		return false
	}
	if content, ok := answer["content"].(fields); ok && len(content) == 0 {
		delete(answer, "content")
	}
	again, err := json.Marshal(answer)
	return err == nil && sameJSON(again, raw)
}
