package vault

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// DiscoveryError says, to the administrator, why the authorization that an MCP
// server names cannot be used. A *ProviderError wraps it; its text is not for
// people who connect.
type DiscoveryError struct {
	Server   string     // its name
	Problems []*Problem // in the order in which places were asked
}

// Problem is one answer that cannot be used.
type Problem struct {
	URL    string // what was asked, without its query
	Field  string // what of the answer; empty: all of it
	Reason string

	cause     error
	temporary bool   // another try may mend it
	absent    bool   // there is nothing at this URL
	code      string // what the authorization server calls it
}

func (e *DiscoveryError) Error() string {
	texts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		texts[i] = p.Error()
	}
	return fmt.Sprintf("server %q: its authorization cannot be used: %s", e.Server, strings.Join(texts, "; "))
}

// Unwrap returns the problems.
func (e *DiscoveryError) Unwrap() []error {
	all := make([]error, len(e.Problems))
	for i, p := range e.Problems {
		all[i] = p
	}
	return all
}

func (p *Problem) Error() string {
	if p.Field == "" {
		return p.URL + ": " + p.Reason
	}
	return p.URL + ": " + p.Field + " " + p.Reason
}

// Unwrap returns why the URL was not reached, if it was not.
func (p *Problem) Unwrap() error { return p.cause }

// summary is what a person needs to know of a failed discovery.
func summary(err error) (temporary bool, code string) {
	var e *DiscoveryError
	if !errors.As(err, &e) {
		return false, ""
	}
	for _, p := range e.Problems {
		temporary = temporary || p.temporary
		code = cmp.Or(code, p.code)
	}
	return temporary, code
}

// failed ends a discovery with everything that stood in its way.
func (s *discoverer) failed(last ...*Problem) error {
	return &DiscoveryError{Server: s.server.Name, Problems: append(s.problems, last...)}
}

// shown is a URL as it may be logged: a query can hold a key.
func shown(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "a URL that cannot be read"
	}
	bare := url.URL{Scheme: u.Scheme, Opaque: u.Opaque, Host: u.Host, Path: u.Path}
	return shortened(bare.String())
}

// shortened keeps what others wrote from filling the log.
func shortened(s string) string {
	const limit = 300
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") + "…"
	}
	return s
}
