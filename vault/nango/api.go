package nango

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"
)

// What Nango says of a connection, for use in this package.
var (
	errGone    = errors.New("no such connection at Nango")
	errInvalid = errors.New("credentials that Nango can neither use nor refresh")
)

const (
	attemptTime = 15 * time.Second // one request
	maxAnswer   = 1 << 20
	maxPause    = 3 * time.Second // a longer Retry-After is not waited for
)

// pauses are how long a failing request rests before it is sent again.
var pauses = []time.Duration{200 * time.Millisecond, 600 * time.Millisecond}

// call is a request to Nango's API.
type call struct {
	method string
	path   string // escaped
	query  url.Values
	body   any // nil: none
}

// do sends a call, again if it fails in passing, and decodes the answer. All
// calls may be repeated: a connect session too many expires, and a connection
// that was deleted twice is gone.
func (s *Source) do(ctx context.Context, c call, into any) error {
	for attempt := 0; ; attempt++ {
		after, err := s.once(ctx, c, into)
		if err == nil || !errors.Is(err, ErrUnavailable) || attempt == len(pauses) || after > maxPause {
			return err
		}
		pause := time.NewTimer(max(pauses[attempt], after))
		select {
		case <-ctx.Done():
			pause.Stop()
			return ctx.Err()
		case <-pause.C:
		}
	}
}

// once sends a call. after is how long Nango asks to wait.
func (s *Source) once(ctx context.Context, c call, into any) (after time.Duration, err error) {
	attempt, stop := context.WithTimeout(ctx, attemptTime)
	defer stop()
	r, err := s.request(attempt, c)
	if err != nil {
		return 0, err
	}
	answer, err := s.client.Do(r)
	if err == nil {
		defer answer.Body.Close()
		var body []byte
		if body, err = io.ReadAll(io.LimitReader(answer.Body, maxAnswer)); err == nil {
			return retryAfter(answer), understand(answer.StatusCode, body, into)
		}
	}
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	return 0, fmt.Errorf("%w: %w", ErrUnavailable, bare(err))
}

func (s *Source) request(ctx context.Context, c call) (*http.Request, error) {
	var body io.Reader
	if c.body != nil {
		data, err := json.Marshal(c.body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(data)
	}
	to := s.opts.BaseURL + c.path
	if len(c.query) > 0 {
		to += "?" + c.query.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, c.method, to, body)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRefused, bare(err))
	}
	r.Header.Set("Authorization", "Bearer "+s.opts.APIKey)
	r.Header.Set("Accept", "application/json")
	if c.body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r, nil
}

// bare takes the URL off an error: its query names people.
func bare(err error) error {
	var web *url.Error
	if errors.As(err, &web) {
		return web.Err
	}
	return err
}

// understand turns an answer into a value or an error. The error repeats
// nothing of the body but the code.
func understand(status int, body []byte, into any) error {
	if status == http.StatusOK || status == http.StatusCreated {
		if json.Unmarshal(body, into) != nil {
			return fmt.Errorf("%w: its answer cannot be read", ErrRefused)
		}
		return nil
	}
	var failure struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	_ = json.Unmarshal(body, &failure) // a proxy's error page has no code
	code := failure.Error.Code
	if !codeForm.MatchString(code) {
		code = "unknown"
	}
	return fmt.Errorf("%w (status %d, %s)", meaning(status, code), status, code)
}

var codeForm = regexp.MustCompile(`^[a-z0-9_]{1,60}$`)

// meaning looks at the code before the status: a connection whose provider
// answered a test with 401 is reported with that status, and a 404 without
// Nango's own code is some other server's.
func meaning(status int, code string) error {
	switch {
	case status >= 500 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout:
		return ErrUnavailable
	case code == "invalid_credentials":
		return errInvalid
	case code == "not_found" || code == "unknown_connection":
		return errGone
	case code == "unknown_provider_config":
		return ErrIntegration
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return ErrAPIKey
	}
	return ErrRefused
}

func retryAfter(answer *http.Response) time.Duration {
	seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
