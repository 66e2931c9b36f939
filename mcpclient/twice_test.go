package mcpclient_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley/mcpclient"
)

// results of which one reader takes one thing and another the next, and such as mean one
// thing to all who read them here.
var (
	twice = []string{
		`{"content":[],"isError":false,"isError":true@}`, `{"isError":true,"content":[@],"isError":true}`, `{"content":[@],"content":[]}`,
		`{"resultType":"complete","content":[@],"resultType":"input_required"}`, `{"_meta":{@},"content":[],"_meta":{}}`,
		`{"content":[],"structuredContent":{@},"structuredContent":{}}`, `{"content":[],"is\u0045rror":true@,"isError":false}`,
		`{"content":[],"isError":false,"IsError":true@}`, `{"content":[],"i\u017fError":false,"isError":true@}`,
	}
	once = []string{
		`{"content":[],"x":1,"x":2@}`, `{"content":[],"structuredContent":{"content":1,"content":2},"_meta":{"content":1}@}`,
		`{"content":[{"isError":true}],"isErrors":true,"isError":false@}`, `{@}`,
	}
)

// padded is a result with something that makes it small or large.
func padded(result string, large bool) string {
	pad := `"pad":1`
	if large {
		pad = `"pad":"` + strings.Repeat("x", megabytes) + `"`
	}
	at := strings.IndexByte(result, '@')
	switch {
	case result[at-1] == '[':
		pad = "{" + pad + "}"
	case result[at-1] != '{':
		pad = "," + pad
	}
	return result[:at] + pad + result[at+1:]
}

func TestAResultWithANameTwiceIsNone(t *testing.T) {
	for _, modern := range []bool{false, true} {
		for _, large := range []bool{false, true} {
			for i, result := range append(append([]string{}, twice...), once...) {
				text := padded(result, large)
				if !json.Valid([]byte(text)) {
					t.Fatal(result)
				}
				c := bulky(t, modern, func(w http.ResponseWriter, id string) {
					respond(w, false, fmt.Sprintf(envelopes["Go"], id, text))
				})
				x, err := c.Call(t.Context(), mcpclient.Request{Method: "tools/call", Large: large})
				if err != nil {
					t.Fatal(err)
				}
				m, err := x.Next()
				if err == nil {
					err = m.Whole()
				}
				x.Close()
				refused := errors.Is(err, mcpclient.ErrProtocol) && errors.Is(err, mcpclient.ErrUnderway)
				if wrong := i < len(twice); wrong != refused || !wrong && err != nil {
					t.Errorf("%s, modern %t, large %t: %v", result, modern, large, err)
				}
			}
		}
	}
}

// Over stdio there is nothing else that would end the call.
func TestAProgramsResultWithANameTwiceEndsItsCall(t *testing.T) {
	c := connect(t, child("dies"))
	x := call(t, c, "double", `{}`)
	if m, err := x.Next(); !errors.Is(err, mcpclient.ErrProtocol) || !errors.Is(err, mcpclient.ErrUnderway) {
		t.Errorf("%s, %v", m.Result, err)
	}
	if got := textOf(t, next(t, call(t, c, "any", `{}`))); got != "plain" {
		t.Errorf("then: %q", got)
	}
}
