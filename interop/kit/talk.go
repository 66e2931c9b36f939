package kit

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

// MatrixClient is a client of the matrix: one call at a time.
type MatrixClient interface {
	// call begins a call and returns its number.
	call(t *testing.T, tool string, arguments Fields) int
	// answer answers question n.
	answer(t *testing.T, n int, action string, content Fields)
	// giveUp cancels a call, as a time-out of the client does.
	GiveUp(t *testing.T, call int)
	// events are what happens, in its order.
	events() <-chan matrixEvent
}

// matrixEvent is something that a client saw. One of the pointers is set, or a
// question was withdrawn.
type matrixEvent struct {
	Asked     *MatrixQuestion
	Ended     *MatrixEnd
	withdrawn int // the number of a question
}

// MatrixQuestion is a question as a client saw it.
type MatrixQuestion struct {
	TsParams
	n        int
	Required bool // it came with error -32042
}

// MatrixEnd is how a call ended for its client: with a result or an error.
type MatrixEnd struct {
	TsResult
	call   int
	Err    *TsError
	Schema json.RawMessage // of the form that the model is told of
}

func (e MatrixEnd) Code() int {
	if e.Err == nil {
		return 0
	}
	code, _ := e.Err.Code.(float64)
	return int(code)
}

// Texts are what a result says.
func (e MatrixEnd) Texts() []string {
	all := []string{}
	for _, c := range e.Content {
		all = append(all, c.Text)
	}
	return all
}

// Talk is one cell's use of a client.
type Talk struct {
	T      *testing.T
	Client MatrixClient

	Number    int
	tool      string
	arguments Fields
	Asked     int               // questions that the client saw
	required  []*MatrixQuestion // of the last -32042, not yet shown
	open      int               // of the last -32042, not yet accepted
	kept      *MatrixEnd        // came before it was wanted
}

// NewTalk forgets what came before.
func NewTalk(t *testing.T, client MatrixClient) *Talk {
	t.Helper()
	for {
		select {
		case <-client.events():
			continue
		default:
		}
		return &Talk{T: t, Client: client}
	}
}

func (k *Talk) Call(tool string, arguments Fields) {
	k.T.Helper()
	k.tool, k.arguments = tool, arguments
	k.Number = k.Client.call(k.T, tool, arguments)
}

func (k *Talk) Next(what string) matrixEvent {
	k.T.Helper()
	select {
	case e := <-k.Client.events():
		return e
	case <-time.After(cellPatience):
		k.T.Fatalf("no %s within %v; %d questions came", what, cellPatience, k.Asked)
		return matrixEvent{}
	}
}

// Question waits for the next question. Those that come with error -32042 are
// the same to a person.
func (k *Talk) Question() *MatrixQuestion {
	k.T.Helper()
	for len(k.required) == 0 {
		e := k.Next("question")
		switch {
		case e.Asked != nil:
			k.Asked++
			return e.Asked
		case e.Ended != nil && e.Ended.call == k.Number:
			if e.Ended.Code() != urlRequired {
				k.T.Fatalf("the call ended without a question: %s", DescribeEnd(*e.Ended))
			}
			k.require(e.Ended.Err.Data)
		}
	}
	q := k.required[0]
	k.required = k.required[1:]
	k.Asked++
	return q
}

func (k *Talk) require(data json.RawMessage) {
	k.T.Helper()
	var list struct {
		Elicitations []TsParams `json:"elicitations"`
	}
	if err := json.Unmarshal(data, &list); err != nil || len(list.Elicitations) == 0 {
		k.T.Fatalf("-32042 with %s, %v", data, err)
	}
	for _, params := range list.Elicitations {
		k.required = append(k.required, &MatrixQuestion{TsParams: params, Required: true})
	}
	k.open = len(k.required)
}

// Answer answers a question. After the last of -32042 the call is made again.
func (k *Talk) Answer(q *MatrixQuestion, action string, content Fields) {
	k.T.Helper()
	if q.n != 0 {
		k.Client.answer(k.T, q.n, action, content)
		return
	}
	if action != "accept" {
		k.T.Fatalf("the answer to -32042 is to go there, or nothing")
	}
	if k.open--; k.open == 0 {
		k.Call(k.tool, k.arguments)
	}
}

// Withdrawn waits until a question was taken back. The call's end may overtake
// that: it is kept.
func (k *Talk) Withdrawn(q *MatrixQuestion) {
	k.T.Helper()
	for {
		e := k.Next("withdrawal of the question")
		if e.withdrawn == q.n {
			return
		}
		if e.Ended != nil && e.Ended.call == k.Number {
			k.kept = e.Ended
		}
	}
}

// End waits for the end of the call.
func (k *Talk) End() MatrixEnd {
	k.T.Helper()
	for k.kept == nil || k.kept.call != k.Number {
		e := k.Next("end of the call")
		switch {
		case e.Asked != nil:
			k.T.Fatalf("one question too many: %+v", e.Asked.TsParams)
		case e.Ended != nil:
			k.kept = e.Ended
		}
	}
	return *k.kept
}

func DescribeEnd(e MatrixEnd) string {
	if e.Err != nil {
		raw, _ := json.Marshal(e.Err)
		return "error " + string(raw)
	}
	raw, _ := json.Marshal(e.TsResult)
	return "result " + string(raw)
}
