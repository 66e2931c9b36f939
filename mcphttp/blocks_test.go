package mcphttp

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

// block is one comment or one message of an event stream.
type block struct {
	comment string
	message struct {
		ID     any
		Method string
		Result json.RawMessage
		Error  *struct {
			Code    int
			Message string
		}
	}
}

// blockReader reads an event stream and accepts nothing but whole comments and
// whole messages.
type blockReader struct {
	t  *testing.T
	in *bufio.Reader
}

func (r *blockReader) line() (string, bool) {
	line, err := r.in.ReadString('\n')
	if errors.Is(err, io.EOF) && line == "" {
		return "", false
	}
	if err != nil {
		r.t.Fatalf("the stream broke after %q: %v", line, err)
	}
	return strings.TrimSuffix(line, "\n"), true
}

// next returns the next block, or false at the end of the stream.
func (r *blockReader) next() (b block, ok bool) {
	r.t.Helper()
	first, ok := r.line()
	if !ok {
		return b, false
	}
	if strings.HasPrefix(first, ": ") {
		b.comment = first
	} else {
		if first != "event: message" {
			r.t.Fatalf("an event begins with %q", first)
		}
		data, _ := r.line()
		raw, found := strings.CutPrefix(data, "data: ")
		if err := json.Unmarshal([]byte(raw), &b.message); !found || err != nil {
			r.t.Fatalf("the data of an event is %q: %v", data, err)
		}
	}
	if end, _ := r.line(); end != "" {
		r.t.Fatalf("%q goes on with %q", first, end)
	}
	return b, true
}

// comments reads n comments and nothing else.
func (r *blockReader) comments(n int) {
	r.t.Helper()
	for range n {
		if b, ok := r.next(); !ok || b.comment != ": waiting" {
			r.t.Fatalf("got %+v, %v; want a comment", b, ok)
		}
	}
}

// messageAfterComments skips comments.
func (r *blockReader) messageAfterComments() block {
	r.t.Helper()
	for {
		b, ok := r.next()
		if !ok {
			r.t.Fatal("the stream ended")
		}
		if b.comment == "" {
			return b
		}
	}
}

// end expects no message any more. A comment may slip in before the handler
// returns; that none does afterwards is TestSilenceIsFilledWithComments.
func (r *blockReader) end() {
	r.t.Helper()
	for b, ok := r.next(); ok; b, ok = r.next() {
		if b.comment == "" {
			r.t.Fatalf("got %+v, want the end", b)
		}
	}
}

func streamOf(t *testing.T, res *http.Response) *blockReader {
	t.Helper()
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != eventStream || res.Header.Get("X-Accel-Buffering") != "no" {
		t.Fatalf("no event stream: %d %v", res.StatusCode, res.Header)
	}
	return &blockReader{t, bufio.NewReader(res.Body)}
}
