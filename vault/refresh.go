package vault

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"time"

	"golang.org/x/oauth2"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/patience"
)

// leaseTime is how long one process may take to refresh a token.
const leaseTime = tokenTimeout + 10*time.Second

// expiring reports whether s is due for a refresh.
func (v *Vault) expiring(s stored) bool {
	return !s.Expires.IsZero() && v.now().Add(v.opts.RefreshBefore).After(s.Expires)
}

func (v *Vault) expired(s stored) bool {
	return !s.Expires.IsZero() && !v.now().Before(s.Expires)
}

// renewal asks whoever issued a connection for another token.
type renewal func(context.Context, stored) (*oauth2.Token, error)

// atProvider renews at the provider that issued the connection.
func (v *Vault) atProvider(server Server, key Key) renewal {
	return func(ctx context.Context, s stored) (*oauth2.Token, error) {
		provider, err := v.issuerOf(ctx, server, key, s)
		if err != nil {
			return nil, err
		}
		token, err := v.renew(ctx, provider, s.Scopes, s.Refresh)
		var failed *ProviderError
		if err != nil && !(errors.As(err, &failed) && failed.Code == "invalid_grant") {
			v.forgetClient(ctx, provider, err)
		}
		return token, err
	}
}

// refresh returns the connection with a token that lasts a while. Of all
// goroutines and processes that want the same one refreshed, one asks the
// provider; it does so to the end, even if its caller goes away, because a
// provider that rotates refresh tokens gives each of them once.
func (v *Vault) refresh(ctx context.Context, key Key, s stored, renew renewal) (stored, error) {
	if s.Refresh == "" {
		if v.expired(s) {
			s.Status = Lapsed
		}
		return s, nil
	}
	at := key.address()
	result := v.refreshes.DoChan(at.Tenant+"\x00"+at.Key, func() (any, error) {
		detached, stop := context.WithTimeout(context.WithoutCancel(ctx), 2*leaseTime)
		defer stop()
		return v.refreshOnce(detached, key, s.Type, renew)
	})
	select {
	case <-ctx.Done():
		return s, ctx.Err()
	case r := <-result:
		if r.Err == nil {
			return r.Val.(stored), nil
		}
		var provider *ProviderError
		if errors.As(r.Err, &provider) && provider.Temporary && !v.expired(s) {
			return s, nil // what we have is good for a little longer
		}
		return s, r.Err
	}
}

// refreshOnce takes the lease, or waits for who has it.
func (v *Vault) refreshOnce(ctx context.Context, key Key, kind AuthType, renew renewal) (stored, error) {
	owner, pause := rand.Text(), 5*time.Millisecond
	for {
		s, mine, err := v.lease(ctx, key, owner)
		switch {
		case err != nil:
			return stored{}, err
		case mine:
			return v.refreshAs(ctx, key, s, renew)
		case s.version == 0:
			return stored{Type: kind, Status: Retired}, nil
		case !v.due(s), !v.expired(s):
			return s, nil // somebody else was here, or is at it, and it is good until they are done
		}
		if !patience.Sleep(ctx, pause) {
			return s, ctx.Err()
		}
		pause = min(2*pause, 200*time.Millisecond)
	}
}

// due reports whether a connection is to be refreshed.
func (v *Vault) due(s stored) bool { return s.Status == Active && v.expiring(s) && s.Refresh != "" }

// lease takes the right to refresh a connection that is due, unless somebody else
// has it. A save whose reply was lost may have been done: the owner's name tells,
// and so it is tried again. A store that cannot be read is not.
func (v *Vault) lease(ctx context.Context, key Key, owner string) (s stored, mine bool, err error) {
	tried, plan := false, persistent
	plan.Final = func(error) bool { return !tried }
	err = plan.Do(ctx, func() (err error) {
		s, err = v.update(ctx, key, func(now *stored) bool {
			mine = now.Lease != nil && now.Lease.Owner == owner
			if mine || !v.due(*now) || now.Lease != nil && v.now().Before(now.Lease.Until) {
				return false
			}
			now.Lease = &lease{Owner: owner, Until: v.now().Add(leaseTime)}
			mine, tried = true, true
			return true
		})
		return err
	})
	return s, mine, err
}

