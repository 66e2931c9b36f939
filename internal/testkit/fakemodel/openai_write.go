package fakemodel

import "cmp"

func (s *Server) writeOpenAI(o *output, r Request) {
	if len(o.reply.Events) > 0 {
		o.frames()
		return
	}
	stop := "stop"
	if len(o.reply.Calls) > 0 {
		stop = "tool_calls"
	}
	stop = cmp.Or(o.reply.Stop, stop)
	if !r.Stream {
		o.json(s.completion(o.reply, r, stop))
		return
	}
	s.chunks(o, r, stop)
}

// completion is the answer in one piece.
func (s *Server) completion(reply Reply, r Request, stop string) object {
	message := object{"role": "assistant", "content": nullable(reply.Text), "refusal": nullable(reply.Refusal)}
	if reply.Thinking != "" {
		message["reasoning_content"] = reply.Thinking
	}
	var calls []any
	for _, c := range reply.Calls {
		calls = append(calls, object{"id": c.ID, "type": "function", "function": object{"name": c.Tool, "arguments": c.Args}})
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	return object{
		"id": s.id("chatcmpl"), "object": "chat.completion", "created": created, "model": r.Model,
		"choices": []any{object{"index": 0, "message": message, "logprobs": nil, "finish_reason": stop}},
		"usage":   object{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
	}
}

// chunks is the answer as a stream.
func (s *Server) chunks(o *output, r Request, stop string) {
	id := s.id("chatcmpl")
	send := func(delta object, finish any) bool {
		return o.event("", encode(object{
			"id": id, "object": "chat.completion.chunk", "created": created, "model": r.Model, "system_fingerprint": "fp_fake",
			"choices": []any{object{"index": 0, "delta": delta, "logprobs": nil, "finish_reason": finish}},
		}))
	}
	for _, delta := range deltas(o.reply) {
		if !send(delta, nil) {
			return
		}
	}
	if send(object{}, stop) {
		o.event("", "[DONE]")
	}
}

// deltas are the pieces of a message: its role first, and each call's name ahead
// of its arguments.
func deltas(reply Reply) []object {
	first := object{"role": "assistant", "content": "", "refusal": nil}
	if reply.Text == "" && len(reply.Calls) > 0 {
		first["content"] = nil
	}
	all := []object{first}
	for _, piece := range words(reply.Thinking) {
		all = append(all, object{"reasoning_content": piece})
	}
	for _, piece := range words(reply.Text) {
		all = append(all, object{"content": piece})
	}
	for _, piece := range words(reply.Refusal) {
		all = append(all, object{"refusal": piece})
	}
	for i, c := range reply.Calls {
		all = append(all, object{"tool_calls": []any{object{
			"index": i, "id": c.ID, "type": "function", "function": object{"name": c.Tool, "arguments": ""},
		}}})
		for _, piece := range shreds(c.Args) {
			all = append(all, object{"tool_calls": []any{object{"index": i, "function": object{"arguments": piece}}}})
		}
	}
	return all
}

func nullable(text string) any {
	if text == "" {
		return nil
	}
	return text
}
