package openai_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/openai"
	"github.com/parley-hq/parley/internal/testkit/fakemodel"
)

// wire is a client whose server answers every request so, without a network.
type wire struct {
	status int // default 200
	header http.Header
	body   func() io.Reader
	asked  []*http.Request
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	w.asked = append(w.asked, r)
	status := w.status
	if status == 0 {
		status = http.StatusOK
	}
	header := w.header
	if header == nil {
		header = http.Header{"Content-Type": {"text/event-stream"}}
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(w.body()), Request: r}, nil
}

// over is a model behind a wire.
func over(t *testing.T, w *wire) *openai.Model {
	t.Helper()
	return model(t, openai.Options{BaseURL: "http://models.test/v1", Client: &http.Client{Transport: w}})
}

// saying is a wire that says this.
func saying(body string) *wire {
	return &wire{body: func() io.Reader { return strings.NewReader(body) }}
}

func TestStreamsAreReadAsTheyComeInTheWild(t *testing.T) {
	plain := chunk(`{"role":"assistant","content":""}`) + chunk(`{"content":"Good "}`) + chunk(`{"content":"morning."}`) + finish("stop")
	for name, stream := range map[string]string{
		"plain":                      plain,
		"carriage returns":           strings.ReplaceAll(plain, "\n", "\r\n"),
		"a byte order mark":          "\xef\xbb\xbf" + plain,
		"comments ahead and between": ": OPENROUTER PROCESSING\n\n" + strings.ReplaceAll(plain, "\n\n", "\n\n: keep-alive\n\n"),
		"no space after the colon":   strings.ReplaceAll(plain, "data: ", "data:"),
		"ids and names":              strings.ReplaceAll(plain, "data: ", "id: 7\nevent: message\nretry: 10\ndata: "),
		"data in several lines":      strings.ReplaceAll(plain, `"choices":`, "\ndata: \"choices\":\ndata: "),
		"events of other names":      "event: ping\ndata: {\"type\":\"ping\"}\n\n" + plain,
		"fields that nobody knows":   strings.ReplaceAll(plain, `"choices":`, `"service_tier":{"a":[1]},"obfuscation":"x","choices":`),
		"choices of nobody":          chunk(`null`) + strings.ReplaceAll(chunk(`{}`), `[{"index":0,"delta":{},"finish_reason":null}]`, "null") + plain,
		"an error that is null":      strings.ReplaceAll(plain, `"choices":`, `"error":null,"choices":`),
		"usage alone at the end":     strings.Replace(plain, "data: [DONE]", `data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}`+"\n\ndata: [DONE]", 1),
		"empty pieces":               strings.Replace(plain, "\n\n", "\n\n"+chunk(`{}`)+chunk(`{"content":null,"tool_calls":[],"refusal":null}`)+chunk(`{"content":""}`), 1),
		"another choice":             strings.ReplaceAll(chunk(`{"content":"Bad"}`), `"index":0`, `"index":1`) + plain,
		"no index":                   strings.ReplaceAll(plain, `"index":0,`, ""),
		"no [DONE]":                  strings.ReplaceAll(plain, "data: [DONE]\n\n", ""),
		"more behind [DONE]":         plain + chunk(`{"content":"What?"}`) + "data: {\n\n",
		"no empty line at the end":   strings.TrimSuffix(plain, "\n\ndata: [DONE]\n\n"),
		"no line end at the end":     strings.TrimSuffix(plain, "\n\n"),
	} {
		reply, pieces := generate(t, over(t, saying(stream)), fakemodel.Hello())
		if diff := cmp.Diff([]string{"Good ", "morning."}, pieces); diff != "" || reply.Cut != "" || len(reply.Calls) > 0 {
			t.Errorf("%s: got %+v %s", name, reply, diff)
		}
	}
}

