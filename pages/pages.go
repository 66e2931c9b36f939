// Package pages is the web site where people sign in, answer questions and
// connect their accounts.
//
// Its nouns: [Pages] is the site, an http.Handler. A [SignIn] finds out who a
// person is: [OIDC], [Verifier] (the host application says so) or [Dev] (a user
// picker). A session remembers it: a cookie with a random value, and a sealed
// record under the hash of that value. [Connections] is the vault behind the
// connect page.
//
//	site, err := pages.New(hub, &pages.Options{
//		PublicURL: "https://parley.example",
//		Records:   store,
//		Keys:      keys,
//		SignIn:    pages.OIDC(&pages.OIDCOptions{Issuer: "https://id.example", ClientID: "parley", ClientSecret: secret}),
//	})
//	…
//	http.Handle("/", site)
//
// A question is shown to the person it is for and to nobody else: to others it
// does not exist. That is checked whenever a page is opened and again whenever
// something is sent. Questions for a bare MCP session are for no person, so
// nobody finds them here.
//
// The site keeps nothing in memory that matters: any number of goroutines and
// processes may serve it over the same records.
package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/loopback"
	"github.com/parley-hq/parley/limit"
	"github.com/parley-hq/parley/passkey"
	"github.com/parley-hq/parley/seal"
)

// Options configures the site. Nil and zero fields mean the defaults; those
// without one are needed.
type Options struct {
	// PublicURL is where people reach the site, such as https://parley.example:
	// https, or http on a loopback address. It has no path.
	PublicURL string

	Records parley.Records // where sessions are kept, and which attempts to sign in were used
	Keys    *seal.Keyring  // seals them
	SignIn  SignIn         // how people sign in

	// Connections is the vault. Nil: the connect pages answer 404 with a
	// sentence.
	Connections Connections

	// Logins lets programs of people act as them, after a page where they say so. Nil:
	// there is no such page.
	Logins Logins

	// Slack is the app in Slack, whose users are linked to people here. Nil: there is no
	// such page.
	Slack Slack

	// Passkeys are those of people, who add and remove them on a page of the site, and sign
	// approvals with them. Nil: there is no such page, and what needs a signature cannot be
	// allowed.
	Passkeys *passkey.Keys

	// Bearer says who sends a request with a bearer token: programs of people answer
	// questions with one, at the same address as the inbox. Nil: nobody does.
	Bearer func(*http.Request) (parley.Principal, error)

	// Address is whom a request comes from. Default: its connection's address.
	Address func(*http.Request) string

	// Origins are the origins of windows that may open the site in a popup and
	// be told of the outcome, such as https://app.example. The site's own is
	// always one. Default: no other.
	Origins []string

	// Home is where people may go who signed in without wanting to go anywhere.
	// Default: nowhere; they are told who they are.
	Home Link

	// SignedIn is told of a person who signed in with an address that the provider has
	// verified. Default: nobody is.
	SignedIn func(ctx context.Context, p parley.Principal, email string)

	// Record is told of people who sign in and out. Whoever it cannot be told of is not
	// signed in. Default: nobody is told.
	Record parley.Recorder

	// Administers reports whether somebody manages their tenant: the inbox has a part
	// for it then. Whoever serves what is shown there checks it again. Default: nobody.
	Administers func(parley.Principal) bool

	Title      string        // name of the host application; default "Parley"
	SessionTTL time.Duration // how long people stay signed in; default 12 h
	Logger     *slog.Logger  // default slog.Default()
}

// Link is a place on the same host.
type Link struct {
	Path string // such as /
	Text string
}

// Pages is the site. Make it with New.
type Pages struct {
	hub     *parley.Hub
	opts    Options
	public  *url.URL // scheme and host only
	records parley.Records
	layout  *layout
	rates   deviceRates
	handler http.Handler
}

// New returns the site. It contacts nobody: an identity provider that is down
// stops no server from starting.
func New(hub *parley.Hub, opts *Options) (*Pages, error) {
	if hub == nil || opts == nil || opts.Records == nil || opts.Keys == nil || opts.SignIn == nil {
		return nil, errors.New("pages: a hub, Records, Keyring and SignIn are needed")
	}
	p := &Pages{hub: hub, opts: *opts, records: seal.Records(opts.Records, opts.Keys, nil), rates: newDeviceRates()}
	p.opts.Title = cmp.Or(p.opts.Title, "Parley")
	p.opts.SessionTTL = cmp.Or(p.opts.SessionTTL, 12*time.Hour)
	if p.opts.Logger == nil {
		p.opts.Logger = slog.Default()
	}
	if p.opts.Address == nil {
		p.opts.Address = func(r *http.Request) string { return limit.Address(r, nil) }
	}
	var err error
	if p.public, err = publicURL(opts.PublicURL); err != nil {
		return nil, err
	}
	if err := opts.SignIn.check(p.public); err != nil {
		return nil, err
	}
	if p.opts.Origins, err = origins(p.public, opts.Origins); err != nil {
		return nil, err
	}
	if p.layout, err = newLayout(); err != nil {
		return nil, err
	}
	p.handler, err = p.protect(p.routes())
	return p, err
}

