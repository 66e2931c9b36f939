package mcpbridge_test

import (
	"net/http"
	"sync/atomic"
	"testing"
)

// Whoever answers at the address may send the token anywhere, if it is taken along.
func TestARedirectTakesTheTokenToNobodyElse(t *testing.T) {
	for name, to := range map[string]string{
		"another host":   "http://elsewhere.example/mcp",
		"a name below":   "http://sub.parley.internal/mcp",
		"another port":   "http://parley.internal:81/mcp",
		"another scheme": "https://parley.internal/mcp",
	} {
		t.Run(name, func(t *testing.T) {
			var told atomic.Int64
			opts := inProcess(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if told.Add(1) == 1 {
					w.Header().Set("Location", to)
					w.WriteHeader(http.StatusTemporaryRedirect)
					return
				}
				t.Errorf("%s was sent %s", r.Host, r.Header.Get("Authorization"))
			}))
			opts.Header = http.Header{"Authorization": {"Bearer secret"}}
			k := newTalk(t, opts)
			k.say(initialize)
			if got, want := k.failure("i", -32000), "http://parley.internal/mcp has moved to "+to; got != want {
				t.Errorf("got %q", got)
			}
		})
	}
}
