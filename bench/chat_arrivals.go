package main

import (
	"bufio"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/parley-hq/parley/internal/config"
	"github.com/parley-hq/parley/internal/server"
)

// arrivals is how a server fared while so many turns a second came, whether it
// kept up or not.
type arrivals struct {
	rate                 int
	took                 samples // of those that were answered, from the request to the end of the stream
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
		store, fmt.Sprintf("%d/s", a.rate), a.took.median().String(), a.took.percentile(99).String(), each(a.cpu), each(a.all), size(a.peak),
		fmt.Sprint(a.done), fmt.Sprint(a.refused), fmt.Sprint(a.wrong), seconds(a.drained),
	}
}

// arrivalsBench measures a parley serve of its own for each store and rate, with
// a model and an MCP server in one process beside it.
func arrivalsBench(ctx context.Context, o chatOptions) error {
	dir, err := os.MkdirTemp("", "parley-chat-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if o.parley == "" && o.profiles == "" {
		progress("building")
		o.parley = filepath.Join(dir, "parley")
		if out, err := exec.CommandContext(ctx, "go", "build", "-o", o.parley, "./cmd/parley").CombinedOutput(); err != nil {
			return fmt.Errorf("building: %w\n%s", err, out)
		}
	}
	fakes, err := startChild(ctx, "fakes", "chat-fakes", o.era)
	if err != nil {
		return err
	}
	defer fakes.stop()
	var rows [][]string
	for _, name := range o.stores {
		for _, rate := range o.arrivals {
			progress("%s: %d turns a second", name, rate)
			a, err := arriveAt(ctx, o, name, dir, fakes, rate)
			if err != nil {
				return fmt.Errorf("%s, %d/s: %w", name, rate, err)
			}
			if a.first != "" {
				progress("%s, %d/s: %s\n", name, rate, a.first)
			}
			rows = append(rows, a.row(name))
		}
	}
	progress("")
	if len(rows) > 0 {
		fmt.Printf("\nTurns that arrive for %s, each in a conversation of its own, with one call of a tool; model and server in one process beside it:\n", o.lasting)
		table{"store", "arrivals", "p50", "p99", "CPU per turn", "with clients, model and tools", "peak memory", "done", "refused", "failed", "drained after"}.print(os.Stdout, rows)
	}
	if o.long == 0 || o.profiles != "" {
		return nil
	}
	return longBench(ctx, o, dir, fakes.url)
}

const chatKey = "0123456789abcdef0123456789abcdef"

// chatConfig is the configuration of the server that is measured.
func chatConfig(listen, store, fakes string) string {
	return fmt.Sprintf(`listen: %s
store: %q
secrets: [%q]
dev: true
auth:
  jwt: {issuer: https://bench.example, audience: parley, hmac_key: %q}
models: {fake: {kind: openai, base_url: %q, api_key: k, model: fake}}
servers: {tickets: {url: %q, approve: never}}
agents: {assistant: {model: fake, instructions: Help., servers: [tickets]}}
`, listen, store, chatKey, chatKey, fakes+"/v1", fakes+"/mcp")
}

// program is what is measured; with profiles it is this one.
func (o chatOptions) program(name string) ([]string, error) {
	if o.profiles == "" {
		return []string{o.parley, "serve"}, nil
	}
	self, err := os.Executable()
	return []string{self, "chat-serve", "-profile", filepath.Join(o.profiles, name)}, err
}

func arriveAt(ctx context.Context, o chatOptions, store, dir string, fakes *subject, rate int) (a arrivals, err error) {
	s, err := newSite(ctx, store)
	if err != nil {
		return a, err
	}
	defer s.close()
	program, err := o.program(fmt.Sprintf("%s-%d-", store, rate))
	if err != nil {
		return a, err
	}
	v, err := startServe(ctx, program, 6<<30, dir, func(listen string) string { return chatConfig(listen, s.url("chat"), fakes.url) })
	if err != nil {
		return a, err
	}
	defer v.stop()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1000}}
	defer client.CloseIdleConnections()
	for i := range 20 { // whatever is made once is made now
		if status, _, err := takeTurn(ctx, client, v.url, -1-i); err != nil || status != http.StatusOK {
			return a, fmt.Errorf("the first turns: %d %w\n%s", status, err, tail(v.log.String()))
		}
	}
	a.rate = rate
	others := func() time.Duration { return cpuOf(fakes.cmd.Process.Pid) + cpuOf(os.Getpid()) }
	before, beside := v.cpu(), others()
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
			status, _, err := takeTurn(ctx, client, v.url, k)
			mu.Lock()
			defer mu.Unlock()
			a.note(time.Since(sent), status, err)
		})
	}
	last := time.Now()
	all.Wait()
	a.drained = time.Since(last)
	a.cpu = v.cpu() - before
	a.all = a.cpu + others() - beside
	a.peak = max(v.peak.Load(), v.memory("VmHWM"))
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
		a.took.add(took)
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

// tokenOf is a token of a person, as the issuer of chatConfig signs it.
func tokenOf(user string) string {
	encode := base64.RawURLEncoding.EncodeToString
	claims := fmt.Sprintf(`{"iss":"https://bench.example","aud":"parley","sub":%q,"exp":%d}`, user, time.Now().Add(time.Hour).Unix())
	text := encode([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + encode([]byte(claims))
	mac := hmac.New(sha256.New, []byte(chatKey))
	mac.Write([]byte(text))
	return text + "." + encode(mac.Sum(nil))
}

func (v *victim) cpu() time.Duration { return cpuOf(v.cmd.Process.Pid) }

// cpuOf is the processor time of a process so far.
func cpuOf(pid int) time.Duration {
	raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, after, _ := strings.Cut(string(raw), ") ")
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * time.Second / 100 // of the kernel's USER_HZ
}

// chatServe is parley serve with profiles.
func chatServe(ctx context.Context, args []string) error {
	if len(args) != 4 || args[0] != "-profile" {
		return fmt.Errorf("chat-serve -profile PREFIX -c FILE")
	}
	c, err := config.LoadDev(args[3], false, os.LookupEnv)
	if err != nil {
		return err
	}
	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	s, err := server.New(ctx, c, &server.Options{Logger: logger})
	if err != nil {
		return err
	}
	defer s.Close()
	end, err := profiled(args[1])
	if err != nil {
		return err
	}
	defer end()
	return s.Run(ctx)
}
