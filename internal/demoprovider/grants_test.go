package demoprovider_test

import (
	"context"
	"errors"
	"testing"

	"github.com/luikyv/go-oidc/pkg/goidc"

	"github.com/parley-hq/parley/internal/demoprovider"
)

// The library reads a grant, checks it and writes it back. These tests do what
// requests at the same time do, in an order of their own.

func TestTwoWhoHaveReadAGrantCannotBothRedeemIt(t *testing.T) {
	ctx, grants := t.Context(), demoprovider.NewGrants()
	for name, read := range map[string]func(context.Context, string) (*goidc.Grant, error){
		"code": grants.GrantByAuthCode, "refresh": grants.GrantByRefreshToken,
	} {
		if err := grants.SaveGrant(ctx, &goidc.Grant{ID: name, AuthCode: "code", RefreshToken: "refresh"}); err != nil {
			t.Fatal(err)
		}
		first, err := read(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		second, err := read(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		first.RefreshToken = "first"
		if err := grants.SaveGrant(ctx, first); err != nil {
			t.Fatal(err)
		}
		second.RefreshToken = "second"
		var refused goidc.Error
		if err := grants.SaveGrant(ctx, second); !errors.As(err, &refused) || refused.Code != goidc.ErrorCodeInvalidGrant {
			t.Errorf("%s: the second got %v", name, err)
		}
		// It was a replay, so nobody has the grant now.
		if kept, err := grants.Grant(ctx, name); err != nil || kept.RevokedAt == 0 {
			t.Errorf("%s: the grant is not revoked: %v", name, err)
		}
		for _, token := range []string{"refresh", "first", "second"} {
			if _, err := grants.GrantByRefreshToken(ctx, token); !errors.Is(err, goidc.ErrNotFound) {
				t.Errorf("%s: the refresh token %q: %v", name, token, err)
			}
		}
	}
}

func TestARevocationOvertakesWhoHasReadAGrant(t *testing.T) {
	ctx, grants := t.Context(), demoprovider.NewGrants()
	if err := grants.SaveGrant(ctx, &goidc.Grant{ID: "g", RefreshToken: "old"}); err != nil {
		t.Fatal(err)
	}
	read := func() *goidc.Grant {
		grant, err := grants.GrantByRefreshToken(ctx, "old")
		if err != nil {
			t.Fatal(err)
		}
		return grant
	}
	refreshing, revoking, late := read(), read(), read()

	// The one who revokes has read what is not the newest any more.
	refreshing.RefreshToken = "new"
	if err := grants.SaveGrant(ctx, refreshing); err != nil {
		t.Fatal(err)
	}
	revoking.RevokedAt = 1
	if err := grants.SaveGrant(ctx, revoking); err != nil {
		t.Errorf("revoking: %v", err)
	}
	late.RefreshToken = "late"
	if err := grants.SaveGrant(ctx, late); err == nil {
		t.Error("a revoked grant was redeemed")
	}
	for _, token := range []string{"old", "new", "late"} {
		if _, err := grants.GrantByRefreshToken(ctx, token); !errors.Is(err, goidc.ErrNotFound) {
			t.Errorf("the refresh token %q: %v", token, err)
		}
	}
}

func TestTwoWhoHaveReadARequestCannotBothAnswerIt(t *testing.T) {
	ctx, flows := t.Context(), demoprovider.NewFlows()
	if err := flows.SaveSession(ctx, &goidc.AuthnSession{ID: "f", Status: goidc.StatusPending}); err != nil {
		t.Fatal(err)
	}
	for i, status := range []goidc.Status{goidc.StatusSuccess, goidc.StatusSuccess, goidc.StatusFailure, goidc.StatusPending} {
		if err := flows.SaveSession(ctx, &goidc.AuthnSession{ID: "f", Status: status}); (err == nil) != (i == 0) {
			t.Errorf("answer %d, %s: %v", i, status, err)
		}
	}
	if _, err := flows.Session(ctx, "f"); !errors.Is(err, goidc.ErrNotFound) {
		t.Errorf("an answered request is still open: %v", err)
	}
}
