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

// arrivals is how a server fared while so many turns a second came, whether it
// kept up or not.
type arrivals struct {
	rate                 int
	took                 kit.Samples // of those that were answered, from the request to the end of the stream
	done, refused, wrong int
	cpu                  time.Duration // of the server
	all                  time.Duration // of the fakes and of this process too
	peak                 int64
	drained              time.Duration // after the last arrival
	first                string        // of the wrong ones: what came instead
}

func (a arrivals) row(store string) []string {
	each := func(cpu time.Duration) string {
		return fmt.Sprintf("%.1f ms", float64(cpu)/float64(max(1, a.done))/float64(time.Millisecond))
	}
	return []string{
		store, fmt.Sprintf("%d/s", a.rate), a.took.Median().String(), a.took.Percentile(99).String(), each(a.cpu), each(a.all), kit.Size(a.peak),
		fmt.Sprint(a.done), fmt.Sprint(a.refused), fmt.Sprint(a.wrong), kit.Seconds(a.drained),
	}
}

// arrivalsBench measures a parley serve of its own for each store and rate, with
// a model and an MCP server in one process beside it.
func arrivalsBench(ctx context.Context, o options) error {
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
	var rows [][]string
	for _, name := range o.stores {
		for _, rate := range o.arrivals {
			kit.Progress("%s: %d turns a second", name, rate)
			a, err := arriveAt(ctx, o, name, dir, fakes, rate)
			if err != nil {
				return fmt.Errorf("%s, %d/s: %w", name, rate, err)
			}
			if a.first != "" {
				kit.Progress("%s, %d/s: %s\n", name, rate, a.first)
			}
			rows = append(rows, a.row(name))
		}
	}
	kit.Progress("")
	if len(rows) > 0 {
		fmt.Printf("\nTurns that arrive for %s, each in a conversation of its own, with one call of a tool; model and server in one process beside it:\n", o.lasting)
		kit.Table{"store", "arrivals", "p50", "p99", "CPU per turn", "with clients, model and tools", "peak memory", "done", "refused", "failed", "drained after"}.Print(os.Stdout, rows)
	}
	if o.long == 0 || o.profiles != "" {
		return nil
	}
	return longBench(ctx, o, dir, fakes.URL)
}

const signingKey = "0123456789abcdef0123456789abcdef"

// config is the configuration of the server that is measured.
func config(listen, store, fakes string) string {
	return fmt.Sprintf(`listen: %s
store: %q
secrets: [%q]
dev: true
auth:
  jwt: {issuer: https://bench.example, audience: parley, hmac_key: %q}
models: {fake: {kind: openai, base_url: %q, api_key: k, model: fake}}
servers: {tickets: {url: %q, approve: never}}
agents: {assistant: {model: fake, instructions: Help., servers: [tickets]}}
`, listen, store, signingKey, signingKey, fakes+"/v1", fakes+"/mcp")
}

// source is what is measured; only the one for tests writes profiles.
func (o options) source() string {
	if o.profiles != "" {
		return "./cmd/parley/internal/testserve"
	}
	return "./cmd/parley"
}

// program is how that is started.
func (o options) program(name string) []string {
	if o.profiles != "" {
		return []string{o.parley, "-profile", filepath.Join(o.profiles, name)}
	}
	return []string{o.parley, "serve"}
}

func arriveAt(ctx context.Context, o options, store, dir string, fakes *kit.Subject, rate int) (a arrivals, err error) {
	s, err := kit.NewSite(ctx, store)
	if err != nil {
		return a, err
	}
	defer s.Close()
	v, err := kit.StartServe(ctx, o.program(fmt.Sprintf("%s-%d-", store, rate)), 6<<30, dir, func(listen string) string { return config(listen, s.URL("chat"), fakes.URL) })
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
	a.rate = rate
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
	a.drained = time.Since(last)
	a.cpu = v.CPU() - before
	a.all = a.cpu + others() - beside
	a.peak = v.MostMemory()
	return a, ctx.Err()
}

func (a *arrivals) note(took time.Duration, status int, err error) {
	switch {
	case status == http.StatusTooManyRequests:
		a.refused++
	case err != nil || status != http.StatusOK:
		a.wrong++
		if a.first == "" {
			a.first = fmt.Sprintf("%d %v", status, err)
		}
	default:
		a.done++
		a.took.Add(took)
	}
}

// people is how many speak in turn.
const people = 500

// takeTurn says something in a new conversation.
func takeTurn(ctx context.Context, client *http.Client, url string, k int) (status int, text string, err error) {
	return converse(ctx, client, url, fmt.Sprint("user-", (k+people)%people), fmt.Sprint("c", k), "m")
}

// converse says something and reads the answer to its end.
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
		said = said || strings.Contains(in.Text(), fakeLast)
		whole = whole || strings.Contains(in.Text(), "[DONE]")
	}
	if !said || !whole {
		return resp.StatusCode, "", fmt.Errorf("the stream ended before the answer did")
	}
	return resp.StatusCode, "", nil
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
