package demoprovider

import (
	"cmp"
	"crypto/subtle"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/parley-hq/parley/internal/loopback"
)

const keptClients = 1_000

// application is a client, known in advance or registered by itself.
type application struct {
	id, secret, name string
	redirectURIs     []string
	scopes           []string // that it may ask for
	registered       bool     // by itself: nobody has checked its name
	native           bool     // any port of a loopback address will do
	token            string   // for its registration
	metadata         map[string]any
}

func (a application) label() string { return cmp.Or(a.name, a.id) }

// redirectsTo reports whether the application may be answered there. URIs are
// compared to the letter, those of native ones without the port of a loopback
// address (RFC 8252, section 7.3).
func (a application) redirectsTo(uri string) bool {
	return slices.ContainsFunc(a.redirectURIs, func(known string) bool {
		return known == uri || a.native && isLoopbackAddress(uri) && withoutPort(known) == withoutPort(uri)
	})
}

func isLoopbackAddress(uri string) bool {
	u, err := url.Parse(uri)
	return err == nil && loopback.Host(u.Hostname()) && u.Hostname() != "localhost"
}

func withoutPort(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Port() == "" || !isLoopbackAddress(uri) {
		return uri
	}
	u.Host = strings.TrimSuffix(u.Host, ":"+u.Port())
	return u.String()
}

// clients remembers the applications.
type clients struct {
	known map[string]application

	mu         sync.Mutex
	registered *shelf[application]
}

func newClients(known []Client, scopes []string) *clients {
	all := &clients{known: map[string]application{}, registered: newShelf[application](keptClients)}
	for _, c := range known {
		all.known[c.ID] = application{id: c.ID, secret: c.Secret, name: c.Name, redirectURIs: slices.Clone(c.RedirectURIs), scopes: scopes}
	}
	return all
}

func (c *clients) get(id string) (application, bool) {
	if app, ok := c.known[id]; ok {
		return app, true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.registered.get(id)
}

func (c *clients) register(app application) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.registered.put(app.id, app)
}

func (c *clients) forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.registered.drop(id)
}

// authenticated returns the application that sent a form, which says its secret in
// the header, encoded as RFC 6749, section 2.3.1 has it, or in the body, and not
// in both.
func (c *clients) authenticated(r *http.Request) (application, *refusal) {
	wrong := &refusal{"invalid_client", "the application is not known, or its secret is wrong"}
	id, secret := r.PostForm.Get("client_id"), r.PostForm.Get("client_secret")
	if user, password, ok := r.BasicAuth(); ok {
		name, errName := url.QueryUnescape(user)
		inHeader, errSecret := url.QueryUnescape(password)
		if errName != nil || errSecret != nil || r.PostForm.Has("client_secret") || id != "" && id != name {
			return application{}, wrong
		}
		id, secret = name, inHeader
	}
	app, ok := c.get(id)
	if !ok || subtle.ConstantTimeCompare([]byte(app.secret), []byte(secret)) != 1 {
		return application{}, wrong
	}
	return app, nil
}