func TestCallsWhosePiecesAreMixedAreToldApart(t *testing.T) {
	piece := func(i int, rest string) string {
		return chunk(fmt.Sprintf(`{"tool_calls":[{"index":%d,%s}]}`, i, rest))
	}
	reply, _ := generate(t, over(t, saying(piece(0, `"id":"a","type":"function","function":{"name":"find","arguments":""}`)+
		piece(1, `"id":"b","function":{"name":"close","arguments":"{\"n\""}`)+
		piece(0, `"function":{"arguments":"{\"q\":\"ü"}`)+
		piece(1, `"function":{"arguments":":9007199254740993"}`)+
		piece(2, `"id":"c","function":{"name":"all","arguments":{"quoted":false}}`)+
		piece(0, `"function":{"arguments":"ber\"}"}`)+
		piece(1, `"id":null,"function":{"name":null,"arguments":"}"}`)+finish("tool_calls"))), fakemodel.Hello())
	want := []string{`find{"q":"über"}`, `close{"n":9007199254740993}`, `all{"quoted":false}`}
	if diff := cmp.Diff(want, calls(reply)); diff != "" || reply.Calls[0].ID+reply.Calls[1].ID+reply.Calls[2].ID != "abc" {
		t.Errorf("%+v %s", reply.Calls, diff)
	}
}

func TestAServerIsAskedAgainWhenItSaysSo(t *testing.T) {
	for name, c := range map[string]struct {
		status   int
		header   http.Header
		requests int
		atLeast  time.Duration // between two of them
		atMost   time.Duration
	}{
		"in seconds":           {429, http.Header{"Retry-After": {"7"}}, 3, 7 * time.Second, 7 * time.Second},
		"of another status":    {529, http.Header{"Retry-After": {"7"}}, 3, 7 * time.Second, 7 * time.Second},
		"in milliseconds":      {503, http.Header{"Retry-After-Ms": {"1500"}, "Retry-After": {"9"}}, 3, 1500 * time.Millisecond, 1500 * time.Millisecond},
		"at once":              {429, http.Header{"Retry-After": {"0"}}, 3, 0, 0},
		"at a time that was":   {429, http.Header{"Retry-After": {"Fri, 31 Dec 1999 23:59:59 GMT"}}, 3, 0, 0},
		"at no time":           {429, http.Header{"Retry-After": {"soon"}}, 3, 375 * time.Millisecond, time.Second},
		"before now":           {429, http.Header{"Retry-After": {"-5"}}, 3, 375 * time.Millisecond, time.Second},
		"not a number":         {429, http.Header{"Retry-After": {"NaN"}}, 3, 375 * time.Millisecond, time.Second},
		"never":                {429, http.Header{"Retry-After": {"Inf"}}, 1, 0, 0},
		"and otherwise not":    {400, nil, 1, 0, 0},
		"though it refused it": {400, http.Header{"X-Should-Retry": {"true"}}, 3, 375 * time.Millisecond, time.Second},
		"and not otherwise":    {503, http.Header{"X-Should-Retry": {"false"}}, 1, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var at []time.Time
				client, stop := fakemodel.Pipe(fakemodel.New(func(fakemodel.Request) fakemodel.Reply {
					at = append(at, time.Now())
					return fakemodel.Reply{Status: c.status, Header: c.header}
				}, nil))
				defer stop()
				fails(t, model(t, openai.Options{BaseURL: "http://models.test", Client: client, Patience: time.Second}), fakemodel.Hello())
				if len(at) != c.requests {
					t.Errorf("%d requests, want %d", len(at), c.requests)
				}
				for i := 1; i < len(at); i++ {
					if d := at[i].Sub(at[i-1]); d < c.atLeast || d > c.atMost {
						t.Errorf("asked again after %s", d)
					}
				}
			})
		})
	}
}

func TestWhoLeavesDoesNotWaitForTheNextAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := fakemodel.New(always(fakemodel.Reply{Status: 429, Header: http.Header{"Retry-After": {"15"}}}), nil)
		client, stop := fakemodel.Pipe(fake)
		defer stop()
		why := errors.New("the person left")
		ctx, cancel := context.WithTimeoutCause(t.Context(), 4*time.Second, why)
		defer cancel()
		begin := time.Now()
		_, err := model(t, openai.Options{BaseURL: "http://models.test", Client: client}).Generate(ctx, fakemodel.Hello(), func(string) {})
		if !errors.Is(err, why) || time.Since(begin) != 4*time.Second || len(fake.Requests()) != 1 {
			t.Errorf("got %v after %s and %d requests", err, time.Since(begin), len(fake.Requests()))
		}
	})
}

// broken is a body that breaks off.
func broken(body string) func() io.Reader {
	return func() io.Reader { return io.MultiReader(strings.NewReader(body), brokenPipe{}) }
}