// ServeHTTP serves the site.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.handler.ServeHTTP(w, r) }

func (p *Pages) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /login", p.showLogin)
	mux.HandleFunc("POST /login", p.takeLogin)
	if other, ok := p.opts.SignIn.(redirecting); ok {
		mux.HandleFunc("GET "+other.path(), p.finishLogin)
	}
	mux.HandleFunc("GET /logout", p.showLogout)
	mux.HandleFunc("POST /logout", p.takeLogout)
	mux.HandleFunc("GET /answer/{id}", p.showAnswer)
	mux.HandleFunc("POST /answer/{id}", p.takeAnswer)
	mux.HandleFunc("GET "+inboxPath, p.showInbox)
	if p.opts.Logins != nil {
		mux.HandleFunc("GET "+DevicePath, p.showDevice)
		mux.HandleFunc("POST "+DevicePath, p.takeDevice)
		mux.HandleFunc("POST "+DeviceAuthorizePath, p.startDevice)
		mux.HandleFunc("POST "+DeviceTokenPath, p.giveToken)
		mux.HandleFunc("POST "+DeviceRevokePath, p.takeToken)
	}
	if p.opts.Passkeys != nil {
		mux.HandleFunc("POST /answer/{id}/sign", p.askSignature)
		mux.HandleFunc("POST /auth/connect/sign", p.askConnectSignature)
		mux.HandleFunc("GET "+passkeysPath, p.showPasskeys)
		mux.HandleFunc("POST "+passkeysPath+"/begin", p.beginPasskey)
		mux.HandleFunc("POST "+passkeysPath+"/add", p.addPasskey)
		mux.HandleFunc("POST "+passkeysPath+"/rename", p.renamePasskey)
		mux.HandleFunc("POST "+passkeysPath+"/remove", p.removePasskey)
	}
	if p.opts.Slack != nil {
		mux.HandleFunc("GET "+SlackLinkPath, p.showSlackLink)
		mux.HandleFunc("POST "+SlackLinkPath, p.takeSlackLink)
		mux.HandleFunc("GET "+SlackInstallPath, p.startSlackInstall)
		mux.HandleFunc("GET "+SlackQuestionPath+"{id}", p.findSlackQuestion)
		mux.HandleFunc("GET "+slackOAuthPath, p.takeSlackInstall)
	}
	mux.HandleFunc("GET /auth/status", p.showStatus)
	mux.HandleFunc("GET /auth/connect", p.showConnect)
	mux.HandleFunc("POST /auth/connect", p.takeConnect)
	mux.HandleFunc("GET /oauth/connect/{provider}", p.showConnect)
	mux.HandleFunc("POST /oauth/connect/{provider}", p.takeConnect)
	mux.HandleFunc("GET /oauth/callback/{provider}", p.takeCallback)
	mux.HandleFunc("GET /oauth/client/{provider}", p.showClient)
	mux.HandleFunc("GET "+assetPath+"{hash}/{name}", p.serveAsset)
	mux.HandleFunc("GET /inbox/sw.js", p.serveWorker)
	mux.HandleFunc("GET /inbox/manifest.webmanifest", p.serveManifest)
	mux.HandleFunc("GET /inbox/icon.svg", p.serveIcon)
	mux.HandleFunc("GET /inbox/icons/{name}", p.serveIcons)
	return mux
}

// publicURL reads the address of the site. A path is refused because the
// session cookie belongs to the whole host.
func publicURL(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.Trim(u.Path, "/") != "":
		return nil, errors.New("pages: the public URL is not of the form https://host") // it may have a password
	case u.Scheme != "https" && (u.Scheme != "http" || !loopback.Host(u.Hostname())):
		return nil, fmt.Errorf("pages: the public URL %q is not https; http is for loopback addresses", raw)
	}
	return &url.URL{Scheme: u.Scheme, Host: strings.ToLower(u.Host)}, nil
}

// origins checks the origins of openers, and adds our own.
func origins(public *url.URL, others []string) ([]string, error) {
	list := []string{public.String()}
	for _, raw := range others {
		u, err := url.Parse(raw)
		if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") || raw != u.Scheme+"://"+u.Host {
			return nil, fmt.Errorf("pages: the origin %q is not of the form https://host", raw)
		}
		list = append(list, raw)
	}
	return list, nil
}
