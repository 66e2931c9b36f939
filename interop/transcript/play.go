package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"
)

// pace is the time before a message. A client in JavaScript loses the progress that
// it reads together with the response.
const pace = 5 * time.Millisecond

// player says what was recorded.
type player struct {
	recorded map[string][]*exchange

	mu      sync.Mutex
	asked   int
	waiting map[string]chan message // for the answers to questions, by their ids
	asides  map[string]chan message // for the streams that belong to no call, by session
}

func newPlayer(all []*exchange) *player {
	p := &player{recorded: map[string][]*exchange{}, waiting: map[string]chan message{}, asides: map[string]chan message{}}
	for _, e := range all {
		p.recorded[e.request.key()] = append(p.recorded[e.request.key()], e)
	}
	return p
}

func (p *player) aside(session string) chan message {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asides[session] == nil {
		p.asides[session] = make(chan message)
	}
	return p.asides[session]
}

// find returns what was recorded of a request, the best first: the same one made
// in the same manner.
func (p *player) find(m message) []*exchange {
	var same, others []*exchange
	for _, e := range p.recorded[m.key()] {
		if e.request.manner() == m.manner() {
			same = append(same, e)
		} else {
			others = append(others, e)
		}
	}
	return append(same, others...)
}

func unrecorded(m message, what string) message {
	text := canonical(fmt.Sprintf("the transcript has no %s: %.300s", what, m.key()))
	return message{Version: "2.0", ID: m.ID, Error: json.RawMessage(`{"code":-32603,"message":` + text + `}`)}
}

// play answers a request of a session. It returns when that is done, or ctx ends.
func (p *player) play(ctx context.Context, session string, m message, send func(message)) {
	say := func(s step, out message) {
		time.Sleep(pace)
		if !s.aside {
			send(out)
			return
		}
		select {
		case p.aside(session) <- out:
		case <-ctx.Done():
		}
	}
	all := p.find(m)
	if len(all) == 0 {
		send(unrecorded(m, "such request"))
		return
	}
	e := all[0]
	var answer chan message
	over := false
	for i := 0; i < len(e.steps); i++ {
		if !e.steps[i].server {
			var said message
			select {
			case said = <-answer:
			case <-ctx.Done():
				return
			}
			if e = branch(all, i, said); e == nil {
				send(unrecorded(m, "answer "+said.said()+" to a question of"))
				return
			}
			continue
		}
		out := e.steps[i].message()
		if out.isRequest() {
			out, answer = p.ask(out)
		}
		over = over || out.isAnswer()
		if out.Version != "" {
			say(e.steps[i], adapted(out, e.request, m))
		}
	}
	if !over {
		<-ctx.Done() // a stream that stays open
	}
}

// branch is the exchange in which a client said this at this point.
func branch(all []*exchange, at int, said message) *exchange {
	for _, e := range all {
		if at < len(e.steps) && !e.steps[at].server && e.steps[at].message().said() == said.said() {
			return e
		}
	}
	return nil
}

// ask gives a question an id of its own.
func (p *player) ask(question message) (message, chan message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked++
	id := strconv.Itoa(1000 + p.asked)
	question.ID = json.RawMessage(id)
	p.waiting[id] = make(chan message, 1)
	return question, p.waiting[id]
}

// answer takes what a client says to a question.
func (p *player) answer(m message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.waiting[string(m.ID)]; c != nil {
		delete(p.waiting, string(m.ID))
		c <- m
	}
}

// adapted is a message with the ids of the request that it belongs to instead of
// those of the one that was recorded.
func adapted(out, then, now message) message {
	if out.isAnswer() {
		out.ID = now.ID
		return out
	}
	var params map[string]json.RawMessage
	if out.isRequest() || json.Unmarshal(out.Params, &params) != nil {
		return out
	}
	if token := now.meta().Progress; params["progressToken"] != nil && token != nil {
		params["progressToken"] = token
	}
	var about map[string]json.RawMessage
	const subscription = "io.modelcontextprotocol/subscriptionId"
	if json.Unmarshal(params["_meta"], &about) == nil && bytes.Equal(about[subscription], then.ID) {
		about[subscription] = now.ID
		params["_meta"] = encode(about)
	}
	out.Params = encode(params)
	return out
}

// encode writes a value as it was read.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return []byte("null")
	}
	return bytes.TrimSpace(b.Bytes())
}
