package gateway_test

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// The tools for clients that cannot ask.
const (
	waitForResult = "waitForElicitationResult"
	sendResult    = "sendElicitationResult"
)

// silentReason says why there is no such case for a client that cannot ask.
func silentReason(name, fallback string, play scenario) string {
	switch {
	case (fallback == "deny" || fallback == "allow") && slices.Contains([]string{"-32042, no", "decline", "cancel", "time-out"}, name),
		fallback == "model" && name == "-32042, no":
		return "nobody is asked"
	case play.late && play.expire == nil:
		return "it waits ten minutes"
	}
	return ""
}

// runSilent plays a cell with a client that cannot ask: it gets what the
// gateway's fallback is.
func (x *cell) runSilent(who *gatewayPerson) string {
	x.t.Helper()
	g := who.site
	k := kit.NewTalk(x.t, x.client)
	x.call(k)
	end := k.End()
	if g.fallback == "allow" && x.play.defaults {
		x.ends(end)
		x.counted(x.play.answers(), x.play.done)
		return "✓ by itself"
	}
	for _, s := range x.play.steps {
		if g.fallback == "deny" || g.fallback == "allow" || g.fallback == "model" && s.mode == "url" {
			x.denied(end, s.mode)
			x.counted(0, 0)
			return "✓ denied"
		}
		link := x.pending(g, end, s)
		gone := false
		if x.play.late {
			x.play.expire(x.t)
			gone = x.server.withdraws
		}
		if g.fallback == "model" {
			k.Call(sendResult, answerOf(link.id, s))
		} else {
			if !gone {
				x.onPage(who, link, s)
			}
			k.Call(waitForResult, kit.Fields{"elicitId": link.id})
			x.goThere(s)
		}
		end = k.End()
		if gone {
			x.outlasted(end)
			return "✓"
		}
	}
	x.ends(end)
	x.counted(x.play.answers(), x.play.done)
	return "✓"
}

// denied checks the error of a call that would have to ask.
func (x *cell) denied(end kit.MatrixEnd, mode string) {
	x.t.Helper()
	switch {
	case x.modern:
		var data struct {
			RequiredCapabilities struct {
				Elicitation map[string]any `json:"elicitation"`
			} `json:"requiredCapabilities"`
		}
		if end.Code() != -32021 || json.Unmarshal(end.Err.Data, &data) != nil || data.RequiredCapabilities.Elicitation[mode] == nil {
			x.t.Errorf("got %s; want -32021 for elicitation in %s mode", kit.DescribeEnd(end), mode)
		}
	case end.Err != nil || !end.IsError || end.Meta.Code != "ELICITATION_NOT_SUPPORTED" || len(end.Content) == 0:
		x.t.Errorf("got %s; want ELICITATION_NOT_SUPPORTED", kit.DescribeEnd(end))
	}
}

// outlasted checks the end of a call that the server ended while its question
// was open: it is an error, and nothing was done.
func (x *cell) outlasted(end kit.MatrixEnd) {
	x.t.Helper()
	if end.Err == nil && !end.IsError {
		x.t.Errorf("got %s; want an error", kit.DescribeEnd(end))
	}
	x.counted(0, 0)
}

// pendingLink is a question that the model was told of.
type pendingLink struct{ id, path string }

// pending checks a result that tells the model of a question.
func (x *cell) pending(g *gatewaySite, end kit.MatrixEnd, s step) pendingLink {
	x.t.Helper()
	p := end.Meta.Pending
	if end.Err != nil || end.IsError || p.ElicitID == "" {
		x.t.Fatalf("got %s; want that a question is open", kit.DescribeEnd(end))
	}
	path := "/answer/" + p.ElicitID
	if want := x.from + s.message; p.Message != want {
		x.t.Errorf("pending %q; want %q", p.Message, want)
	}
	text := strings.Join(end.Texts(), "\n")
	switch g.fallback {
	case "page":
		if p.URL != g.url+path || !strings.Contains(text, p.URL) || !strings.Contains(text, waitForResult) {
			x.t.Errorf("link %q and text %q; want a link to %s", p.URL, text, path)
		}
	case "model":
		if !kit.SameJSON(end.Schema, s.schema) {
			x.t.Errorf("schema %s;\nwant %s", end.Schema, s.schema)
		}
		_, shown, _ := strings.Cut(text, "**Schema:** ")
		shown, _, _ = strings.Cut(shown, "\n")
		if got, want := fieldNames(x.t, []byte(shown)), fieldNames(x.t, []byte(s.schema)); !slices.Equal(got, want) {
			x.t.Errorf("the model sees the fields %v;\nwant %v", got, want)
		}
		if p.URL != "" || !strings.Contains(text, sendResult) {
			x.t.Errorf("link %q and text %q; want no link, but %s", p.URL, text, sendResult)
		}
	}
	return pendingLink{p.ElicitID, path}
}

func answerOf(id string, s step) kit.Fields {
	answer := kit.Fields{"elicitId": id, "action": s.action}
	if s.content != nil {
		answer["content"] = s.content
	}
	return answer
}

// onPage answers as a person does who followed the link and is signed in.
func (x *cell) onPage(who *gatewayPerson, link pendingLink, s step) {
	x.t.Helper()
	who.Open(x.t, who.site.url+link.path)
	shown := who.Text()
	if !strings.Contains(shown, s.message) || !strings.Contains(shown, x.server.name) {
		x.t.Errorf("the page does not say that %s asks %q: %.500s", x.server.name, s.message, shown)
	}
	if s.mode == "form" {
		if got, want := entryNames(who.Page), fieldNames(x.t, []byte(s.schema)); !slices.Equal(got, want) {
			x.t.Errorf("the page has the fields %v;\nwant %v", got, want)
		}
	}
	form := url.Values{"action": {s.action}}
	maps.Copy(form, s.entries)
	who.Send(x.t, who.site.url+link.path, form)
}

// silentFallbacks are what the gateway can do about them.
var silentFallbacks = []string{"deny", "allow", "page", "model"}

// silentKinds are clients that declare no elicitation.
var silentKinds = []matrixKind{
	{title: "none, 2025-11-25", silent: true},
	{title: "none, 2026-07-28", modern: true, silent: true},
}

// playSilent runs the cells of the clients that cannot ask.
func (m *matrix) playSilent(t *testing.T, g *gatewaySite) {
	for _, kind := range silentKinds {
		t.Run(kind.title+" "+g.fallback, func(t *testing.T) {
			who := g.person(t, strings.ReplaceAll(kind.title, ", ", "-"))
			client := who.connect(t, kind)
			m.play(t, kind.title+", `"+g.String()+"`", func(name string, play scenario) string { return silentReason(name, g.fallback, play) },
				func(x *cell) string {
					x.client, x.modern = client, kind.modern
					return x.runSilent(who)
				})
		})
	}
}
