package slackapp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley/internal/patience"
)

// Slack counts calls by method, and messages by channel too. What it says to one caller
// (429, Retry-After) holds for all of this process.
const (
	longestWait  = time.Minute      // for callers without a deadline
	usualPause   = time.Second      // for a 429 that does not say how long
	longestPause = 10 * time.Minute // that Slack is believed
	sideBySide   = 8                // calls of one method that are made at once, where no channel is named
)

// lane is what Slack counts together.
type lane struct {
	token           [sha256.Size]byte
	method, channel string
}

// queue are the calls of a lane that are made here.
type queue struct {
	callers int
	free    chan struct{} // a place for each that may be under way
	until   time.Time     // no call before
}

// pace makes calls when Slack takes them. It is the HTTP client of every client of
// Slack's.
type pace struct {
	client *http.Client

	mu    sync.Mutex
	lanes map[lane]*queue
}

// newPace follows no redirects: what is sent has tokens in it.
func newPace(client *http.Client) *pace {
	direct := *client
	direct.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &pace{client: &direct, lanes: map[lane]*queue{}}
}

// Do makes a call once its lane is free. Where the request's context ends before Slack
// takes the call it fails with a slack.RateLimitedError that says when it would.
func (p *pace) Do(req *http.Request) (*http.Response, error) {
	at, err := laneOf(req)
	if err != nil {
		return nil, err
	}
	q := p.enter(at)
	defer p.leave(at, q)
	ctx, stop := req.Context(), context.CancelFunc(func() {})
	if _, ok := ctx.Deadline(); !ok {
		ctx, stop = context.WithTimeout(ctx, longestWait)
	}
	defer stop()
	select {
	case q.free <- struct{}{}:
		defer func() { <-q.free }()
	case <-ctx.Done():
		return nil, p.refusal(ctx, q)
	}
	for {
		if err := p.wait(ctx, q); err != nil {
			return nil, err
		}
		res, err := p.client.Do(req)
		if err == nil && res.StatusCode == http.StatusOK {
			return heard(at.method, res)
		}
		if err != nil || res.StatusCode != http.StatusTooManyRequests {
			return res, err
		}
		p.close(q, res)
		if req.GetBody != nil {
			if req.Body, err = req.GetBody(); err != nil {
				return nil, err
			}
		}
	}
}

// wait returns when a lane is open, or at once if ctx ends before that.
func (p *pace) wait(ctx context.Context, q *queue) error {
	for {
		p.mu.Lock()
		pause := time.Until(q.until)
		p.mu.Unlock()
		if pause <= 0 {
			return ctx.Err()
		}
		if end, ok := ctx.Deadline(); ok && time.Until(end) < pause {
			return &slack.RateLimitedError{RetryAfter: pause}
		}
		if !patience.Sleep(ctx, pause) {
			return p.refusal(ctx, q)
		}
	}
}

// refusal is of a call whose time was over before its turn came.
func (p *pace) refusal(ctx context.Context, q *queue) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if pause := time.Until(q.until); pause > 0 {
		return &slack.RateLimitedError{RetryAfter: pause}
	}
	return context.Cause(ctx)
}

// close closes a lane for as long as Slack says.
func (p *pace) close(q *queue, res *http.Response) {
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<16))
	_ = res.Body.Close()
	pause := usualPause
	if seconds, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && seconds > 0 {
		pause = min(time.Duration(seconds)*time.Second, longestPause)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if until := time.Now().Add(pause); until.After(q.until) {
		q.until = until
	}
}

func (p *pace) enter(at lane) *queue {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := p.lanes[at]
	if q == nil {
		places := sideBySide
		if at.channel != "" {
			places = 1
		}
		q = &queue{free: make(chan struct{}, places)}
		p.lanes[at] = q
	}
	q.callers++
	return q
}

// leave forgets a lane that is open and that nobody is in.
func (p *pace) leave(at lane, q *queue) {
	p.mu.Lock()
	defer p.mu.Unlock()
	q.callers--
	if q.callers == 0 && !q.until.After(time.Now()) {
		delete(p.lanes, at)
	}
}

// laneOf reads what Slack counts a call by.
func laneOf(req *http.Request) (lane, error) {
	values := req.URL.Query()
	if req.GetBody != nil && strings.HasPrefix(req.Header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		body, err := req.GetBody()
		if err != nil {
			return lane{}, err
		}
		defer func() { _ = body.Close() }()
		data, err := io.ReadAll(body)
		if err != nil {
			return lane{}, err
		}
		if values, err = url.ParseQuery(string(data)); err != nil {
			return lane{}, err
		}
	}
	token := values.Get("token")
	if token == "" {
		token = req.Header.Get("Authorization")
	}
	return lane{sha256.Sum256([]byte(token)), path.Base(req.URL.Path), values.Get("channel")}, nil
}

// errAnswer says that what Slack answered is no answer: it is tried again.
var errAnswer = errors.New("slack's answer does not say what was asked for")

// maxAnswer is how long an answer of Slack's may be.
const maxAnswer = 8 << 20

// says is what an answer must have to be believed that all is well.
var says = map[string]string{
	"auth.test": "team_id", "users.info": "user", "chat.postMessage": "ts", "chat.startStream": "ts", "conversations.open": "channel", "apps.connections.open": "url",
}

// heard reads an answer. One that does not say whether the call was taken, or leaves out
// what was asked for, is errAnswer: slack-go would take it for a yes about nothing.
func heard(method string, res *http.Response) (*http.Response, error) {
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	_ = res.Body.Close()
	if err != nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	var ok *bool
	if json.Unmarshal(body, &all) != nil || json.Unmarshal(all["ok"], &ok) != nil || ok == nil {
		return nil, fmt.Errorf("%s: %w", method, errAnswer)
	}
	if part := all[says[method]]; *ok && says[method] != "" && (len(part) == 0 || string(part) == "null" || string(part) == `""`) {
		return nil, fmt.Errorf("%s: %w", method, errAnswer)
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, nil
}
