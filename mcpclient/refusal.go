package mcpclient

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// maxRefusal is how much of a refusal's body is read.
const maxRefusal = 64 << 10

// refusal is a response that is none to what was sent.
type refusal struct {
	status *StatusError
	rpc    *reply // its body, if that is an error of JSON-RPC; otherwise nil
	gone   bool   // the server does not know the session
}

func (r *refusal) err() error {
	if r.gone {
		return fmt.Errorf("%w: %w", ErrSessionGone, r.status)
	}
	return r.status
}

// mayAnswer reports whether the error in the body is the response: 401 and 403 are
// about the credential, and beyond 4xx it may be of somebody in between.
func (r *refusal) mayAnswer() bool {
	return r.status.Code/100 == 4 && r.status.Code != http.StatusUnauthorized && r.status.Code != http.StatusForbidden
}

// read returns the messages of a response, or how it refuses.
func (e *endpoint) read(resp *http.Response, head *heading) (*reply, *refusal, error) {
	switch code := resp.StatusCode; {
	case code == http.StatusOK:
		stream, err := newReply(resp, e.limit)
		return stream, nil, err
	case code/100 == 2:
		_ = resp.Body.Close()
		return nil, nil, fmt.Errorf("%w: status %d answers nothing", ErrProtocol, code)
	}
	defer resp.Body.Close()
	refused := &refusal{status: &StatusError{
		Code: resp.StatusCode, WWWAuthenticate: resp.Header.Values("Www-Authenticate"), Location: resp.Header.Get("Location"),
	}}
	if resp.StatusCode == http.StatusUnauthorized {
		return nil, refused, nil
	}
	b, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefusal)) // what is no JSON-RPC is only a status
	m, err := Envelope(b)
	if err == nil && m.Error != nil {
		refused.rpc = &reply{body: io.NopCloser(bytes.NewReader(b)), length: int64(len(b)), limit: maxRefusal}
	}
	refused.gone = head.session != nil && lost(resp.StatusCode, m)
	return nil, refused, nil
}

// lost reports whether a refusal means that the session is gone. The
// specification has 404 for it; servers after the example of the TypeScript SDK
// say 400, an error without an id, and the word.
func lost(code int, m Message) bool {
	return code == http.StatusNotFound ||
		code == http.StatusBadRequest && m.Error != nil && string(m.ID) == "null" && m.Error.Code == codeServer && strings.Contains(strings.ToLower(m.Error.Message), "session")
}

// taken reports whether the server took what has no answer. accept reads a
// response that refuses.
func taken(resp *http.Response, accept func(*http.Response) (*reply, error)) error {
	if resp.StatusCode/100 == 2 {
		if resp.ContentLength > 0 { // not a stream, which may have no end
			_, _ = io.CopyN(io.Discard, resp.Body, maxRefusal)
		}
		return resp.Body.Close()
	}
	r, err := accept(resp)
	if err != nil {
		return err
	}
	defer r.close()
	m, err := r.next()
	if err != nil {
		return err
	}
	return m.Error
}
