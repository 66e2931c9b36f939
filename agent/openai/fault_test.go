package openai_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/openai"
	"github.com/parley-hq/parley/internal/testkit/fakemodel"
)

const (
	refusedKey = "The model refuses this server's key. Tell the administrator."
	busy       = "The model is busy. Try again in a moment."
	tooLong    = "This conversation has become too long for the model. Start a new one."
	unknown    = "The model is not there, or this server may not use it. Tell the administrator."
	slow       = "The model took too long to answer. Try again in a moment."
	trouble    = "The model's server has a problem. Try again in a moment."
	usedUp     = "The account that this server has with the model's provider is used up. Tell the administrator."
	brokeOff   = "The connection to the model broke off. Try again in a moment."
	unaccepted = "The model does not accept this request. Tell the administrator."
	unreadable = "What came from the model's address is not a model's answer. Tell the administrator to check the address."
)

func TestFailuresHaveASentenceForThePersonAndADetailForTheLog(t *testing.T) {
	for name, c := range map[string]struct {
		reply    fakemodel.Reply
		sentence string
		requests int
		detail   string
	}{
		"401":                   {fakemodel.Reply{Status: 401, Kind: "invalid_api_key", Message: "wrong: " + key}, refusedKey, 1, "invalid_api_key"},
		"403":                   {fakemodel.Reply{Status: 403, Kind: "forbidden"}, refusedKey, 1, "403"},
		"402":                   {fakemodel.Reply{Status: 402, Kind: "payment"}, usedUp, 1, "402"},
		"404":                   {fakemodel.Reply{Status: 404, Kind: "model_not_found", Message: "no gpt-fake for " + key}, unknown, 1, "no gpt-fake for [key]"},
		"408":                   {fakemodel.Reply{Status: 408}, slow, 3, "408"},
		"413":                   {fakemodel.Reply{Status: 413}, tooLong, 1, "413"},
		"429":                   {fakemodel.Reply{Status: 429, Kind: "rate_limit_exceeded"}, busy, 3, "rate_limit_exceeded"},
		"no quota":              {fakemodel.Reply{Status: 429, Kind: "insufficient_quota"}, usedUp, 3, "insufficient_quota"},
		"500":                   {fakemodel.Reply{Status: 500}, trouble, 3, "500"},
		"502 as HTML":           {fakemodel.Reply{Status: 502, Body: "<h1>Bad gateway</h1>"}, trouble, 3, "Bad gateway"},
		"503":                   {fakemodel.Reply{Status: 503}, busy, 3, "503"},
		"504":                   {fakemodel.Reply{Status: 504}, slow, 3, "504"},
		"529":                   {fakemodel.Reply{Status: 529}, busy, 3, "529"},
		"context":               {fakemodel.Reply{Status: 400, Kind: "context_length_exceeded"}, tooLong, 1, "400"},
		"context in words":      {fakemodel.Reply{Status: 400, Body: `{"error":"This model's maximum context length is 8192 tokens"}`}, tooLong, 1, "8192"},
		"bad request":           {fakemodel.Reply{Status: 400, Kind: "invalid_request_error", Message: "no such parameter"}, unaccepted, 1, "no such parameter"},
		"detail":                {fakemodel.Reply{Status: 422, Body: `{"detail":[{"msg":"field required"}]}`}, unaccepted, 1, "field required"},
		"message":               {fakemodel.Reply{Status: 400, Body: `{"object":"error","message":"odd","code":400}`}, unaccepted, 1, "odd"},
		"a number as code":      {fakemodel.Reply{Status: 400, Body: `{"error":{"code":400,"message":"odd"}}`}, unaccepted, 1, "odd"},
		"nothing at all":        {fakemodel.Reply{Status: 418, Body: " "}, unaccepted, 1, "418"},
		"in the stream":         {fakemodel.Reply{Text: "a b c", Error: 2, Kind: "server_error", Message: "for " + key}, trouble, 1, "for [key]"},
		"in the stream, busy":   {fakemodel.Reply{Events: []string{"data: {\"error\":{\"code\":429,\"message\":\"slow down\"}}\n\n"}}, busy, 1, "slow down"},
		"in the stream, a key":  {fakemodel.Reply{Events: []string{"data: {\"error\":{\"code\":401,\"message\":\"" + key + "\"}}\n\n"}}, refusedKey, 1, "401"},
		"lost":                  {fakemodel.Reply{Text: "a b c", Drop: 3}, brokeOff, 1, "EOF"},
		"ended early":           {fakemodel.Reply{Text: "a b c", Cut: 3}, brokeOff, 1, "before the message did"},
		"not a stream":          {fakemodel.Reply{Events: []string{"<html>Sign in</html>\n"}}, unreadable, 1, "Sign in"},
		"not a streamed answer": {fakemodel.Reply{Events: []string{`{"object":"chat.completion","choices":[{"message":{"content":"Hi"}}]}`}}, unreadable, 1, "chat.completion"},
		"another's stream":      {fakemodel.Reply{Events: []string{"data: {\"type\":\"message_start\"}\n\n", "data: {\"type\":\"message_stop\"}\n\n"}}, unreadable, 1, "message_start"},
		"nothing but a beat":    {fakemodel.Reply{Events: []string{": wait\n\n"}}, brokeOff, 1, "before the message did"},
		"half an event":         {fakemodel.Reply{Events: []string{"data: {\"id\":"}}, brokeOff, 1, "before the message did"},
		"nothing sent":          {fakemodel.Reply{Events: []string{""}}, brokeOff, 1, "before the message did"},
		"not JSON":              {fakemodel.Reply{Events: []string{"data: {\n\n"}}, unreadable, 1, "JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // it waits before it tries again
				fake := fakemodel.New(always(c.reply), nil)
				client, stop := fakemodel.Pipe(fake)
				defer stop()
				sentence, log := fails(t, model(t, openai.Options{BaseURL: "http://models.test/v1", Client: client}), fakemodel.Hello())
				if sentence != c.sentence {
					t.Errorf("got %q, want %q", sentence, c.sentence)
				}
				if !strings.Contains(log, c.detail) || !strings.Contains(log, "models.test/v1") {
					t.Errorf("the log has %s, want %q in it", log, c.detail)
				}
				if got := len(fake.Requests()); got != c.requests {
					t.Errorf("%d requests, want %d", got, c.requests)
				}
			})
		})
	}
}

