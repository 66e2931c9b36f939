package terminal

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/cmd/parley/internal/carrier"
	"github.com/parley-hq/parley/cmd/parley/internal/loggedin"
	"github.com/parley-hq/parley/login"
)

// service is a server, for one person.
type service struct {
	base     string // its address, without a path
	token    string
	loggedIn bool   // the token is that of a login on this machine
	onlyMCP  bool   // the only login on this machine is for MCP: its token is not used
	user     string // who the person is there, if that is known here
	client   *http.Client
}

// newService returns the server at an address. secret says that the person is
// known there by a token or a cookie.
func newService(address, token string, secret bool) (*service, error) {
	said := "--server"
	if address != defaultServer && address == os.Getenv(serverVariable) {
		said = serverVariable
	}
	u, err := carrier.URL(said, address, defaultServer, secret)
	if err != nil {
		return nil, err
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	return &service{
		base: loggedin.Origin(u), token: token,
		client: &http.Client{
			Jar: jar, Transport: carrier.New(u, secret),
			// What we send is for this server alone.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

const (
	defaultServer  = "http://127.0.0.1:8420"
	serverVariable = "PARLEY_SERVER"
	tokenVariable  = "PARLEY_TOKEN"
)

// account is which server a person means, and who they are there, by the flags that
// commands share.
type account struct{ server, token, user string }

func (a *account) flags(of *flag.FlagSet) {
	serverFlag(of, &a.server)
	of.StringVar(&a.token, "token", "", "a bearer token; default $"+tokenVariable+", or that of parley login") // help would show a default
	of.StringVar(&a.user, "user", "", "sign in by name, at a development server")
}

func serverFlag(of *flag.FlagSet, into *string) {
	of.StringVar(into, "server", cmp.Or(os.Getenv(serverVariable), defaultServer), "where the server is; default $"+serverVariable)
}

// open returns the server, where the person is known by name, by the token that they
// gave, or else by their login.
func (a *account) open(ctx context.Context) (*service, error) {
	token := cmp.Or(a.token, os.Getenv(tokenVariable))
	switch {
	case a.user != "":
		s, err := newService(a.server, "", true)
		if err != nil {
			return nil, err
		}
		s.user = strings.TrimSpace(a.user) // as the sign-in page takes it
		if err = s.signIn(ctx, s.user); err != nil {
			s.client.CloseIdleConnections()
		}
		return s, err
	case token != "":
		s, err := newService(a.server, token, true)
		if err == nil {
			s.user = subject(token)
		}
		return s, err
	}
	s, err := newService(a.server, "", false)
	if err != nil {
		return nil, err
	}
	book, err := loggedin.Open(false)
	if err != nil {
		return s, nil // nobody can be logged in
	}
	found, ok, err := book.Find(ctx, s.base, "")
	if err != nil {
		return s, err
	}
	if !ok {
		_, s.onlyMCP, _ = book.Find(ctx, s.base, string(login.OnlyMCP)) // only to say so
		return s, nil
	}
	if s, err = newService(a.server, found.Token, true); err == nil {
		s.loggedIn, s.user = true, found.User
	}
	return s, err
}

// ofIssuer reports whether the person is known by a JSON Web Token: of those a server takes
// no answers.
func (s *service) ofIssuer() bool { return subject(s.token) != "" }

// subject is whose a JSON Web Token says it is, if it is one. Nothing is decided by it
// here: the server verifies it.
func subject(token string) string {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return ""
	}
	var claims struct {
		Subject string `json:"sub"`
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || json.Unmarshal(payload, &claims) != nil {
		return ""
	}
	return claims.Subject
}

// refusal is what a server answered instead of doing what it was asked.
type refusal struct {
	status int
	from   *service
	Text   string `json:"error"`
	Detail string `json:"detail"` // of the management API
	Fields []struct {
		Field   string `json:"field"`
		Message string `json:"message"`
	} `json:"fields"`
}

func (r *refusal) Error() string {
	said := clean(cmp.Or(r.Text, r.Detail))
	if r.status != http.StatusUnauthorized {
		return cmp.Or(said, fmt.Sprintf("the server answered %d %s", r.status, http.StatusText(r.status)))
	}
	again := "run parley login --server " + r.from.base
	switch {
	case r.from.loggedIn:
		return "your login at " + r.from.base + " does not hold any more: " + again
	case r.from.onlyMCP:
		return "your login at " + r.from.base + " is for MCP only: " + again + " without --mcp-only"
	case r.from.token != "":
		return "the server refuses your token: " + cmp.Or(said, "it does not say why") + " Give another with --token or in PARLEY_TOKEN, or " + again + "; at a development server --user NAME is enough"
	}
	return "the server does not know who you are: " + again + ", give --token, or --user NAME if it is a development server"
}

// do sends a request; an answer that is no success is a *refusal.
func (s *service) do(ctx context.Context, method, path string, body any) (*http.Response, error) {
	var sent io.Reader = http.NoBody
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		sent = bytes.NewReader(data)
	}
	r, err := http.NewRequestWithContext(ctx, method, s.base+path, sent)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("x-supports-elicitation", "true")
	if s.token != "" {
		r.Header.Set("Authorization", "Bearer "+s.token)
	}
	answer, err := s.send(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode/100 == 2 {
		return answer, nil
	}
	defer answer.Body.Close()
	return nil, s.refused(answer)
}

// refused is an answer that is no success.
func (s *service) refused(answer *http.Response) *refusal {
	r := &refusal{status: answer.StatusCode, from: s}
	_ = json.NewDecoder(io.LimitReader(answer.Body, 1<<20)).Decode(r) // other answers have no text for people
	return r
}

// signIn signs in at a development server, where a name is enough.
func (s *service) signIn(ctx context.Context, user string) error {
	if !parley.ValidName(user) {
		return fmt.Errorf("--user takes the name of a user, and %+q is none", cut(user, 80))
	}
	answer, err := s.postForm(ctx, "/login", url.Values{"user": {user}})
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusSeeOther:
		return nil
	case http.StatusOK, http.StatusNotFound, http.StatusMethodNotAllowed: // the way to another sign-in, or none at all
		return fmt.Errorf("%s does not let %q sign in by name; only development servers do, others take parley login or --token", s.base, user)
	}
	refused := s.refused(answer)
	said := fmt.Sprintf("%s did not let %q sign in: it answered %d %s", s.base, user, refused.status, http.StatusText(refused.status))
	if words := cmp.Or(refused.Text, refused.Detail); words != "" {
		said += ": " + clean(words)
	}
	return errors.New(said)
}

// postForm sends a form, as a page of the server does.
func (s *service) postForm(ctx context.Context, path string, form url.Values) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", s.base)
	return s.send(r)
}