// refreshAs asks the provider, as the holder of the lease in s.
func (v *Vault) refreshAs(ctx context.Context, key Key, s stored, renew renewal) (stored, error) {
	token, err := renew(ctx, s)
	var failed *ProviderError
	switch {
	case errors.As(err, &failed) && failed.Code == "invalid_grant":
		return v.renewalRefused(ctx, key, s)
	case err != nil:
		return s, v.release(ctx, key, s, err)
	}
	fresh := s
	fresh.take(token)
	fresh.Lease = nil
	stands, err := v.keepFresh(ctx, key, s.Refresh, fresh)
	switch {
	case err != nil:
		return s, err
	case !stands:
		v.giveBack(ctx, key, fresh)
		return stored{Type: s.Type, Origin: s.Origin, Status: Retired}, nil
	}
	v.opts.Logger.DebugContext(ctx, "token refreshed", "server", key.Server, "scope", key.Scope, "provider", s.Provider)
	return v.load(ctx, key)
}

// keepFresh stores a connection with the token that was got for an old one, by the holder
// of the lease. Whoever changed the record meanwhile did not refresh it: the person
// connected anew, or disconnected. Then that holds. It reports whether there is still a
// connection.
func (v *Vault) keepFresh(ctx context.Context, key Key, old string, fresh stored) (stands bool, err error) {
	err = persistent.Do(ctx, func() error {
		_, err := v.update(ctx, key, func(now *stored) bool {
			if stands = now.version != 0 && now.Status != Retired; now.Refresh != old || now.Status != Active {
				return false
			}
			fresh.Created = now.Created
			*now = fresh
			return true
		})
		return err
	})
	return stands, err
}

// giveBack has a provider revoke a token that came when its person had disconnected, or had
// said no. Where there is a connection it does not: some providers end all tokens of an
// account with one.
func (v *Vault) giveBack(ctx context.Context, key Key, s stored) {
	there, err := v.load(ctx, key)
	if err == nil && there.Status != Retired {
		return
	}
	server, err := v.Server(ctx, key.Tenant, key.Server)
	switch {
	case errors.Is(err, ErrUnknown): // it was removed, or never was one: see Hold
	case err != nil:
		v.opts.Logger.WarnContext(ctx, "token not revoked", "server", key.Server, "err", err)
	default:
		_ = v.revoke(ctx, server, key, s) // what could not be done is in the log
	}
}

// renewalRefused is a refresh token that the provider does not know. If the record
// has another by now we lost a race, and that one counts.
func (v *Vault) renewalRefused(ctx context.Context, key Key, s stored) (stored, error) {
	var now stored
	err := persistent.Do(ctx, func() (err error) {
		now, err = v.update(ctx, key, func(now *stored) bool {
			if now.Refresh != s.Refresh || now.Status != Active {
				return false
			}
			now.Status, now.Lease = Lapsed, nil
			return true
		})
		return err
	})
	if err == nil && now.version == 0 {
		return stored{Type: s.Type, Origin: s.Origin, Status: Retired}, nil
	}
	if err == nil && now.Status == Lapsed {
		v.opts.Logger.InfoContext(ctx, "connection lapsed", "server", key.Server, "scope", key.Scope)
	}
	return now, err
}

// release gives the lease back after a failure, so that the next caller may
// try at once.
func (v *Vault) release(ctx context.Context, key Key, s stored, because error) error {
	s.Lease = nil
	if err := v.save(ctx, key, &s); err != nil && !errors.Is(err, parley.ErrConflict) {
		return errors.Join(because, err)
	}
	return because
}

// issuerOf returns the provider that issued s. A token is never taken to
// another one than the one it came from.
func (v *Vault) issuerOf(ctx context.Context, server Server, key Key, s stored) (Provider, error) {
	from, err := v.resolve(ctx, key.Tenant, server)
	if err != nil {
		return Provider{}, err
	}
	p := from.provider
	if !s.leads(p, p.TokenURL) || p.Slug() != s.Provider || p.Issuer != s.Issuer || p.ClientID != s.ClientID {
		return Provider{}, fmt.Errorf("%v: its provider was changed: %w", key, v.required(ctx, server, key, Expired, nil))
	}
	return p, nil
}

// transportError returns the part of err that says why a host was not reached,
// or nil when it was.
func transportError(err error) error {
	var web *url.Error
	if errors.As(err, &web) {
		return web.Err
	}
	var network net.Error
	if errors.As(err, &network) {
		return network
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}