type brokenPipe struct{}

func (brokenPipe) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestAMessageThatIsCompleteIsGivenThoughTheConnectionBreaks(t *testing.T) {
	whole := chunk(`{"content":"Yes."}`) + strings.TrimSuffix(finish("stop"), "data: [DONE]\n\n")
	reply, _ := generate(t, over(t, &wire{body: broken(whole)}), fakemodel.Hello())
	if reply.Text != "Yes." || reply.Cut != "" {
		t.Errorf("got %+v", reply)
	}
	sentence, _ := fails(t, over(t, &wire{body: broken(chunk(`{"content":"Yes."}`))}), fakemodel.Hello())
	if sentence != brokeOff {
		t.Errorf("got %q", sentence)
	}
}

func TestWhatIsNoStreamIsNotAConnectionThatBroke(t *testing.T) {
	page, text := http.Header{"Content-Type": {"text/html; charset=utf-8"}}, http.Header{"Content-Type": {"application/json"}}
	for name, c := range map[string]struct {
		wire     *wire
		sentence string
		detail   string
	}{
		"a page":                {&wire{header: page, body: saying("<!doctype html><p>Sign in</p>").body}, unreadable, "Sign in"},
		"a page behind blanks":  {&wire{header: page, body: saying(strings.Repeat("\r\n", 200) + "<html>Sign in</html>").body}, unreadable, "Sign in"},
		"a page with events":    {&wire{header: page, body: saying("<html>\n\ndata: {}\n\n</html>").body}, unreadable, "html"},
		"a page of our context": {&wire{header: page, body: saying("<html>Our context window is large</html>").body}, unreadable, "html"},
		"an empty page":         {&wire{header: page, body: saying("").body}, unreadable, "text/html"},
		"no content":            {&wire{status: 204, header: http.Header{}, body: saying("").body}, unreadable, "before the message did"},
		"a JSON text":           {&wire{header: text, body: saying(`{"status":"ok"}`).body}, unreadable, "status"},
		"a list":                {&wire{header: text, body: saying(`["gpt"]`).body}, unreadable, "gpt"},
		"another address":       {&wire{header: text, body: saying(`{"error":"Unexpected endpoint or method. (POST /chat/completions)"}`).body}, unreadable, "Unexpected endpoint"},
		"a refusal":             {&wire{header: text, body: saying(`{"error":{"code":401,"message":"no"}}`).body}, refusedKey, "401"},
		"too long a question":   {&wire{header: text, body: saying(`{"error":{"message":"maximum context length is 8"}}`).body}, tooLong, "length is 8"},
		"plain words":           {&wire{header: http.Header{}, body: saying("It works!").body}, unreadable, "It works!"},
		"packed": {&wire{header: http.Header{"Content-Type": {"text/event-stream"}, "Content-Encoding": {"gzip"}},
			body: saying("\x1f\x8b").body}, unreadable, "packed"},
		"sent elsewhere, nowhere": {&wire{status: 304, header: http.Header{}, body: saying("").body},
			"The address of the model is not right. Tell the administrator.", "redirects"},
		"sent elsewhere": {&wire{status: 307, header: http.Header{"Location": {"http://elsewhere.test/v1"}}, body: saying("").body},
			"The address of the model is not right. Tell the administrator.", "redirects"},
		"a page that breaks off": {&wire{header: page, body: broken("<html>")}, brokeOff, "EOF"},
	} {
		sentence, log := fails(t, over(t, c.wire), fakemodel.Hello())
		if sentence != c.sentence || !strings.Contains(log, c.detail) || len(c.wire.asked) != 1 {
			t.Errorf("%s: got %q and %s after %d requests", name, sentence, log, len(c.wire.asked))
		}
	}
}

func TestNoPartOfTheKeyIsShownOfAPage(t *testing.T) {
	for _, begins := range []string{"<html>", "Hello "} {
		for n := range 100 {
			_, log := fails(t, over(t, saying(begins+strings.Repeat("x", n)+key+" and more")), fakemodel.Hello())
			if strings.Contains(log, key[:5]) {
				t.Fatalf("%d: %s", n, log)
			}
		}
	}
}

// endless repeats a text, and counts.
type endless struct {
	of   []byte
	at   int
	read *int64
}

