package fakemodel

import (
	"cmp"
	"encoding/json"
)

func (s *Server) writeAnthropic(o *output, r Request) {
	if len(o.reply.Events) > 0 {
		o.frames()
		return
	}
	stop := "end_turn"
	if len(o.reply.Calls) > 0 {
		stop = "tool_use"
	}
	stop = cmp.Or(o.reply.Stop, stop)
	message := object{
		"id": s.id("msg"), "type": "message", "role": "assistant", "model": r.Model, "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": object{"input_tokens": 1, "output_tokens": 1},
	}
	blocks := pieces(o.reply)
	if r.Stream {
		events(o, message, blocks, stop)
		return
	}
	content := []any{}
	for _, b := range blocks {
		content = append(content, b.whole)
	}
	message["content"], message["stop_reason"] = content, stop
	o.json(message)
}

// events is the answer as a stream.
func events(o *output, message object, blocks []piece, stop string) {
	ok := true
	send := func(data object) {
		if ok {
			ok = o.event(data["type"].(string), encode(data))
		}
	}
	send(object{"type": "message_start", "message": message})
	for i, b := range blocks {
		send(object{"type": "content_block_start", "index": i, "content_block": b.start})
		if i == 0 {
			send(object{"type": "ping"})
		}
		for _, delta := range b.deltas {
			send(object{"type": "content_block_delta", "index": i, "delta": delta})
		}
		send(object{"type": "content_block_stop", "index": i})
	}
	send(object{
		"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil},
		"usage": object{"output_tokens": 1},
	})
	send(object{"type": "message_stop"})
}

// piece is a block of content: as it begins, what is added, and in the end.
type piece struct {
	start, whole object
	deltas       []object
}

func pieces(reply Reply) []piece {
	var all []piece
	if reply.Thinking != "" {
		p := piece{
			start: object{"type": "thinking", "thinking": "", "signature": ""},
			whole: object{"type": "thinking", "thinking": reply.Thinking, "signature": Signature(reply.Thinking)},
		}
		for _, word := range words(reply.Thinking) {
			p.deltas = append(p.deltas, object{"type": "thinking_delta", "thinking": word})
		}
		p.deltas = append(p.deltas, object{"type": "signature_delta", "signature": Signature(reply.Thinking)})
		all = append(all, p)
	}
	if reply.Text != "" {
		p := piece{start: object{"type": "text", "text": ""}, whole: object{"type": "text", "text": reply.Text}}
		for _, word := range words(reply.Text) {
			p.deltas = append(p.deltas, object{"type": "text_delta", "text": word})
		}
		all = append(all, p)
	}
	for _, c := range reply.Calls {
		p := piece{
			start: object{"type": "tool_use", "id": c.ID, "name": c.Tool, "input": object{}},
			whole: object{"type": "tool_use", "id": c.ID, "name": c.Tool, "input": object{}},
		}
		if json.Valid([]byte(c.Args)) {
			p.whole["input"] = json.RawMessage(c.Args)
		}
		p.deltas = append(p.deltas, object{"type": "input_json_delta", "partial_json": ""})
		for _, shred := range shreds(c.Args) {
			p.deltas = append(p.deltas, object{"type": "input_json_delta", "partial_json": shred})
		}
		all = append(all, p)
	}
	return all
}
