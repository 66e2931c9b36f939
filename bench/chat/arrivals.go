package chat

import (
	"bufio"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/parley-hq/parley/bench/kit"
)

// Arrivals is how a server fared while so many turns a second came, whether it
// kept up or not.
type Arrivals struct {
	Store                string
	Rate                 int
	Took                 kit.Samples // of those that were answered, from the request to the end of the stream
	Done, Refused, Wrong int
	CPU                  time.Duration // of the server
	All                  time.Duration // of the fakes and of this process too
	Peak                 int64
	Drained              time.Duration // after the last arrival
	First                string        // of the wrong ones: what came instead
}

func (a Arrivals) row() []string {
	each := func(cpu time.Duration) string {
		return fmt.Sprintf("%.1f ms", float64(cpu)/float64(max(1, a.Done))/float64(time.Millisecond))
	}
	return []string{
		a.Store, fmt.Sprintf("%d/s", a.Rate), a.Took.Median().String(), a.Took.Percentile(99).String(), each(a.CPU), each(a.All), kit.Size(a.Peak),
		fmt.Sprint(a.Done), fmt.Sprint(a.Refused), fmt.Sprint(a.Wrong), kit.Seconds(a.Drained),
	}
}

// arrive measures a parley serve of its own for each store and rate, with
// a model and an MCP server in one process beside it.
func (r *Result) arrive(ctx context.Context) error {
	o := r.options
	dir, err := os.MkdirTemp("", "parley-chat-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if o.parley == "" || o.profiles != "" {
		if o.parley, err = kit.Build(ctx, dir, o.source()); err != nil {
			return err
		}
	}
	fakes, err := kit.StartChild(ctx, "fakes", "chat-fakes", o.era)
	if err != nil {
		return err
	}
	defer fakes.Stop()
	for _, name := range o.stores {
		for _, rate := range o.arrivals {
			kit.Progress("%s: %d turns a second", name, rate)
			a, err := arriveAt(ctx, o, name, dir, fakes, rate)
			if err != nil {
				return fmt.Errorf("%s, %d/s: %w", name, rate, err)
			}
			if a.First != "" {
				kit.Progress("%s, %d/s: %s\n", name, rate, a.First)
			}
			r.Arrivals = append(r.Arrivals, a)
		}
	}
	kit.Progress("")
	if o.long > 0 && o.profiles == "" {
		r.Long, err = longBench(ctx, o, dir, fakes.URL)
	}
	return err
}

func (r Result) printArrivals(out io.Writer) {
	if len(r.Arrivals) == 0 {
		return
	}
	var rows [][]string
	for _, a := range r.Arrivals {
		rows = append(rows, a.row())
	}
	asking := ""
	if r.ask {
		asking = " that a person approves at once"
	}
	fmt.Fprintf(out, "\nTurns that arrive for %s, each in a conversation of its own, with one call of a tool%s; model and server in one process beside it:\n", r.lasting, asking)
	kit.Table{"store", "arrivals", "p50", "p99", "CPU per turn", "with clients, model and tools", "peak memory", "done", "refused", "failed", "drained after"}.Print(out, rows)
}

const signingKey = "0123456789abcdef0123456789abcdef"

// config is the configuration of the server that is measured. approve says whether a
// person is asked about each call: never, or always.
func config(listen, store, fakes, approve string) string {
	return fmt.Sprintf(`listen: %s
store: %q
secrets: [%q]
dev: true
auth:
  jwt: {issuer: https://bench.example, audience: parley, hmac_key: %q}
models: {fake: {kind: openai, base_url: %q, api_key: k, model: fake}}
servers: {tickets: {url: %q, approve: %s}}
agents: {assistant: {model: fake, instructions: Help., servers: [tickets]}}
`, listen, store, signingKey, signingKey, fakes+"/v1", fakes+"/mcp", approve)
}

// source is what is measured; only the one for tests writes profiles.
func (o options) source() string {
	if o.profiles != "" {
		return "github.com/parley-hq/parley/cmd/parley/internal/testserve"
	}
	return "github.com/parley-hq/parley/cmd/parley"
}

// approve is whether a person is asked about the call of a turn.
func (o options) approve() string {
	if o.ask {
		return "always"
	}
	return "never"
}

// program is how that is started.
func (o options) program(name string) []string {
	if o.profiles != "" {
		return []string{o.parley, "-profile", filepath.Join(o.profiles, name)}
	}
	return []string{o.parley, "serve"}
}

