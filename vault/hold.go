package vault

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/oauth2"

	"github.com/parley-hq/parley"
)

// App is the scope of tokens that a service gave this program for itself, such as the one of
// a workspace that its app was installed in. They are for no server's calls, and nobody's
// list has them.
const App Scope = "app"

// Token is what a service gives for a consent or for a refresh token.
type Token struct {
	Access  string
	Refresh string    // empty: as before, or none
	Expires time.Time // zero: never
}

func (t Token) oauth2() *oauth2.Token {
	return &oauth2.Token{AccessToken: t.Access, RefreshToken: t.Refresh, Expiry: t.Expires}
}

// Hold keeps a token of the scope App, in place of the one before.
func (v *Vault) Hold(ctx context.Context, key Key, t Token) error {
	s := stored{Type: OAuth2, Status: Active, Created: v.now(), Connected: v.now()}
	s.take(t.oauth2())
	return v.replace(ctx, key, &s)
}

// Held returns the token that Hold keeps. One that ends soon is renewed first, by one of all
// who want it, as those of servers are; renew asks the service, and answers with
// ErrRenewal where it refuses. parley.ErrNotFound; ErrRenewal where the token is no good any
// more.
func (v *Vault) Held(ctx context.Context, key Key, renew func(ctx context.Context, refresh string) (Token, error)) (string, error) {
	s, err := v.load(ctx, key)
	if err != nil {
		return "", err
	}
	if s.Status == Active && v.expiring(s) {
		s, err = v.refresh(ctx, key, s, func(ctx context.Context, s stored) (*oauth2.Token, error) {
			asking, stop := context.WithTimeout(ctx, tokenTimeout)
			defer stop()
			t, err := renew(asking, s.Refresh)
			switch {
			case errors.Is(err, ErrRenewal):
				return nil, &ProviderError{Provider: key.Server, Code: "invalid_grant", cause: err}
			case err != nil:
				return nil, &ProviderError{Provider: key.Server, Temporary: true, cause: err}
			}
			return t.oauth2(), nil
		})
		if err != nil {
			return "", err
		}
	}
	if s.Status != Active {
		return "", fmt.Errorf("%v is %s: %w", key, s.Status, ErrRenewal)
	}
	return s.Secret, nil
}

// ErrRenewal says that a service takes a refresh token no longer.
var ErrRenewal = errors.New("the service does not renew the token")

// Drop forgets what Hold keeps.
func (v *Vault) Drop(ctx context.Context, key Key) error {
	if err := v.records.Delete(ctx, key.address(), 0); err != nil && !errors.Is(err, parley.ErrNotFound) {
		return err
	}
	return nil
}
