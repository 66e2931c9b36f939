package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

// A gateway that has itself as a server would wait for its own list.
func TestAGatewayIsNoServerOfItsOwn(t *testing.T) {
	const own = "secrets: [\"a secret of the tests that is long enough\"]\nauth: {jwt: {issuer: https://a.example, audience: p, jwks_url: https://a.example/keys}}\n"
	const said = "servers.again.url: it is this gateway itself"
	for _, c := range []struct {
		head, url, gateway string
		refused            bool
	}{
		{"dev: true\n", "http://127.0.0.1:8420/mcp", "{}", true},
		{"dev: true\n", "http://localhost:8420/mcp/", "{}", true},
		{"dev: true\n", "http://[::1]:8420/mcp/servers/shop", "{}", true},
		{"dev: true\n", "http://127.0.0.1:8420/mcp?a=b", "{servers: [again, shop]}", true},
		{"dev: true\nlisten: 127.0.0.1:http\n", "http://localhost/mcp", "{}", true},
		{"dev: true\n", "http://127.0.0.1:8421/mcp", "{}", false},
		{"dev: true\n", "http://127.0.0.1:8420/mcp/agents/helper", "{}", false},
		{"dev: true\n", "http://127.0.0.1:8420/mcp", "{servers: [shop]}", false}, // agents may have it
		{"dev: true\n", "http://127.0.0.1:8420/mcp", "", false},
		{own + "listen: \":8420\"\npublic_url: https://Parley.example\nadvertise: http://10.0.0.2:8420\n", "https://parley.example:443/mcp", "{}", true},
		{own + "listen: \":8420\"\npublic_url: https://parley.example\nadvertise: http://10.0.0.2:8420\n", "http://10.0.0.2:8420/mcp/servers/again", "{}", true},
		{own + "listen: \":8420\"\npublic_url: https://parley.example\nadvertise: http://10.0.0.2:8420\n", "http://127.0.0.1:8420/mcp", "{}", true},
		{own + "listen: 10.0.0.2:8420\npublic_url: https://parley.example\n", "http://127.0.0.1:8420/mcp", "{}", false},
		{own + "listen: \":8420\"\npublic_url: https://parley.example\n", "https://other.example/mcp", "{}", false},
	} {
		text := c.head + "servers:\n  shop: {url: https://shop.example/mcp}\n  again: {url: \"" + c.url + "\"}\n"
		if c.gateway != "" {
			text += "gateway: " + c.gateway + "\n"
		}
		_, err := config.Parse([]byte(text), env(nil))
		if (err != nil) != c.refused || c.refused && !strings.Contains(fmt.Sprint(err), said) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
