package api_test

import (
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/api"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/vault"
)

func Example() {
	store := parley.NewMemoryStore()
	hub := parley.New(store, nil)
	keys, err := seal.New([]byte("32 random bytes of configuration"))
	if err != nil {
		log.Fatal(err)
	}
	v, err := vault.New(hub, store, keys, &vault.Options{PublicURL: "https://parley.example"})
	if err != nil {
		log.Fatal(err)
	}
	permits, err := permit.New(hub, store, keys, nil)
	if err != nil {
		log.Fatal(err)
	}
	surface, err := api.New(hub, v, permits, seal.Records(store, keys, nil), &api.Options{
		Logger: slog.New(slog.DiscardHandler),
		Caller: func(r *http.Request) (api.Caller, error) {
			if r.Header.Get("Authorization") != "Bearer key-of-a-program" {
				return api.Caller{}, api.ErrUnauthenticated
			}
			return api.Caller{Principal: parley.Principal{Method: "api_key"}, Admin: true}, nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}

	send := func(method, path, body string) {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer key-of-a-program")
		w := httptest.NewRecorder()
		surface.ServeHTTP(w, r)
		fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	}
	send(http.MethodPost, "/api/services", `{"name": "drive", "provider": "google", "scopes": ["files"]}`)
	send(http.MethodPost, "/api/servers", `{"name": "files", "command": ["sh"]}`)
	// Output:
	// 201 {"name":"drive","provider":"google","scopes":["files"],"source":"api"}
	// 422 {"title":"Unprocessable Entity","status":422,"detail":"This cannot be taken as it is. Correct what is listed and send it again.","errors":[{"message":"a program is started only by the configuration; here a server has a url","location":"body.command"}]}
}
