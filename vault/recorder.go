package vault

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"github.com/parley-hq/parley/outbound"
)

const (
	maxDocument  = 1 << 20
	maxRedirects = 5
)

// recorder is the transport of one discovery. It remembers how the last request
// ended, which the SDK's functions do not tell, and what was at each URL, so
// that a document is fetched once however often it is looked at. It is used by
// one goroutine.
type recorder struct {
	base  http.RoundTripper // nil: net/http's
	pages map[string]page
	last  page // zero: nothing was sent
}

// page is an answer, or why there was none.
type page struct {
	status int
	header http.Header
	body   []byte
	err    error
}

// client returns a client over r that is otherwise like c. Where requests may
// go, and be sent on to, is decided by the transport below.
func (r *recorder) client(c *http.Client) *http.Client {
	own := &http.Client{Transport: r, Timeout: c.Timeout, CheckRedirect: c.CheckRedirect}
	if own.CheckRedirect == nil {
		own.CheckRedirect = func(_ *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects {
				return fmt.Errorf("more than %d redirects", maxRedirects)
			}
			return nil
		}
	}
	return own
}

// RoundTrip implements http.RoundTripper.
func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	at := request.URL.String()
	answer, known := r.pages[at]
	if !known || request.Method != http.MethodGet {
		answer = r.send(request)
	}
	if request.Method == http.MethodGet {
		if r.pages == nil {
			r.pages = map[string]page{}
		}
		r.pages[at] = answer
	}
	r.last = answer
	if answer.err != nil {
		return nil, answer.err
	}
	return &http.Response{
		Status: fmt.Sprintf("%d %s", answer.status, http.StatusText(answer.status)), StatusCode: answer.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: answer.header, Request: request,
		Body: io.NopCloser(bytes.NewReader(answer.body)), ContentLength: int64(len(answer.body)),
	}, nil
}

func (r *recorder) send(request *http.Request) page {
	answer, err := cmp.Or[http.RoundTripper](r.base, http.DefaultTransport).RoundTrip(request)
	if err != nil {
		return page{err: err}
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxDocument+1))
	if err == nil && len(body) > maxDocument {
		err = outbound.ErrTooLarge
	}
	if err != nil {
		return page{err: err}
	}
	return page{status: answer.StatusCode, header: answer.Header, body: body}
}

// problem says why a function of the SDK that asked at url failed with err;
// start is to be called before.
func (r *recorder) problem(url string, err error) *Problem {
	p := &Problem{URL: shown(url)}
	switch last := r.last; {
	case last.err != nil:
		p.cause, p.Reason = last.err, "cannot be reached: "+shortened(last.err.Error())
		p.temporary = !errors.Is(last.err, outbound.ErrForbidden) && !errors.Is(last.err, outbound.ErrTooLarge)
		if !p.temporary {
			p.Reason = shortened(last.err.Error())
		}
	case last.status != 0 && last.status != http.StatusOK:
		p.Reason = fmt.Sprintf("status %d", last.status)
		p.temporary = passing(last.status)
		p.absent = !p.temporary
	case last.status == http.StatusOK && !isJSON(last.header):
		p.Reason, p.absent = "not a JSON document", true
	case err != nil:
		p.Reason = shortened(err.Error())
	}
	return p
}

// start forgets the last answer, so that it is not taken for that to a request
// which was never sent.
func (r *recorder) start() { r.last = page{} }

// passing are the statuses that another try may mend.
func passing(status int) bool {
	return status >= 500 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout
}

func isJSON(h http.Header) bool {
	media, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	return err == nil && media == "application/json"
}
