package interop_test

import (
	"encoding/json"
	"testing"
	"time"
)

// cellPatience is how long a cell of the matrix waits for what must happen. It is
// shorter than patience: where a gateway hangs, many cells wait.
const cellPatience = 30 * time.Second

// urlRequired is the error of servers up to 2025-11-25 that want the person to go
// somewhere first.
const urlRequired = -32042

// matrixClient is a client of the matrix: one call at a time.
type matrixClient interface {
	// call begins a call and returns its number.
	call(t *testing.T, tool string, arguments fields) int
	// answer answers question n.
	answer(t *testing.T, n int, action string, content fields)
	// giveUp cancels a call, as a time-out of the client does.
	giveUp(t *testing.T, call int)
	// events are what happens, in its order.
	events() <-chan matrixEvent
}

// matrixEvent is something that a client saw. One of the pointers is set, or a
// question was withdrawn.
type matrixEvent struct {
	asked     *matrixQuestion
	ended     *matrixEnd
	withdrawn int // the number of a question
}

// matrixQuestion is a question as a client saw it.
type matrixQuestion struct {
	tsParams
	n        int
	required bool // it came with error -32042
}

// matrixEnd is how a call ended for its client: with a result or an error.
type matrixEnd struct {
	tsResult
	call   int
	err    *tsError
	schema json.RawMessage // of the form that the model is told of
}

func (e matrixEnd) code() int {
	if e.err == nil {
		return 0
	}
	code, _ := e.err.Code.(float64)
	return int(code)
}

// texts are what a result says.
func (e matrixEnd) texts() []string {
	all := []string{}
	for _, c := range e.Content {
		all = append(all, c.Text)
	}
	return all
}

// talk is one cell's use of a client.
type talk struct {
	t      *testing.T
	client matrixClient

	number    int
	tool      string
	arguments fields
	asked     int               // questions that the client saw
	required  []*matrixQuestion // of the last -32042, not yet shown
	open      int               // of the last -32042, not yet accepted
	kept      *matrixEnd        // came before it was wanted
}

// newTalk forgets what came before.
func newTalk(t *testing.T, client matrixClient) *talk {
	t.Helper()
	for {
		select {
		case <-client.events():
			continue
		default:
		}
		return &talk{t: t, client: client}
	}
}

func (k *talk) call(tool string, arguments fields) {
	k.t.Helper()
	k.tool, k.arguments = tool, arguments
	k.number = k.client.call(k.t, tool, arguments)
}

func (k *talk) next(what string) matrixEvent {
	k.t.Helper()
	select {
	case e := <-k.client.events():
		return e
	case <-time.After(cellPatience):
		k.t.Fatalf("no %s within %v; %d questions came", what, cellPatience, k.asked)
		return matrixEvent{}
	}
}

// question waits for the next question. Those that come with error -32042 are
// the same to a person.
func (k *talk) question() *matrixQuestion {
	k.t.Helper()
	for len(k.required) == 0 {
		e := k.next("question")
		switch {
		case e.asked != nil:
			k.asked++
			return e.asked
		case e.ended != nil && e.ended.call == k.number:
			if e.ended.code() != urlRequired {
				k.t.Fatalf("the call ended without a question: %s", describeEnd(*e.ended))
			}
			k.require(e.ended.err.Data)
		}
	}
	q := k.required[0]
	k.required = k.required[1:]
	k.asked++
	return q
}

func (k *talk) require(data json.RawMessage) {
	k.t.Helper()
	var list struct {
		Elicitations []tsParams `json:"elicitations"`
	}
	if err := json.Unmarshal(data, &list); err != nil || len(list.Elicitations) == 0 {
		k.t.Fatalf("-32042 with %s, %v", data, err)
	}
	for _, params := range list.Elicitations {
		k.required = append(k.required, &matrixQuestion{tsParams: params, required: true})
	}
	k.open = len(k.required)
}

// answer answers a question. After the last of -32042 the call is made again.
func (k *talk) answer(q *matrixQuestion, action string, content fields) {
	k.t.Helper()
	if q.n != 0 {
		k.client.answer(k.t, q.n, action, content)
		return
	}
	if action != "accept" {
		k.t.Fatalf("the answer to -32042 is to go there, or nothing")
	}
	if k.open--; k.open == 0 {
		k.call(k.tool, k.arguments)
	}
}

// withdrawn waits until a question was taken back. The call's end may overtake
// that: it is kept.
func (k *talk) withdrawn(q *matrixQuestion) {
	k.t.Helper()
	for {
		e := k.next("withdrawal of the question")
		if e.withdrawn == q.n {
			return
		}
		if e.ended != nil && e.ended.call == k.number {
			k.kept = e.ended
		}
	}
}

// end waits for the end of the call.
func (k *talk) end() matrixEnd {
	k.t.Helper()
	for k.kept == nil || k.kept.call != k.number {
		e := k.next("end of the call")
		switch {
		case e.asked != nil:
			k.t.Fatalf("one question too many: %+v", e.asked.tsParams)
		case e.ended != nil:
			k.kept = e.ended
		}
	}
	return *k.kept
}

func describeEnd(e matrixEnd) string {
	if e.err != nil {
		raw, _ := json.Marshal(e.err)
		return "error " + string(raw)
	}
	raw, _ := json.Marshal(e.tsResult)
	return "result " + string(raw)
}
