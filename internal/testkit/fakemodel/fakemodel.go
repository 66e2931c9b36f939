// Package fakemodel is a fake of model servers, for tests and examples: it answers
// by rule, in OpenAI's chat completions and in Anthropic's messages, streamed and
// not. There is no model in it.
//
// A [Rule] turns a [Request] into a [Reply]. The [Server] writes the reply in the
// format it was asked in, with the events and the framing that the vendors
// document, and refuses requests that they refuse: calls without results, blank
// texts, thoughts that were changed. A reply can also be an error, a slow stream,
// or one that breaks off. What came is kept in [Server.Requests].
//
//	fake := fakemodel.New(func(r fakemodel.Request) fakemodel.Reply {
//		return fakemodel.Reply{Text: "You said: " + r.Last().Text}
//	}, nil)
//	server := httptest.NewServer(fake) // base URLs: server.URL+"/v1" and server.URL
//
// A Server is safe for concurrent use; so must be its rule.
package fakemodel

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// API is the format of a request.
type API string

// The formats.
const (
	OpenAI    API = "openai"
	Anthropic API = "anthropic"
)

// Rule decides what is answered.
type Rule func(Request) Reply

// Request is what a client asked.
type Request struct {
	API      API
	Model    string
	System   string
	Messages []Message
	Tools    []string // their names
	Stream   bool
	Header   http.Header
	Body     json.RawMessage // as it came
}

// Last returns the last message.
func (r Request) Last() Message { return r.Messages[len(r.Messages)-1] }

// Message is one message of a request.
type Message struct {
	Role    string // user, assistant or tool
	Text    string
	Calls   []Call
	Results []Result
	Images  []string // as data URLs; of the user's messages, in OpenAI's format
}

// Call is a call of a tool.
type Call struct {
	ID   string // default in a reply: a new one
	Tool string
	Args string // JSON; in a reply it is sent as it is, be it JSON or not
}

// Result is what a client says became of a call.
type Result struct {
	CallID string
	Text   string
	Failed bool     // Anthropic's format alone says so
	Images []string // as data URLs; in Anthropic's format
}

// Reply is what a server answers.
type Reply struct {
	Thinking string // comes first; signed in Anthropic's format, reasoning_content in OpenAI's
	Text     string
	Refusal  string // OpenAI's format
	Calls    []Call
	Stop     string // default: what goes with the rest, in the format's own word

	Status  int    // from 400 on: an error instead
	Kind    string // of the error, also of one in the middle of a stream
	Message string // of the error; default: one that names the kind
	Header  http.Header
	Body    string // default: the error in the format's own form

	Delay time.Duration // before each event, the first included
	// Of a stream, after so many events; default: never.
	Drop  int // the connection is lost
	Cut   int // the response ends as if it were complete
	Error int // an error event comes
	// Events are sent as they are instead of all this, each with its framing.
	Events []string
}

// Options say what the server insists on.
type Options struct {
	Key string // default: every key is good, and none
}

// Server answers by rule.
type Server struct {
	rule Rule
	opts Options

	mu       sync.Mutex
	requests []Request
	made     int // ids
}

// New returns a server; nil options mean the defaults.
func New(rule Rule, opts *Options) *Server {
	s := &Server{rule: rule}
	if opts != nil {
		s.opts = *opts
	}
	return s
}

// Requests returns what came, the refused included, the oldest first.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

func (s *Server) id(prefix string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made++
	return fmt.Sprintf("%s_fake_%d", prefix, s.made)
}

// ServeHTTP answers POST requests whose path ends as those of the vendors do.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	req := Request{Header: r.Header.Clone()}
	switch {
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/chat/completions"):
		req.API = OpenAI
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/v1/messages"):
		req.API = Anthropic
	default:
		http.NotFound(w, r)
		return
	}
	var err error
	if req.Body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, 32<<20)); err != nil {
		return
	}
	out := &output{w: w, r: r, api: req.API, reply: s.reply(&req)}
	if out.refused() {
		return
	}
	if req.API == OpenAI {
		s.writeOpenAI(out, req)
	} else {
		s.writeAnthropic(out, req)
	}
}

// reply reads the request and keeps it, and decides what is answered.
func (s *Server) reply(req *Request) Reply {
	parse, key, prefix := parseOpenAI, strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer "), "call"
	if req.API == Anthropic {
		parse, key, prefix = parseAnthropic, req.Header.Get("X-Api-Key"), "toolu"
	}
	err := parse(req)
	s.mu.Lock()
	s.requests = append(s.requests, *req)
	s.mu.Unlock()
	if s.opts.Key != "" && key != s.opts.Key {
		// The vendors show a part of it.
		return Reply{Status: http.StatusUnauthorized, Kind: "authentication_error", Message: "not the key: " + key}
	}
	if err != nil {
		return Reply{Status: http.StatusBadRequest, Kind: "invalid_request_error", Message: err.Error()}
	}
	reply := s.rule(*req)
	reply.Calls = slices.Clone(reply.Calls)
	for i := range reply.Calls {
		if reply.Calls[i].ID == "" {
			reply.Calls[i].ID = s.id(prefix)
		}
	}
	return reply
}
