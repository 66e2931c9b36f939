package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
)

// recorder writes exchanges to a file, each once.
type recorder struct {
	mu   sync.Mutex
	file *os.File
	seen map[string]bool
	open []*exchange // whose responses have not come
}

func newRecorder(name string) (*recorder, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	r := &recorder{file: f, seen: map[string]bool{}}
	earlier, err := readFile(name)
	for _, e := range earlier {
		r.seen[e.fingerprint()] = true
	}
	return r, err
}

func (r *recorder) close() error { return r.file.Close() }

// fingerprint is what makes one exchange another than those before it.
func (e *exchange) fingerprint() string {
	parts := []string{e.request.key("requestState"), e.request.manner()} // which a server seals anew each time
	for _, s := range e.steps {
		if !s.server {
			parts = append(parts, s.message().said())
		}
	}
	return strings.Join(parts, "\n")
}

func (r *recorder) begin(m message, raw []byte) *exchange {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := &exchange{request: m, asked: string(raw)}
	r.open = append(r.open, e)
	return e
}

func (r *recorder) add(e *exchange, s step) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e.steps = append(e.steps, s)
}

// answered adds what a client says to a question to the exchange that has it.
func (r *recorder) answered(m message, raw []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := len(r.open) - 1; i >= 0; i-- {
		for _, s := range r.open[i].steps {
			if asked := s.message(); s.server && asked.isRequest() && bytes.Equal(asked.ID, m.ID) {
				r.open[i].steps = append(r.open[i].steps, step{raw: string(raw)})
				return
			}
		}
	}
}

func (r *recorder) end(e *exchange) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, one := range r.open {
		if one == e {
			r.open = append(r.open[:i], r.open[i+1:]...)
			break
		}
	}
	if e.request.Method == "initialize" && len(e.steps) > 0 && e.steps[len(e.steps)-1].message().Error != nil {
		return // of a client that finds out what a server speaks
	}
	if print := e.fingerprint(); !r.seen[print] {
		r.seen[print] = true
		_, _ = r.file.WriteString(e.text())
	}
}

// program records a program on stdin and stdout. What it says between a call and
// its response belongs to the latest call: clients make one after the other.
func (r *recorder) program(ctx context.Context, command []string) error {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		defer in.Close()
		eachLine(os.Stdin, func(line []byte) {
			switch m := readMessage(line); {
			case m.isRequest():
				r.begin(m, line)
			case m.isAnswer():
				r.answered(m, line)
			}
			_, _ = in.Write(append(line, '\n'))
		})
	}()
	eachLine(out, func(line []byte) {
		r.said(readMessage(line), step{server: true, raw: string(line)})
		_, _ = os.Stdout.Write(append(line, '\n'))
	})
	return cmd.Wait()
}

// said notes what a server says in general.
func (r *recorder) said(m message, s step) {
	var to *exchange
	r.mu.Lock()
	for _, e := range r.open {
		if m.isAnswer() && bytes.Equal(e.request.ID, m.ID) || !m.isAnswer() && e.request.Method == "tools/call" {
			to = e
		}
	}
	r.mu.Unlock()
	if to == nil {
		return
	}
	r.add(to, s)
	if m.isAnswer() {
		r.end(to)
	}
}

func eachLine(from io.Reader, do func([]byte)) {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		do(bytes.Clone(lines.Bytes()))
	}
}

// proxy records a server over HTTP.
func (r *recorder) proxy(url string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return
		}
		to, err := http.NewRequestWithContext(req.Context(), req.Method, url, bytes.NewReader(body))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		to.Header = req.Header.Clone()
		to.Header.Del("Accept-Encoding")
		m := readMessage(body)
		if m.isAnswer() {
			r.answered(m, compact(body))
		}
		var e *exchange
		if m.isRequest() {
			e = r.begin(m, compact(body))
			defer r.end(e)
		}
		answer, err := http.DefaultTransport.RoundTrip(to)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer answer.Body.Close()
		for name, values := range answer.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.StatusCode)
		r.pass(w, answer, e)
	})
}

// pass passes a response on, and writes it down.
func (r *recorder) pass(w http.ResponseWriter, answer *http.Response, e *exchange) {
	kind, _, _ := strings.Cut(answer.Header.Get("Content-Type"), ";")
	if e != nil {
		e.reply = reply{answer.StatusCode, kind, answer.Header.Get("Mcp-Session-Id") != "" && e.request.Method == "initialize"}
	}
	if kind != "text/event-stream" {
		body, _ := io.ReadAll(answer.Body)
		if e != nil {
			r.add(e, step{server: true, raw: string(compact(body))})
		}
		_, _ = w.Write(body)
		return
	}
	_ = http.NewResponseController(w).Flush()
	eachLine(answer.Body, func(line []byte) {
		if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			data = bytes.TrimSpace(data)
			if e != nil {
				r.add(e, step{server: true, raw: string(data)})
			} else if m := readMessage(data); m.Method != "" {
				r.said(m, step{server: true, aside: true, raw: string(data)})
			}
		}
		_, _ = w.Write(append(line, '\n'))
		_ = http.NewResponseController(w).Flush()
	})
}

func compact(raw []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}
