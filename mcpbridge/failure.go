package mcpbridge

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/parley-hq/parley/mcpclient"
)

// sentence says to people what went wrong. The reasons are in the log.
func (b *bridge) sentence(err error) string {
	var status *mcpclient.StatusError
	switch {
	case errors.As(err, &status):
		return b.statusSentence(status)
	case errors.Is(err, errInterrupted):
		return "the session with " + b.endpoint + " ended during the call: try again"
	case errors.Is(err, errReconnect):
		return "the session with " + b.endpoint + " has ended: reconnect to the server"
	case errors.Is(err, mcpclient.ErrTooLarge):
		return fmt.Sprintf("the answer of %s is larger than %d bytes", b.endpoint, b.opts.MaxMessage)
	case errors.Is(err, mcpclient.ErrProtocol):
		return b.endpoint + " did not answer the request"
	case errors.Is(err, mcpclient.ErrUnderway):
		return "the connection to " + b.endpoint + " broke before the answer came"
	}
	return "cannot reach " + b.endpoint
}

func (b *bridge) statusSentence(e *mcpclient.StatusError) string {
	switch code := e.Code; {
	case code == http.StatusUnauthorized && b.opts.Header.Get("Authorization") == "":
		return "not signed in: run parley login, or set PARLEY_TOKEN"
	case code == http.StatusUnauthorized:
		return "not signed in: run parley login, or set PARLEY_TOKEN to a token that " + b.endpoint + " accepts"
	case code == http.StatusForbidden:
		return "not allowed: " + b.endpoint + " refuses the request"
	case code == http.StatusNotFound || code == http.StatusMethodNotAllowed:
		return "there is no MCP server at " + b.endpoint
	case code == http.StatusRequestEntityTooLarge:
		return "the message is too large for " + b.endpoint
	case code == http.StatusTooManyRequests:
		return b.endpoint + " has too many requests: try again later"
	case code/100 == 3 && e.Location != "":
		return b.endpoint + " has moved to " + e.Location
	case code >= 500:
		return fmt.Sprintf("%s does not work at the moment (%d %s)", b.endpoint, code, http.StatusText(code))
	}
	return fmt.Sprintf("%s does not accept the request (%d %s)", b.endpoint, e.Code, http.StatusText(e.Code))
}
