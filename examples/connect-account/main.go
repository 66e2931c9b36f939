// Command connect-account calls a service on a person's behalf. The service
// wants the person's own OAuth token; there is none yet, so the program asks for
// it, waits while the person signs in, agrees and comes back, and goes on with
// the call.
//
//	go run ./examples/connect-account
//
// Open the link that it prints, sign in as alice, connect. The provider and the
// service are demonstrations in this program; nothing leaves your machine.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/demoprovider"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/pages"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/vault"
)

// app is everything: the demonstration of a service with its provider, and the
// program that calls it.
type app struct {
	hub   *parley.Hub
	vault *vault.Vault
	site  http.Handler // the hosted pages
	acme  http.Handler // the provider and its service

	client *http.Client
}

// newApp makes the program at the address site and the service at the address
// acme.
func newApp(site, acme string) (*app, error) {
	provider, err := demoprovider.New(&demoprovider.Options{
		Issuer:  acme,
		Clients: []demoprovider.Client{{ID: "parley", Secret: "demo-secret", Name: "Connect example", RedirectURIs: []string{site + "/oauth/callback/acme"}}},
	})
	if err != nil {
		return nil, err
	}
	store := parley.NewMemoryStore() // use sqlitestore, pgstore or redisstore to survive a restart
	keys, err := seal.New([]byte(rand.Text() + rand.Text()))
	if err != nil {
		return nil, err
	}
	hub := parley.New(store, &parley.Options{Sealer: keys})
	client := outbound.Client(&outbound.Options{Loopback: true}) // the demonstration is on this machine
	v, err := vault.New(hub, store, keys, &vault.Options{
		PublicURL: site,
		Client:    client,
		Providers: []vault.Provider{{
			Name: "acme", Title: "Acme Tracker", Issuer: acme, RequireIss: true,
			AuthURL: acme + "/authorize", TokenURL: acme + "/token", RevokeURL: acme + "/revoke",
			ClientID: "parley", ClientSecret: "demo-secret", Scopes: []string{"read"},
		}},
		Servers: []vault.Server{{
			Name: "tracker", Title: "Acme Tracker", URL: acme + "/tickets",
			Auth: vault.Auth{Type: vault.OAuth2, Scope: vault.User, Provider: "acme"},
		}},
	})
	if err != nil {
		return nil, err
	}
	web, err := pages.New(hub, &pages.Options{
		PublicURL: site, Records: store, Keys: keys, Connections: v, SignIn: pages.Dev("alice", "bob"),
	})
	if err != nil {
		return nil, err
	}
	return &app{hub: hub, vault: v, site: web, acme: service(provider), client: client}, nil
}

func (a *app) close() { a.client.CloseIdleConnections() }

// service lists a person's tickets to whoever has their token.
func service(provider *demoprovider.Provider) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", provider)
	mux.HandleFunc("GET /tickets", func(w http.ResponseWriter, r *http.Request) {
		var token string
		_, _ = fmt.Sscanf(r.Header.Get("Authorization"), "Bearer %s", &token)
		info, err := provider.Introspect(r.Context(), token)
		if err != nil || !info.Active {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		fmt.Fprintf(w, "Ticket 7 of %s: the coffee machine is out of order", info.User)
	})
	return mux
}

// tickets calls the service as the person, and asks them to connect first if
// that is needed. opened is told of the question.
func (a *app) tickets(ctx context.Context, p parley.Principal, opened func(parley.Request)) (string, error) {
	need := vault.Need{Tenant: p.Tenant, Server: "tracker", User: p.User}
	if _, err := a.vault.Obtain(ctx, p, need, &vault.ObtainOptions{Opened: opened}); err != nil {
		return "", err
	}
	server, err := a.vault.Server(ctx, p.Tenant, "tracker")
	if err != nil {
		return "", err
	}
	client := &http.Client{Transport: &vault.Transport{Vault: a.vault, Need: need}}
	answer, err := client.Get(server.URL)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return string(body), err
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "where the hosted pages listen")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *addr); err != nil && ctx.Err() == nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, addr string) error {
	front, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	back, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	a, err := newApp("http://"+front.Addr().String(), "http://"+back.Addr().String())
	if err != nil {
		return err
	}
	defer a.close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { _ = a.hub.Run(ctx) }()
	for listener, handler := range map[net.Listener]http.Handler{front: a.site, back: a.acme} {
		server := &http.Server{Handler: handler}
		context.AfterFunc(ctx, func() { _ = server.Close() })
		go func() { _ = server.Serve(listener) }()
	}
	alice := parley.Principal{User: "alice", Method: "example"} // yours comes from a verified token
	tickets, err := a.tickets(ctx, alice, func(q parley.Request) {
		fmt.Printf("%s\nOpen %s\nand sign in as alice. Waiting…\n", q.Text(), q.URL)
	})
	var ended *vault.NotConnectedError
	if errors.As(err, &ended) {
		fmt.Println(ended)
		return nil
	}
	if err == nil {
		fmt.Println(tickets)
	}
	return err
}
