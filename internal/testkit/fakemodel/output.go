package fakemodel

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"
)

// output writes one response.
type output struct {
	w     http.ResponseWriter
	r     *http.Request
	reply Reply
	api   API
	sent  int
}

// refused writes the header fields, and an error if the reply is one.
func (o *output) refused() bool {
	maps.Copy(o.w.Header(), o.reply.Header)
	if o.reply.Status < 400 {
		return false
	}
	if !o.wait() {
		return true
	}
	body := o.reply.Body
	if body == "" {
		o.w.Header().Set("Content-Type", "application/json")
		body = o.err()
	}
	o.w.WriteHeader(o.reply.Status)
	fmt.Fprint(o.w, body)
	return true
}

// err is an error in the form of the format.
func (o *output) err() string {
	message := o.reply.Message
	if message == "" {
		message = "fake error " + o.reply.Kind
	}
	if o.api == Anthropic {
		return encode(object{"type": "error", "error": object{"type": o.reply.Kind, "message": message}, "request_id": "req_fake"})
	}
	return encode(object{"error": object{"message": message, "type": o.reply.Kind, "param": nil, "code": o.reply.Kind}})
}

// json writes a response that is not streamed.
func (o *output) json(body any) {
	if !o.wait() {
		return
	}
	o.w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(o.w, encode(body))
}

// event writes one event of a stream, and reports whether another may follow.
func (o *output) event(name, data string) bool {
	frame := "data: " + data + "\n\n"
	if name != "" {
		frame = "event: " + name + "\n" + frame
	}
	return o.frame(frame)
}

func (o *output) frame(frame string) bool {
	switch {
	case !o.wait():
		return false
	case o.reply.Drop > 0 && o.sent == o.reply.Drop:
		panic(http.ErrAbortHandler) // ends the connection without a word
	case o.reply.Cut > 0 && o.sent == o.reply.Cut:
		return false
	case o.reply.Error > 0 && o.sent == o.reply.Error:
		frame = "data: " + o.err() + "\n\n"
		if o.api == Anthropic {
			frame = "event: error\n" + frame
		}
	}
	if o.sent == 0 {
		o.w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		o.w.Header().Set("Cache-Control", "no-cache")
	}
	over := o.reply.Error > 0 && o.sent == o.reply.Error
	o.sent++
	if _, err := fmt.Fprint(o.w, frame); err != nil {
		return false
	}
	return http.NewResponseController(o.w).Flush() == nil && !over
}

// frames writes the events that a rule wrote itself.
func (o *output) frames() {
	for _, e := range o.reply.Events {
		if !o.frame(e) {
			return
		}
	}
}

// wait reports whether the client is still there after the delay.
func (o *output) wait() bool {
	if o.reply.Delay == 0 {
		return true
	}
	timer := time.NewTimer(o.reply.Delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-o.r.Context().Done():
		return false
	}
}

type object = map[string]any

func encode(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // of maps, texts and numbers
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// words splits a text as models stream it.
func words(text string) []string {
	if text == "" {
		return nil
	}
	return strings.SplitAfter(text, " ")
}

// shreds splits arguments anywhere, as models stream them.
func shreds(args string) []string {
	var all []string
	for runes := []rune(args); len(runes) > 0; {
		n := min(5, len(runes))
		all, runes = append(all, string(runes[:n])), runes[n:]
	}
	return all
}