func (e *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		c := copy(p[n:], e.of[e.at:])
		n, e.at = n+c, (e.at+c)%len(e.of)
	}
	*e.read += int64(n)
	return n, nil
}

func TestAnAnswerWithoutEndIsEnded(t *testing.T) {
	for name, c := range map[string]struct {
		begins, goesOn string
		sentence       string
		most           int64 // bytes
	}{
		"a page":         {"<html>", "<p>more</p>\n", unreadable, 1 << 20},
		"a JSON text":    {`{"a":"`, strings.Repeat("x", 999), unreadable, 1 << 20},
		"an event":       {"data: {", strings.Repeat(" ", 999), trouble, 10 << 20},
		"lines of one":   {"", "data: x\n", trouble, 100 << 20},
		"empty events":   {"", "data:{}\n\n", trouble, 5 << 20},
		"comments":       {"", ": " + strings.Repeat("x", 64<<10) + "\n", trouble, 150 << 20},
		"words, no ends": {"", strings.Repeat("x", 64<<10), trouble, 150 << 20},
	} {
		var read int64
		sentence, log := fails(t, over(t, &wire{body: func() io.Reader {
			return io.MultiReader(strings.NewReader(c.begins), &endless{of: []byte(c.goesOn), read: &read})
		}}), fakemodel.Hello())
		if sentence != c.sentence || read > c.most {
			t.Errorf("%s: got %q (%s) after %d bytes", name, sentence, log, read)
		}
	}
}

func TestTheConnectionIsUsedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, stop := fakemodel.Pipe(fakemodel.New(always(fakemodel.Reply{Text: "ok"}), nil))
		defer stop()
		dials, transport := 0, client.Transport.(*http.Transport)
		dial := transport.DialContext
		transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			dials++
			return dial(ctx, network, address)
		}
		m := model(t, openai.Options{BaseURL: "http://models.test", Client: client})
		for range 5 {
			generate(t, m, fakemodel.Hello())
		}
		if dials != 1 {
			t.Errorf("%d connections", dials)
		}
	})
}

func TestAServerThatDoesNotEndItsStreamIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, stop := fakemodel.Pipe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, chunk(`{"content":"ok"}`)+finish("stop"))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}))
		defer stop()
		begin := time.Now()
		generate(t, model(t, openai.Options{BaseURL: "http://models.test", Client: client}), fakemodel.Hello())
		if after := time.Since(begin); after > time.Second {
			t.Errorf("it took %s", after)
		}
	})
}

func TestWhatIsSentSaysWhatIsWanted(t *testing.T) {
	w := saying(chunk(`{"content":"ok"}`) + finish("stop"))
	generate(t, over(t, w), fakemodel.Hello())
	r := w.asked[0]
	want := http.Header{
		"Accept": {"text/event-stream"}, "Accept-Encoding": {"identity"}, "Authorization": {"Bearer " + key},
		"Content-Type": {"application/json"}, "User-Agent": {"parley"},
	}
	if diff := cmp.Diff(want, r.Header); diff != "" || r.URL.String() != "http://models.test/v1/chat/completions" {
		t.Errorf("%s %s", r.URL, diff)
	}
}

// FuzzAStreamIsAMessageOrAFailure: whatever comes, it is a message that can be
// kept, or a sentence for the person.
func FuzzAStreamIsAMessageOrAFailure(f *testing.F) {
	for _, e := range vendors {
		f.Add([]byte(e + finish("stop")))
	}
	f.Add([]byte(strings.Join(vendors, "")))
	f.Add([]byte(chunk(`{"content":[{"type":"text","text":"a"},null,{}]}`) + finish("length")))
	f.Add([]byte("data: {\"error\":{}}\n\n"))
	f.Add([]byte(`{"error":{"code":"content_filter"}}`))
	f.Fuzz(func(t *testing.T, stream []byte) {
		reply, err := over(t, &wire{body: func() io.Reader { return bytes.NewReader(stream) }}).Generate(t.Context(), fakemodel.Hello(), func(string) {})
		var public *agent.PublicError
		if err != nil && !errors.As(err, &public) {
			t.Errorf("an error for nobody: %v", err)
		}
		if len(reply.Native) > 0 && !json.Valid(reply.Native) {
			t.Errorf("kept %s", reply.Native)
		}
	})
}
