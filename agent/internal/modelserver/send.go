package modelserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/parley-hq/parley/internal/sse"
)

const (
	// mostAttempts is how often a request is made that the server does not take.
	mostAttempts = 3
	// longestRetry is how long a server may ask us to wait before we try again by
	// ourselves: a person waits with us.
	longestRetry = 20 * time.Second
	// mostRefusal is how much is read of what a server says instead of an answer.
	mostRefusal = 64 << 10
)

// Send sends a request, again where that may help, until the server begins to
// answer: then Next has the answer. Its errors are those of Failed; ctx is that of
// Begin.
func (x *Exchange) Send(ctx context.Context, path string, body any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("model server %s: %w", x.server.name, err)
	}
	for attempt := 0; ; attempt++ {
		wait, err := x.attempt(ctx, path, raw)
		if err == nil {
			return nil
		}
		if wait == asItIs || attempt == mostAttempts-1 || ctx.Err() != nil {
			return x.Failed(ctx, err)
		}
		if wait == unsaid {
			wait = pause(attempt)
		}
		x.timer.Stop() // the server may be silent meanwhile
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return x.Failed(ctx, err)
		}
	}
}

// How long to wait before a request is made again, besides what the server says.
const (
	asItIs time.Duration = -1 // it is not made again
	unsaid time.Duration = -2
)

// attempt makes the request once. With an error it returns how long to wait
// before the next one.
func (x *Exchange) attempt(ctx context.Context, path string, body []byte) (time.Duration, error) {
	x.begun, x.fault, x.first, x.lost = false, nil, nil, nil
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, x.server.url+path, bytes.NewReader(body))
	if err != nil {
		return asItIs, err
	}
	r.Header = x.server.header.Clone()
	x.alive()
	answer, err := x.server.client.Do(r)
	if err != nil {
		return afterFailure(err), err
	}
	x.body = &heard{ReadCloser: answer.Body, exchange: x}
	if answer.StatusCode < 300 {
		x.begun = true
		return asItIs, x.open(answer.Header)
	}
	said, _ := io.ReadAll(io.LimitReader(x.body, mostRefusal))
	x.body.Close()
	if answer.StatusCode < 400 {
		return asItIs, errRedirect // without an address, or it would not have come here
	}
	fault := ReadFault(answer.StatusCode, said)
	x.fault = &fault
	return afterRefusal(answer), fmt.Errorf("status %d", answer.StatusCode)
}

// open prepares to read an answer. One that is packed is not unpacked, because
// the server was told so, and has to send every byte that we read.
func (x *Exchange) open(h http.Header) error {
	x.kind = h.Get("Content-Type")
	if packed := h.Get("Content-Encoding"); packed != "" && packed != "identity" {
		return fmt.Errorf("the answer is packed (%q), and nobody asked for that", packed)
	}
	x.events = sse.NewEvents(x.body, mostEvent)
	x.events.Named = true
	return nil
}

// afterFailure says whether a request that got no response is made again. One
// that took too long is not: the next would take as long.
func afterFailure(err error) time.Duration {
	if isRedirect(err) || isTimeout(err) {
		return asItIs
	}
	return unsaid
}

// afterRefusal says when a request that was refused is made again: when the
// server says so, be it by the header that both vendors have, and otherwise where
// the status is one that passes.
func afterRefusal(answer *http.Response) time.Duration {
	again := answer.StatusCode >= 500
	switch answer.StatusCode {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooManyRequests:
		again = true
	}
	switch answer.Header.Get("X-Should-Retry") {
	case "true":
		again = true
	case "false":
		again = false
	}
	wait := retryAfter(answer.Header)
	if !again || wait > longestRetry {
		return asItIs
	}
	return wait
}

// retryAfter is how long the server says to wait.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return seconds(ms / 1000)
	}
	value := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		return seconds(s)
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(at))
	}
	return unsaid
}

func seconds(s float64) time.Duration {
	switch {
	case s > (24 * time.Hour).Seconds():
		return 24 * time.Hour
	case s >= 0:
		return time.Duration(s * float64(time.Second))
	}
	return unsaid // negative, or no number
}

// pause is how long to wait where the server does not say it: not all who were
// refused together come again together.
func pause(attempt int) time.Duration {
	longest := min(8*time.Second, 500*time.Millisecond<<attempt)
	return longest - rand.N(longest/4)
}
