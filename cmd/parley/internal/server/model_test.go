package server_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/server"
)

func TestTheLongestAnswerOfTheConfigurationIsPassedOn(t *testing.T) {
	for _, kind := range []string{"openai", "anthropic"} {
		asked := make(chan string, 10)
		model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			asked <- string(body)
			http.Error(w, `{"error":{"message":"no"}}`, http.StatusBadRequest)
		}))
		base := listening(t, fmt.Sprintf("listen: ADDRESS\nstore: \"memory:\"\ndev: true\nmodels: {m: {kind: %s, base_url: %q, api_key: k, model: x, max_tokens: 77}}\nagents: {assistant: {model: m}}\n", kind, model.URL))
		sent(t, http.MethodPost, base+"/run/api/chat", server.DevToken("ann"), `{"messages":[{"role":"user","parts":[{"type":"text","text":"Hello"}]}]}`)
		if body := <-asked; !regexp.MustCompile(`"max_(completion_)?tokens":\s*77\b`).MatchString(body) {
			t.Errorf("%s was asked %s", kind, body)
		}
		model.CloseClientConnections()
		model.Close()
	}
}
