// Package modelserver is what the clients of model servers have in common: where
// requests go, how long they wait, what a person is told when no answer comes,
// and in which form a model's own message is kept.
//
// A [Server] is the place. An [Exchange] is one request to it, with its repetitions
// and its answer, which is a stream of events:
//
//	ctx, exchange := server.Begin(ctx)
//	defer exchange.End()
//	err := exchange.Send(ctx, "/chat/completions", body)
//	…
//	event, err := exchange.Next(ctx)
//
// A Server is safe for concurrent use; an Exchange is for one goroutine.
package modelserver

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Options say which server it is.
type Options struct {
	BaseURL  string
	Key      string        // is never shown; who sends it does so with Header
	Header   http.Header   // of each request, besides what all have
	Client   *http.Client  // default: one of its own, over the default transport
	Patience time.Duration // how long the server may send nothing; default ten minutes
}

// Server is a server that has models.
type Server struct {
	Host string

	url      string
	client   *http.Client // follows no redirects
	header   http.Header
	name     string // what is safe to log
	key      string
	patience time.Duration
}

// errRedirect ends a request that would go elsewhere: what identifies us there
// is a header that only Go's own names are taken off from.
var errRedirect = errors.New("the server redirects: give the address that it redirects to")

// New checks the options.
func New(opts *Options) (*Server, error) {
	u, err := url.Parse(opts.BaseURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("the base URL is not one: it begins with https:// or http:// and has a host")
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("the base URL has a user, a query or a fragment: it takes none, and the key has its own field")
	}
	if strings.ContainsFunc(opts.Key, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return nil, errors.New("the API key has a space, a line break or another character that no key has: check where it comes from")
	}
	if opts.Patience < 0 {
		return nil, fmt.Errorf("the patience is %s: it cannot be negative", opts.Patience)
	}
	client := http.Client{}
	if opts.Client != nil {
		client = *opts.Client
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return errRedirect }
	s := &Server{
		Host: u.Hostname(), url: strings.TrimRight(u.String(), "/"), client: &client, header: opts.Header.Clone(),
		name: u.Host + strings.TrimRight(u.Path, "/"), key: opts.Key, patience: opts.Patience,
	}
	if s.patience == 0 {
		s.patience = 10 * time.Minute
	}
	if s.header == nil {
		s.header = http.Header{}
	}
	s.header.Set("Content-Type", "application/json")
	s.header.Set("Accept", "text/event-stream")
	s.header.Set("Accept-Encoding", "identity")
	s.header.Set("User-Agent", "parley")
	return s, nil
}
