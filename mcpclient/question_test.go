package mcpclient_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/mcpclient"
)

func required(members string) mcpclient.Message {
	return mcpclient.Message{Result: json.RawMessage(`{"resultType":"input_required",` + members + `}`)}
}

func unvisited(data string) mcpclient.Message {
	return mcpclient.Message{Error: &mcpclient.Error{Code: mcpclient.CodeVisit, Data: json.RawMessage(data)}}
}

func TestWhatAResponseAsksForIsRead(t *testing.T) {
	const schema = `{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string"}}}`
	for name, test := range map[string]struct {
		m    mcpclient.Message
		want *mcpclient.Round
	}{
		"nothing":    {mcpclient.Message{Result: json.RawMessage(`{"content":[{"text":"input_required"}]}`)}, nil},
		"an error":   {mcpclient.Message{Error: &mcpclient.Error{Code: -32000}}, nil},
		"only time":  {required(`"requestState":"s"`), &mcpclient.Round{State: "s"}},
		"time again": {required(`"requestState":null,"inputRequests":null`), &mcpclient.Round{}},
		"a form and a link, in the server's order": {
			required(`"requestState":"\u0061","inputRequests":{"z":{"method":"elicitation/create","params":{"message":"One","requestedSchema":` + schema +
				`}},"a":{"method":"elicitation/create","params":{"mode":"url","message":"Two","url":"https://a.example/","elicitationId":"e"}}}`),
			&mcpclient.Round{State: "a", Questions: []mcpclient.Question{
				{Key: "z", Mode: "form", Message: "One", Schema: json.RawMessage(schema)},
				{Key: "a", Mode: "url", Message: "Two", URL: "https://a.example/", ID: "e"},
			}},
		},
		"pages": {
			unvisited(`{"elicitations":[{"mode":"url","message":"Log in","url":"https://a.example/","elicitationId":"e"}]}`),
			&mcpclient.Round{Visit: true, Questions: []mcpclient.Question{{Key: "1", Mode: "url", Message: "Log in", URL: "https://a.example/", ID: "e"}}},
		},
	} {
		got, err := mcpclient.ReadRound(test.m)
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}

func TestWhatIsAskedTooMuchIsRefused(t *testing.T) {
	one := `{"method":"elicitation/create","params":{"message":"Sure?"}}`
	many := func(n int, format string) string {
		var all []string
		for i := range n {
			all = append(all, strings.ReplaceAll(format, "N", fmt.Sprint(i)))
		}
		return strings.Join(all, ",")
	}
	page := `{"mode":"url","url":"https://a.example/"}`
	for words, m := range map[string]mcpclient.Message{
		"more than 16 questions at once":        required(`"inputRequests":{` + many(17, `"qN":`+one) + `}`),
		"more than 64 KiB":                      required(`"requestState":"` + strings.Repeat("x", 64<<10+1) + `"`),
		"longer than 96 KiB":                    required(`"inputRequests":{"q":{"method":"elicitation/create","params":{"message":"` + strings.Repeat("x", 128<<10) + `"}}}`),
		"two questions under one key":           required(`"inputRequests":{"q":` + one + `,"\u0071":` + one + `}`),
		`does not offer ("roots/list")`:         required(`"inputRequests":{"q":{"method":"roots/list"}}`),
		`does not offer ("")`:                   required(`"inputRequests":{"q":{"method":"elicitation/create","params":{"mode":""}}}`),
		`does not offer ("dance")`:              required(`"inputRequests":{"q":{"method":"elicitation/create","params":{"mode":"dance"}}}`),
		"a question that cannot be read":        required(`"inputRequests":{"q":{"method":"elicitation/create","params":{"message":"a","message":"b"}}}`),
		"in a way that cannot be read":          required(`"inputRequests":{"q":` + one + `},"inputRequests":{}`),
		"more than 16 pages":                    unvisited(`{"elicitations":[` + many(17, page) + `]}`),
		"does not say which":                    unvisited(`{"elicitations":[]}`),
		"its link cannot be used":               unvisited(`{"elicitations":[{"message":"a form"}]}`),
		"a page visited, and does not say whic": unvisited(`{}`),
	} {
		r, err := mcpclient.ReadRound(m)
		var ask *mcpclient.AskError
		if !errors.As(err, &ask) || !errors.Is(err, mcpclient.ErrProtocol) || r != nil {
			t.Errorf("%s: %v, %v", words, r, err)
			continue
		}
		if got := ask.Sentence("tracker"); !strings.HasPrefix(got, "tracker ") || !strings.Contains(got, words) || !strings.HasSuffix(got, fateOf(m)) {
			t.Errorf("it says %q, want %q", got, words)
		}
	}
}

// fateOf is what is known of a call that ended with such a response: one that wants
// pages visited first was refused, and one that asks was begun.
func fateOf(m mcpclient.Message) string {
	if m.Error != nil {
		return "; the call was not carried out."
	}
	return "; the call was given up: whether some of it was carried out is not known. Find out before you call it again."
}

func TestAMillionQuestionsCostNothing(t *testing.T) {
	m := required(`"inputRequests":{` + strings.TrimSuffix(strings.Repeat(`"":1,`, 1e6), ",") + `}`)
	if n := testing.AllocsPerRun(1, func() { _, _ = mcpclient.ReadRound(m) }); n > 100 {
		t.Errorf("%v allocations", n)
	}
	m = unvisited(`{"elicitations":[` + strings.TrimSuffix(strings.Repeat(`{"mode":"url"},`, 1e6), ",") + `]}`)
	if n := testing.AllocsPerRun(1, func() { _, _ = mcpclient.ReadRound(m) }); n > 200 {
		t.Errorf("%v allocations", n)
	}
}

func TestALinkToASiteIsKnownInAllItsSpellings(t *testing.T) {
	for link, want := range map[string]bool{
		"https://parley.example/answer/1": true, "HTTP://PARLEY.example.:80/": true, "https://parley.example:443": true, "https://p\u0430rley.example/": false,
		"https://parley.example:8443/": false, "https://other.example/": false, "https://parley.example.evil.example/": false, "%": false,
	} {
		if got := mcpclient.SameSite(link, "https://parley.example"); got != want {
			t.Errorf("%s: %v", link, got)
		}
	}
	if mcpclient.SameSite("https://other.example/", "") {
		t.Error("nobody's site is everybody's")
	}
}
