package a2a

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// lateHeader makes an error of a REST stream that is nothing but an error. The transports
// begin a stream before they know whether there is one, and clients of REST take an error
// within it for an event without content. Those of JSON-RPC expect it there.
type lateHeader struct {
	http.ResponseWriter
	rest    bool   // not JSON-RPC
	accepts string // the client's

	status int          // of a stream whose header is kept back; 0: none is
	begun  bool         // the header is out
	first  bytes.Buffer // what was written to it so far
}

// Unwrap is for http.ResponseController.
func (l *lateHeader) Unwrap() http.ResponseWriter { return l.ResponseWriter }

func (l *lateHeader) WriteHeader(status int) {
	h := l.Header()
	if strings.HasPrefix(h.Get("Content-Type"), "text/event-stream") && l.rest && !l.begun {
		l.status = status
		return
	}
	l.begin(status)
}

func (l *lateHeader) begin(status int) {
	if l.begun {
		return
	}
	l.begun = true
	h := l.Header()
	if h.Get("Content-Type") == "application/problem+json" { // of 0.3, whose clients do not read it, and it is none
		h.Set("Content-Type", "application/json")
	}
	if l.rest && h.Get("Content-Type") == "application/json" && strings.Contains(l.accepts, restType) {
		h.Set("Content-Type", restType)
	}
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	h.Set("X-Content-Type-Options", "nosniff")
	l.ResponseWriter.WriteHeader(status)
}

// restType is the media type of REST since 1.0.1, for clients that name it.
const restType = "application/a2a+json"

// writeWait is how long a client may take to receive something before it counts as gone. It
// replaces the server's own limit, which would end every stream.
const writeWait = 30 * time.Second

func (l *lateHeader) Write(b []byte) (int, error) {
	_ = http.NewResponseController(l.ResponseWriter).SetWriteDeadline(time.Now().Add(writeWait)) // where that is not possible, the server's limit holds
	if l.begun {
		return l.ResponseWriter.Write(b)
	}
	if l.status == 0 {
		l.begin(http.StatusOK)
		return l.ResponseWriter.Write(b)
	}
	return l.first.Write(b)
}

// Flush implements http.Flusher: the first event is complete.
func (l *lateHeader) Flush() {
	if l.status != 0 && !l.begun {
		if l.fail() {
			return
		}
		l.begin(l.status)
		_, _ = l.ResponseWriter.Write(l.first.Bytes())
	}
	if l.begun {
		_ = http.NewResponseController(l.ResponseWriter).Flush()
	}
}

// fail answers with the error that is the first event, if it is one.
func (l *lateHeader) fail() bool {
	_, after, found := bytes.Cut(l.first.Bytes(), []byte("data: "))
	var said struct {
		Error *struct {
			Code int `json:"code"`
		} `json:"error"`
	}
	body := bytes.TrimSpace(after)
	if !found || json.Unmarshal(body, &said) != nil || said.Error == nil {
		return false
	}
	status := said.Error.Code // that of HTTP
	if status < 400 || status >= 600 {
		status = http.StatusInternalServerError
	}
	h := l.Header()
	h.Set("Content-Type", "application/json")
	for _, name := range []string{"Connection", "X-Accel-Buffering"} {
		h.Del(name)
	}
	h.Set("Cache-Control", "no-store")
	l.begin(status)
	_, _ = l.ResponseWriter.Write(append(body, '\n'))
	return true
}

// finish sends what was kept back of a stream that ended without an event.
func (l *lateHeader) finish() {
	if l.status != 0 && !l.begun {
		l.begin(l.status)
		_, _ = l.ResponseWriter.Write(l.first.Bytes())
	}
}