func TestAServerThatIsNotThere(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	synctest.Test(t, func(t *testing.T) {
		sentence, log := fails(t, model(t, openai.Options{BaseURL: server.URL}), fakemodel.Hello())
		if sentence != "The model could not be reached. Try again in a moment." || !strings.Contains(log, "refused") {
			t.Errorf("got %q and %s", sentence, log)
		}
	})
}

func TestAfterATransientFailureTheAnswerComesOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fake *fakemodel.Server
		fake = fakemodel.New(func(fakemodel.Request) fakemodel.Reply {
			if len(fake.Requests()) < 3 {
				return fakemodel.Reply{Status: 503}
			}
			return fakemodel.Reply{Text: "at last"}
		}, nil)
		client, stop := fakemodel.Pipe(fake)
		defer stop()
		_, pieces := generate(t, model(t, openai.Options{BaseURL: "http://models.test", Client: client}), fakemodel.Hello())
		if diff := cmp.Diff([]string{"at ", "last"}, pieces); diff != "" {
			t.Error(diff)
		}
	})
}

func TestAPersonDoesNotWaitForADistantRetry(t *testing.T) {
	for _, header := range []http.Header{
		{"Retry-After": {"3600"}}, {"Retry-After-Ms": {"3600000"}}, {"Retry-After": {"Fri, 31 Dec 2100 23:59:59 GMT"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			fake := fakemodel.New(always(fakemodel.Reply{Status: 429, Header: header}), nil)
			client, stop := fakemodel.Pipe(fake)
			defer stop()
			begin := time.Now()
			sentence, _ := fails(t, model(t, openai.Options{BaseURL: "http://models.test", Client: client}), fakemodel.Hello())
			if sentence != busy || time.Since(begin) != 0 || len(fake.Requests()) != 1 {
				t.Errorf("%v: got %q after %s and %d requests", header, sentence, time.Since(begin), len(fake.Requests()))
			}
		})
	}
}

func TestPatienceEndsWithSilenceAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var delay time.Duration
		client, stop := fakemodel.Pipe(fakemodel.New(func(fakemodel.Request) fakemodel.Reply {
			return fakemodel.Reply{Text: "one two three four", Delay: delay}
		}, nil))
		defer stop()
		m := model(t, openai.Options{BaseURL: "http://models.test", Client: client, Patience: time.Minute})
		delay = 59 * time.Second
		generate(t, m, fakemodel.Hello()) // takes six times that
		delay = 61 * time.Second
		begin := time.Now()
		if sentence, _ := fails(t, m, fakemodel.Hello()); sentence != slow || time.Since(begin) != time.Minute {
			t.Errorf("got %q after %s", sentence, time.Since(begin))
		}
	})
}

func TestAClientsOwnTimeoutIsSlowness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := fakemodel.New(always(fakemodel.Reply{Text: "one two", Delay: time.Hour}), nil)
		client, stop := fakemodel.Pipe(fake)
		defer stop()
		client.Timeout = time.Second
		sentence, _ := fails(t, model(t, openai.Options{BaseURL: "http://models.test", Client: client}), fakemodel.Hello())
		if n := len(fake.Requests()); sentence != slow || n != 1 {
			t.Errorf("got %q after %d requests", sentence, n)
		}
	})
}

func TestACancelledContextEndsTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("the person left")
		fake := fakemodel.New(always(fakemodel.Reply{Text: "one two", Delay: time.Minute}), nil)
		served := make(chan time.Duration, 1)
		begin := time.Now()
		client, stop := fakemodel.Pipe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fake.ServeHTTP(w, r)
			served <- time.Since(begin)
		}))
		defer stop()
		m := model(t, openai.Options{BaseURL: "http://models.test", Client: client})

		ctx, cancel := context.WithCancelCause(t.Context())
		reply, err := m.Generate(ctx, fakemodel.Hello(), func(string) { cancel(why) })
		var public *agent.PublicError
		if !errors.Is(err, why) || errors.As(err, &public) {
			t.Errorf("got %+v and %v", reply, err)
		}
		if after := <-served; after != 2*time.Minute { // the first word is the second event
			t.Errorf("the server was left after %s", after)
		}
		if _, err := m.Generate(ctx, fakemodel.Hello(), func(string) { t.Error("it streams") }); !errors.Is(err, why) {
			t.Errorf("got %v", err)
		}
		if n := len(fake.Requests()); n != 1 {
			t.Errorf("%d requests", n)
		}
	})
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	elsewhere := fakemodel.New(always(fakemodel.Reply{Text: "gotcha"}), nil)
	thief := httptest.NewServer(elsewhere)
	defer thief.Close()
	for _, status := range []int{302, 307, 308} {
		server := httptest.NewServer(http.RedirectHandler(thief.URL+"/v1/chat/completions", status))
		sentence, _ := fails(t, model(t, openai.Options{BaseURL: server.URL, Client: server.Client()}), fakemodel.Hello())
		server.Close()
		if sentence != "The address of the model is not right. Tell the administrator." || len(elsewhere.Requests()) != 0 {
			t.Errorf("%d: got %q, and %d requests elsewhere", status, sentence, len(elsewhere.Requests()))
		}
	}
}
