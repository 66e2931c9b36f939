package vault

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/parley-hq/parley/outbound"
)

// opening is what every MCP client says first. Servers that want a credential
// refuse it before they read it.
const opening = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{},"clientInfo":{"name":"parley","version":"1"}}}`

// challenge is what a server says when it is called without a credential.
type challenge struct {
	metadata string // where it describes itself; empty: where everybody does
	scopes   []string
}

// probing returns a client that stays at the server it calls: what another one
// says about its authorization does not count.
func probing(c *http.Client) *http.Client {
	own := &http.Client{Transport: c.Transport, Timeout: c.Timeout}
	own.CheckRedirect = func(next *http.Request, via []*http.Request) error {
		if origin(next.URL.String()) != origin(via[0].URL.String()) || len(via) > maxRedirects {
			return http.ErrUseLastResponse
		}
		if c.CheckRedirect != nil {
			return c.CheckRedirect(next, via)
		}
		return nil
	}
	return own
}

// probe calls the server once, without any credential.
func (s *discoverer) probe(ctx context.Context) (challenge, error) {
	problem := &Problem{URL: shown(s.server.URL)}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.server.URL, strings.NewReader(opening))
	if err != nil {
		problem.Reason = "is not a URL"
		return challenge{}, s.failed(problem)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	answer, err := s.prober.Do(r)
	if err != nil {
		problem.cause = transportError(err)
		problem.temporary = !errors.Is(err, outbound.ErrForbidden)
		problem.Reason = shortened(fmt.Sprintf("cannot be reached: %v", problem.cause))
		return challenge{}, s.failed(problem)
	}
	answer.Body.Close() // unread: it may be a stream that never ends
	switch status := answer.StatusCode; {
	case passing(status):
		problem.temporary, problem.Reason = true, fmt.Sprintf("status %d", status)
	case status >= 400:
		if status != http.StatusUnauthorized {
			problem.Reason = fmt.Sprintf("status %d, where 401 was expected: check the server's URL", status)
			s.problems = append(s.problems, problem) // told if nothing else helps
		}
		return readChallenge(answer.Header.Values("WWW-Authenticate")), nil
	case status >= 300:
		problem.Reason = fmt.Sprintf("sends us on to %s: configure the server's final URL", shown(answer.Header.Get("Location")))
	default:
		problem.Reason = "answers without a credential: set auth.type to none"
	}
	return challenge{}, s.failed(problem)
}

// readChallenge takes what it understands. A header that cannot be read does
// not hide the others.
func readChallenge(headers []string) challenge {
	var c challenge
	for _, header := range headers {
		all, err := oauthex.ParseWWWAuthenticate([]string{header})
		if err != nil {
			continue
		}
		for _, one := range all {
			if c.metadata == "" {
				c.metadata = one.Params["resource_metadata"]
			}
			if one.Scheme == "bearer" && c.scopes == nil {
				c.scopes = strings.Fields(one.Params["scope"])
			}
		}
	}
	return c
}

const maxScopes = 4 << 10

// wrongScopes says why scopes that somebody else wrote are not put into a URL
// and before a person.
func wrongScopes(scopes []string) string {
	length := 0
	for _, one := range scopes {
		if one == "" || strings.ContainsFunc(one, notInScope) {
			return fmt.Sprintf("has %.60q, which is no scope", one)
		}
		if length += len(one) + 1; length > maxScopes {
			return fmt.Sprintf("has more than %d characters", maxScopes)
		}
	}
	return ""
}

// notInScope tells the characters that RFC 6749 leaves out.
func notInScope(r rune) bool { return r <= ' ' || r == '"' || r == '\\' || r > '~' }