func arriveAt(ctx context.Context, o options, store, dir string, fakes *kit.Subject, rate int) (a Arrivals, err error) {
	s, err := kit.NewSite(ctx, store)
	if err != nil {
		return a, err
	}
	defer s.Close()
	v, err := kit.StartServe(ctx, o.program(fmt.Sprintf("%s-%d-", store, rate)), 6<<30, dir, func(listen string) string { return config(listen, s.URL("chat"), fakes.URL, o.approve()) })
	if err != nil {
		return a, err
	}
	defer v.Stop()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1000}}
	defer client.CloseIdleConnections()
	for i := range 20 { // whatever is made once is made now
		if status, _, err := takeTurn(ctx, client, v.URL, -1-i); err != nil || status != http.StatusOK {
			return a, fmt.Errorf("the first turns: %d %w\n%s", status, err, v.Said())
		}
	}
	a.Store, a.Rate = store, rate
	others := func() time.Duration { return fakes.CPU() + kit.CPUOf(os.Getpid()) }
	before, beside := v.CPU(), others()
	var mu sync.Mutex
	var all sync.WaitGroup
	began := time.Now()
	for k := range int(float64(rate) * o.lasting.Seconds()) {
		time.Sleep(time.Until(began.Add(time.Duration(k) * time.Second / time.Duration(rate))))
		if ctx.Err() != nil {
			break
		}
		all.Go(func() {
			sent := time.Now()
			status, _, err := takeTurn(ctx, client, v.URL, k)
			mu.Lock()
			defer mu.Unlock()
			a.note(time.Since(sent), status, err)
		})
	}
	last := time.Now()
	all.Wait()
	a.Drained = time.Since(last)
	a.CPU = v.CPU() - before
	a.All = a.CPU + others() - beside
	a.Peak = v.MostMemory()
	return a, ctx.Err()
}

func (a *Arrivals) note(took time.Duration, status int, err error) {
	switch {
	case status == http.StatusTooManyRequests:
		a.Refused++
	case err != nil || status != http.StatusOK:
		a.Wrong++
		if a.First == "" {
			a.First = fmt.Sprintf("%d %v", status, err)
		}
	default:
		a.Done++
		a.Took.Add(took)
	}
}

// people is how many speak in turn.
const people = 500

// takeTurn says something in a new conversation.
func takeTurn(ctx context.Context, client *http.Client, url string, k int) (status int, text string, err error) {
	return converse(ctx, client, url, fmt.Sprint("user-", (k+people)%people), fmt.Sprint("c", k), "m")
}

// converse says something and reads the answer to its end. What it is asked on the way it
// approves at once.
func converse(ctx context.Context, client *http.Client, url, user, conversation, message string) (status int, text string, err error) {
	ctx, stop := context.WithTimeout(ctx, 2*time.Minute)
	defer stop()
	body := fmt.Sprintf(`{"id":%q,"messages":[{"id":%q,"role":"user","parts":[{"type":"text","text":"Look for the door."}]}]}`, conversation, message)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/run/api/chat", strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+tokenOf(user))
	r.Header.Set("x-supports-elicitation", "true")
	resp, err := client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		raw, _ := io.ReadAll(io.LimitReader(resp.Body, 1000))
		return resp.StatusCode, string(raw), nil
	}
	said, whole := false, false
	for in := bufio.NewScanner(resp.Body); in.Scan(); {
		if _, after, ok := strings.Cut(in.Text(), `"elicitationId":"`); ok && !strings.Contains(after, `"outcome":`) {
			id, _, _ := strings.Cut(after, `"`)
			if err := approve(ctx, client, url, user, conversation, id); err != nil {
				return 0, "", err
			}
		}
		said = said || strings.Contains(in.Text(), fakeLast)
		whole = whole || strings.Contains(in.Text(), "[DONE]")
	}
	if !said || !whole {
		return resp.StatusCode, "", fmt.Errorf("the stream ended before the answer did")
	}
	return resp.StatusCode, "", nil
}

// approve answers the question whether a call may be made.
func approve(ctx context.Context, client *http.Client, url, user, conversation, id string) error {
	body := fmt.Sprintf(`{"conversationId":%q,"elicitationId":%q,"action":"accept","content":{"decision":"allow_once"}}`, conversation, id)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/run/api/elicitation-responses", strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+tokenOf(user))
	resp, err := client.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if raw, _ := io.ReadAll(io.LimitReader(resp.Body, 1000)); resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the answer was refused: %s: %s", resp.Status, raw)
	}
	return nil
}

// tokenOf is a token of a person, as the issuer of the configuration signs it.
func tokenOf(user string) string {
	encode := base64.RawURLEncoding.EncodeToString
	claims := fmt.Sprintf(`{"iss":"https://bench.example","aud":"parley","sub":%q,"exp":%d}`, user, time.Now().Add(time.Hour).Unix())
	text := encode([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + encode([]byte(claims))
	mac := hmac.New(sha256.New, []byte(signingKey))
	mac.Write([]byte(text))
	return text + "." + encode(mac.Sum(nil))
}
