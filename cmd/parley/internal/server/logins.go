package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/login"
	"github.com/parley-hq/parley/pages"
)

var (
	errLoggedOut = &parley.CredentialError{Reason: "the login has expired or was ended: log in again with parley login"}
	errNoAnswers = &parley.CredentialError{Reason: "questions are answered by a person: on the page, in the inbox, or with a token of parley login"}
	errOnlyMCP   = &parley.CredentialError{Reason: "this login is for MCP only: log in with parley login"}
)

// loggedIn says whose the token of a login is. It has no claims: whoever logs a
// program in gives it neither scopes nor the management of a tenant.
func (i *identity) loggedIn(ctx context.Context, token string, mcp bool) (parley.Principal, error) {
	known, err := i.logins.Verify(ctx, token)
	switch {
	case errors.Is(err, login.ErrRefused):
		return parley.Principal{}, fmt.Errorf("%w: %w", chat.ErrUnauthenticated, errLoggedOut)
	case err != nil:
		return parley.Principal{}, err
	case known.Scope == login.OnlyMCP && !mcp:
		return parley.Principal{}, fmt.Errorf("%w: %w", chat.ErrUnauthenticated, errOnlyMCP)
	}
	return known.Principal(), nil
}

// isMCP reports whether a resource is an endpoint of MCP: agents over A2A are resources, too.
func isMCP(resource string) bool {
	u, err := url.Parse(resource)
	return err == nil && strings.HasPrefix(u.Path+"/", gateway.Path+"/")
}

// answersWithToken is who answers a question with a bearer token at its page's
// address. Only a login's counts: its person has said on a page that the program acts
// for them. One of an issuer's is in the hands of MCP clients too, which would answer
// questions about their own calls.
func (s *Server) answersWithToken(r *http.Request) (parley.Principal, error) {
	who, err := s.identity.principal(r)
	if err == nil && who.ByToken() {
		return parley.Principal{}, fmt.Errorf("%w: %w", pages.ErrNotSignedIn, errNoAnswers)
	}
	if errors.Is(err, chat.ErrUnauthenticated) {
		err = fmt.Errorf("%w: %w", pages.ErrNotSignedIn, err)
	}
	return who, err
}
