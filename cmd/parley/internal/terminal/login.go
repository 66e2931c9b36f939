package terminal

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/parley-hq/parley/cmd/parley/internal/loggedin"
	"github.com/parley-hq/parley/login"
)

// Login gets a token for the programs of this machine, after the person has said so in
// their browser, and keeps it for them.
func Login(ctx context.Context, args []string) error {
	return logIn(ctx, args, os.Stdout, openBrowser)
}

// Logout ends the logins of this machine at a server.
func Logout(ctx context.Context, args []string) error { return logOut(ctx, args, os.Stdout) }

// deviceReply is what the endpoints of RFC 8628 and RFC 6749 answer.
type deviceReply struct {
	DeviceCode string `json:"device_code"`
	UserCode   string `json:"user_code"`
	Page       string `json:"verification_uri"`
	Complete   string `json:"verification_uri_complete"`
	Expires    int    `json:"expires_in"`
	Interval   int    `json:"interval"`

	Token string `json:"access_token"`
	ID    string `json:"login_id"`
	User  string `json:"user"`

	Code        string `json:"error"`
	Description string `json:"error_description"`
}

func logIn(ctx context.Context, args []string, out io.Writer, show func(page string) bool) error {
	flags := flag.NewFlagSet("parley login", flag.ContinueOnError)
	var server string
	serverFlag(flags, &server)
	program := flags.String("name", programName(), "what the page calls this program")
	only := flags.Bool("mcp-only", false, "for parley mcp alone: the token answers no questions elsewhere")
	plain := flags.Bool("no-keychain", false, "keep the token in a file that only you can read, not in the system's keychain")
	quiet := flags.Bool("no-browser", false, "open no browser")
	if err := ParseFlags(flags, args); err != nil {
		return err
	}
	if err := NothingElse("login", flags.Args()); err != nil {
		return err
	}
	s, err := newService(server, "", true)
	if err != nil {
		return err
	}
	defer s.client.CloseIdleConnections()
	book, err := loggedin.Open(*plain)
	if err != nil {
		return err
	}
	scope := ""
	if *only {
		scope = string(login.OnlyMCP)
	}
	before, had, err := book.Find(ctx, s.base, scope)
	if err != nil && !errors.Is(err, loggedin.ErrKeychain) {
		return err
	}
	verifier := rand.Text() + rand.Text()
	begun, err := s.device(ctx, "/device/authorize", url.Values{
		"client_id": {"parley"}, "client_name": {*program}, "scope": {scope}, "code_challenge": {login.Challenge(verifier)}, "code_challenge_method": {"S256"},
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Open  %s\nCode  %s\n\nSign in there and compare the code. This waits until you have; Ctrl-C stops it.\n", word(begun.Complete), word(begun.UserCode))
	if !*quiet && webPage(begun.Complete) && show(begun.Complete) {
		fmt.Fprintln(out, "Your browser opens it.")
	}
	got, err := s.awaitToken(ctx, begun, verifier)
	if err != nil {
		return err
	}
	until := time.Now().Add(time.Duration(got.Expires) * time.Second)
	where, err := book.Keep(ctx, s.base, scope, loggedin.Login{ID: got.ID, User: got.User, Expires: until, Token: got.Token})
	if err != nil {
		return errors.Join(fmt.Errorf("the token cannot be kept: %w", err), s.revoke(context.WithoutCancel(ctx), got.Token))
	}
	if had { // one is enough; that of before is not kept here any more
		if err := s.revoke(ctx, before.Token); err != nil {
			fmt.Fprintf(out, "Your earlier login %s could not be ended: %s\n", word(before.ID), clean(err.Error()))
		}
	}
	fmt.Fprintf(out, "Logged in at %s as %s until %s. The token is in %s; parley logout ends it.\n", s.base, word(got.User), until.Format("2 January 2006"), where)
	return nil
}

// programName is what this program calls itself unless it is told otherwise.
func programName() string {
	host, err := os.Hostname()
	if err != nil || len(host) > 80 {
		return "parley"
	}
	return "parley on " + host
}

// webPage reports whether an address may be given to a browser.
func webPage(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil
}

// errDevice is an error of RFC 8628, by its code.
type errDevice struct {
	status int
	code   string
	said   string
}

func (e *errDevice) Error() string {
	switch e.code {
	case "access_denied":
		return "the login was refused: " + clean(e.said)
	case "expired_token":
		return "nobody allowed the login in time: run parley login again"
	case "":
		return fmt.Sprintf("the server has no parley login (it answered %d %s): is it an older one, or another program?", e.status, http.StatusText(e.status))
	}
	return "the login failed: " + clean(e.said)
}

// device sends a form to an endpoint of the device flow.
func (s *service) device(ctx context.Context, path string, form url.Values) (reply deviceReply, err error) {
	answer, err := s.postForm(ctx, path, form)
	if err != nil {
		return reply, err
	}
	defer answer.Body.Close()
	unread := json.NewDecoder(io.LimitReader(answer.Body, 1<<20)).Decode(&reply)
	if answer.StatusCode != http.StatusOK || unread != nil {
		return reply, &errDevice{status: answer.StatusCode, code: reply.Code, said: reply.Description}
	}
	return reply, nil
}

// awaitToken asks for the token until the person has decided, as often as the server
// wants to be asked.
func (s *service) awaitToken(ctx context.Context, begun deviceReply, verifier string) (deviceReply, error) {
	pause := time.Duration(max(1, begun.Interval)) * time.Second
	ends := time.Now().Add(time.Duration(begun.Expires) * time.Second)
	for {
		select {
		case <-ctx.Done():
			return deviceReply{}, errors.New("stopped: nobody is logged in")
		case <-time.After(pause):
		}
		got, err := s.device(ctx, "/device/token", url.Values{
			"grant_type": {"urn:ietf:params:oauth:grant-type:device_code"}, "client_id": {"parley"}, "device_code": {begun.DeviceCode}, "code_verifier": {verifier},
		})
		var refused *errDevice
		switch isRefused := errors.As(err, &refused); {
		case err == nil && got.Token != "":
			return got, nil
		case isRefused && refused.code == "slow_down":
			pause += time.Second
		case isRefused && refused.code != "authorization_pending" && refused.status < http.StatusInternalServerError:
			return got, err
		case !isRefused && time.Now().After(ends):
			return got, err
		}
		if time.Now().After(ends.Add(time.Minute)) {
			return got, &errDevice{code: "expired_token"}
		}
	}
}

// revoke ends the login of a token.
func (s *service) revoke(ctx context.Context, token string) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	_, err := s.device(ctx, "/device/revoke", url.Values{"token": {token}})
	return err
}

func logOut(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("parley logout", flag.ContinueOnError)
	var server string
	serverFlag(flags, &server)
	if err := ParseFlags(flags, args); err != nil {
		return err
	}
	if err := NothingElse("logout", flags.Args()); err != nil {
		return err
	}
	s, err := newService(server, "", true)
	if err != nil {
		return err
	}
	defer s.client.CloseIdleConnections()
	book, err := loggedin.Open(false)
	if err != nil {
		return err
	}
	none := true
	for _, scope := range []string{"", string(login.OnlyMCP)} {
		found, ok, err := book.Find(ctx, s.base, scope)
		if err != nil {
			return err
		}
		if found.ID == "" {
			continue
		}
		none = false
		var ended error
		if ok {
			ended = s.revoke(ctx, found.Token)
		}
		if err := book.Forget(ctx, s.base, scope); err != nil {
			return err
		}
		if ended != nil {
			return fmt.Errorf("the token is forgotten here, but the server did not end it: DELETE /api/logins/%s does, or it ends on %s (%s)",
				word(found.ID), found.Expires.Format("2 January 2006"), strings.TrimSpace(clean(ended.Error())))
		}
	}
	if none {
		fmt.Fprintf(out, "Nobody is logged in at %s on this machine.\n", s.base)
		return nil
	}
	fmt.Fprintf(out, "Logged out at %s.\n", s.base)
	return nil
}
