package chat

import (
	"net/http"
	"strings"
)

// apiError is an error of OpenAI's API.
type apiError struct {
	Error apiErrorBody `json:"error"`
}

type apiErrorBody struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    *string `json:"code"`
}

func runFailed(text string) apiError {
	code := "run_failed"
	return apiError{apiErrorBody{Message: text, Type: "server_error", Code: &code}}
}

// newAPIError is a refusal in the words of OpenAI's API.
func newAPIError(said *refusal) apiError {
	e := apiErrorBody{Message: said.text, Type: "invalid_request_error"}
	code, param := said.code, said.param
	switch {
	case said.status == http.StatusUnauthorized:
		e.Type = "authentication_error"
	case said.status == http.StatusForbidden:
		e.Type = "permission_error"
	case said.status == http.StatusTooManyRequests:
		e.Type, code = "rate_limit_error", "rate_limit_exceeded"
	case said.status >= http.StatusInternalServerError:
		e.Type = "server_error"
	}
	if code != "" {
		e.Code = &code
	}
	if param != "" {
		e.Param = &param
	}
	return apiError{e}
}

func (c *Chat) failCompletion(w http.ResponseWriter, r *http.Request, err error) {
	said := c.explainTo(r, err)
	said.announce(w)
	reply(w, said.status, newAPIError(said))
}

// failHere answers an error that came before any handler was asked, in the words
// of the surface that the path belongs to.
func (c *Chat) failHere(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case strings.HasPrefix(r.URL.Path, "/run/v1/"):
		c.failCompletion(w, r, err)
	case r.URL.Path == "/run/sse":
		c.failEvent(w, r, err)
	default:
		c.fail(w, r, err)
	}
}
