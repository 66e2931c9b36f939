package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"sync"
)

// pipe serves on stdin and stdout until stdin ends.
func (p *player) pipe(in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(context.Background())
	var mu sync.Mutex
	var calls sync.WaitGroup
	send := func(m message) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = out.Write(append(encode(m), '\n'))
	}
	eachLine(in, func(line []byte) {
		switch m := readMessage(line); {
		case m.isRequest():
			calls.Go(func() { p.play(ctx, "", m, send) })
		case m.isAnswer():
			p.answer(m)
		}
	})
	cancel()
	calls.Wait()
	return nil
}

const sessionHeader = "Mcp-Session-Id"

// ServeHTTP implements http.Handler.
func (p *player) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodGet && r.Header.Get(sessionHeader) != "":
		p.listen(w, r)
		return
	case r.Method == http.MethodDelete:
		return
	case r.Method != http.MethodPost:
		http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 16<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	m := readMessage(body)
	if !m.isRequest() {
		if m.isAnswer() {
			p.answer(m)
		}
		w.WriteHeader(http.StatusAccepted)
		return
	}
	p.respond(w, r, m)
}

// listen is the stream that belongs to no call.
func (p *player) listen(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	_ = http.NewResponseController(w).Flush()
	said := p.aside(r.Header.Get(sessionHeader))
	for {
		select {
		case out := <-said:
			_, _ = fmt.Fprintf(w, "event: message\r\ndata: %s\r\n\r\n", encode(out))
			_ = http.NewResponseController(w).Flush()
		case <-r.Context().Done():
			return
		}
	}
}

// respond answers a request as the server did: in a stream or not.
func (p *player) respond(w http.ResponseWriter, r *http.Request, m message) {
	how := reply{status: http.StatusOK, kind: "application/json"}
	primed := false
	if all := p.find(m); len(all) > 0 {
		how = all[0].reply
		primed = len(all[0].steps) > 0 && all[0].steps[0].raw == ""
	}
	if how.session {
		w.Header().Set(sessionHeader, rand.Text())
	}
	w.Header().Set("Content-Type", how.kind)
	w.WriteHeader(how.status)
	stream := how.kind == "text/event-stream"
	events := 0
	if primed {
		events++
		_, _ = io.WriteString(w, "id: 1\r\ndata: \r\nretry: 100\r\n\r\n")
	}
	if stream {
		_ = http.NewResponseController(w).Flush()
	}
	p.play(r.Context(), r.Header.Get(sessionHeader), m, func(out message) {
		if !stream {
			_, _ = w.Write(encode(out))
			return
		}
		if events++; primed {
			_, _ = fmt.Fprintf(w, "id: %d\r\n", events)
		}
		_, _ = fmt.Fprintf(w, "event: message\r\ndata: %s\r\n\r\n", encode(out))
		_ = http.NewResponseController(w).Flush()
	})
}
