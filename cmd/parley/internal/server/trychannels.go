package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// tryChannels tries by whom people are told: the mail server up to where a letter would
// begin, and whether somebody listens where webhooks go. Nobody is told anything.
func (s *Server) tryChannels(try func(string, func(context.Context) (string, error))) {
	notices, err := s.cfg.Notices()
	if err != nil {
		return // New has refused it
	}
	if mail := notices.Mail; mail != nil {
		try("channels.smtp", func(ctx context.Context) (string, error) {
			says := "it takes letters"
			if mail.User != "" {
				says = "it takes the password"
			}
			return says, mail.Reach(ctx)
		})
	}
	for i, hook := range s.cfg.Channels.Webhooks {
		try(fmt.Sprintf("channels.webhooks[%d]", i), func(ctx context.Context) (string, error) {
			return "somebody listens there; nothing was sent", dial(ctx, hook.URL)
		})
	}
	if c := s.cfg.Nango; c != nil {
		try("nango", func(ctx context.Context) (string, error) {
			base := strings.TrimSuffix(cmp.Or(c.BaseURL, "https://api.nango.dev"), "/")
			return keyed(s.get(ctx, base+"/connections?connectionId=parley-check", "Authorization", "Bearer "+c.APIKey))
		})
	}
}

// dial connects to the host of a URL, by TLS where that is https, and says nothing.
func dial(ctx context.Context, where string) error {
	u, err := url.Parse(where)
	if err != nil {
		return errAnswer // New has refused it
	}
	address := net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme]))
	var conn net.Conn
	if u.Scheme == "https" {
		conn, err = (&tls.Dialer{Config: &tls.Config{MinVersion: tls.VersionTLS12}}).DialContext(ctx, "tcp", address)
	} else {
		conn, err = (&net.Dialer{}).DialContext(ctx, "tcp", address)
	}
	if err != nil {
		return err
	}
	return conn.Close()
}

// keyed is what an answer says of the key that was sent.
func keyed(answer *http.Response, err error) (string, error) {
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	switch code := answer.StatusCode; {
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return "", fmt.Errorf("%w: it refuses api_key with status %s", errAnswer, answer.Status)
	case code >= 500:
		return "", fmt.Errorf("%w: status %s", errAnswer, answer.Status)
	case code == http.StatusOK:
		return "it takes the key", nil
	}
	return "it answers; whether it takes the key is not known", nil
}
