package config_test

import (
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

// What serve would find out when it sends its first request, or its first letter.
func TestWhatNothingCanBeSentToIsRefusedAtItsKey(t *testing.T) {
	const model = "models:\n  big: {kind: openai, model: gpt-x, api_key: k, base_url: '"
	const desk = ", secret: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAbCdEf}]}\n"
	const node = "line 2: advertise: other nodes reach this one at a host and a port, and nothing else: write it like http://10.0.0.2:8420"
	for text, want := range map[string]string{
		"advertise: http://10.0.0.2:8420/node\n":      node,
		"advertise: http://10.0.0.2:8420?a=b\n":       node,
		"advertise: 10.0.0.2:8420\n":                  node,
		"advertise: http://u:HUNTER2@10.0.0.2:8420\n": node,
		"advertise: http://10.0.0.2:8420/\n":          "",
		"auth: {jwt: {issuer: 'https://id.example', audience: parley, jwks_url: 'id.example/keys'}}\n":                   "line 2: auth.jwt.jwks_url: the URL's scheme is not https; write https://host/path",
		"auth: {jwt: {issuer: 'https://id.example', audience: parley, jwks_url: 'https://u:HUNTER2@id.example/keys'}}\n": "line 2: auth.jwt.jwks_url: the URL has a user name in front of its host; leave it out",
		"auth: {oidc: {issuer: 'id.example', client_id: parley}}\n":                                                      "line 2: auth.oidc.issuer: the URL's scheme is not https; write https://host/path",
		"auth: {verifier: {url: 'ftp://HUNTER2@who.example'}}\n":                                                         "line 2: auth.verifier.url: the URL's scheme is not https; write https://host/path",
		"nango: {base_url: 'http://', key: k}\n":                                                                         "line 2: nango.base_url: the URL names no host; write https://host/path",
		model + "models.example/v1?key=HUNTER2'}\n":                                                                      "line 3: models.big.base_url: the URL's scheme is not https; write https://host/path",
		model + "https://models.example/v1#HUNTER2'}\n":                                                                  "line 3: models.big.base_url: models.example: the URL has a fragment; leave out what begins with #",
		model + "https://models.example/v1', max_tokens: -1}\n":                                                          "line 3: models.big.max_tokens: -1; it is 1 or more",
		"models:\n  big: {kind: demo}\nagents:\n  a: {model: big, steps: -2}\n":                                          "line 5: agents.a.steps: -2; it is 1 or more",
		"channels: {webhooks: [{name: desk, url: 'desk.example'" + desk:                                                  "line 2: channels.webhooks[0].url: the URL's scheme is not https; write https://host/path",
		"channels: {webhooks: [{name: desk" + desk:                                                                       "line 2: channels.webhooks[0].url: ",
		"channels: {smtp: {from: p@a.example, host: 'u:HUNTER2@mail.example'}}\n":                                        "line 2: channels.smtp.host: it is the server's name alone, such as mail.example.com; ",
		"channels: {smtp: {from: p@a.example, host: 'mail.example:587'}}\n":                                              "line 2: channels.smtp.host: it is the server's name alone, such as mail.example.com; ",
		"channels: {smtp: {from: p@a.example, host: '2001:db8::25'}}\n":                                                  "",
		"people: {\"a\\nb\": {email: a@a.example}}\n":                                                                    `line 2: people: "a\nb" cannot be the name of a person`,
		"people: {alice: {email: a@a.example, deputy: \"b\\tb\"}}\n":                                                     `line 2: people.alice.deputy: "b\tb" cannot be the name of a person`,
		"servers:\n  shop: {url: 'https://shop.example/mcp', auth: {type: api_key, header: 'X Key'}}\n":                  `line 3: servers.shop.auth.header: "X Key" cannot be the name of a header`,
		"servers:\n  shop: {url: 'https://shop.example/mcp', auth: {type: api_key, header: 'host'}}\n":                   "line 3: servers.shop.auth.header: no client can send a credential in Host",
		"servers:\n  shop: {url: 'https://shop.example/mcp', auth: {type: api_key, header: 'mcp-session-id'}}\n":         "line 3: servers.shop.auth.header: Mcp-Session-Id is a header of the protocol itself",
		"servers:\n  shop: {url: 'https://shop.example/mcp', auth: {type: api_key, header: 'Mcp-Param-Region'}}\n":       "line 3: servers.shop.auth.header: Mcp-Param-Region is a header of the protocol itself",
		"servers:\n  shop: {url: 'https://shop.example/mcp', auth: {type: api_key, header: 'traceparent'}}\n":            "line 3: servers.shop.auth.header: Traceparent is a header of the protocol itself",
		"servers:\n  shop: {url: 'https://shop.example:99999/mcp'}\n":                                                    "line 3: servers.shop.url: shop.example: the URL's port is not a number from 1 to 65535",
		"listen: 127.0.0.1:nonsense\n":                                                                                   `line 2: listen: "127.0.0.1:nonsense": a port is a number of at most 65535, or a name such as http-alt`,
		"listen: 127.0.0.1:99999\n":                                                                                      `line 2: listen: "127.0.0.1:99999": a port is a number of at most 65535`,
		"telemetry: {metrics: {listen: '127.0.0.1:99999'}}\n":                                                            `line 2: telemetry.metrics.listen: "127.0.0.1:99999": a port is a number of at most 65535`,
		"servers:\n  shop: {url: 'localhost:9000/mcp'}\n":                                                                "line 3: servers.shop.url: the URL does not begin with http:// or https://; for this machine write http://host:port/path",
		"servers:\n  shop: {url: '127.0.0.1:9000/mcp'}\n":                                                                "line 3: servers.shop.url: the URL does not begin with http:// or https://; for this machine write http://host:port/path",
		"servers:\n  shop: {url: 'shop.example/mcp'}\n":                                                                  "line 3: servers.shop.url: the URL's scheme is not https; write https://host/path",
		"providers:\n  acme: {client_id: x, auth_url: 'https://a.example/a'}\n":                                          "line 3: providers.acme.token_url: it is missing",
		"channels: {webhooks: [{name: desk, url: ''" + desk:                                                              "line 2: channels.webhooks[0].url: it is missing",
		"public_url: https://par\\tley.example\n":                                                                        `line 2: public_url: "https://par\\tley.example" is not an absolute URL without a path`,
		"public_url: 'https://parley.example:99999'\n":                                                                   `line 2: public_url: "https://parley.example:99999": parley.example: the URL's port is not a number from 1 to 65535`,
	} {
		_, err := config.Parse([]byte("dev: true\n"+text), nothing)
		switch {
		case want == "" && err != nil, want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %q", text, err, want)
		case err != nil && strings.Contains(err.Error(), "HUNTER2"):
			t.Errorf("a password is in %q", err)
		}
	}
}

func TestAPortMayBeCalledByItsName(t *testing.T) {
	c, err := config.Parse([]byte("dev: true\nlisten: 127.0.0.1:http-alt\n"), nothing)
	if err != nil || c.PublicURL != "http://127.0.0.1:8080" {
		t.Errorf("%s, %v", c.PublicURL, err)
	}
}

// An issuer is whatever tokens say, and it is printed.
func TestAnIssuersPasswordIsNotPrinted(t *testing.T) {
	c, err := config.Parse([]byte("public_url: https://parley.example\nsecrets: [\"q7Zk2m9Xw4Tn8Rb5Vc1Ys6Hd3Lf0Gj2P\"]\nauth:\n"+
		"  jwt: {issuer: 'https://u:HUNTER2@id.example', audience: parley, jwks_url: 'https://id.example/keys'}\n"+
		"  oidc: {issuer: 'https://login.example', client_id: parley, client_secret: x}\n"), nothing)
	if err != nil {
		t.Fatal(err)
	}
	said := c.Explain() + strings.Join(c.Warnings(), "\n")
	if strings.Contains(said, "HUNTER2") || !strings.Contains(said, "believes tokens of https://id.example for parley") {
		t.Error(said)
	}
}
