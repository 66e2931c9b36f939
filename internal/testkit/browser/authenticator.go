package browser

import (
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webauthn"
)

// Authenticator is a device with passkeys that a [Window] has, and nobody else.
type Authenticator struct {
	window *Window
	id     webauthn.AuthenticatorID
}

// Authenticator gives the window a device of its own, whose person is always there and always the right one.
func (w *Window) Authenticator() *Authenticator {
	w.t.Helper()
	ctx, cancel := w.limit()
	defer cancel()
	_, err := cdp.Call(ctx, w.tab, webauthn.Enable, webauthn.EnableParams{})
	var made webauthn.AddVirtualAuthenticatorResult
	if err == nil {
		made, err = cdp.Call(ctx, w.tab, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
			Protocol: "ctap2", Transport: "internal", HasResidentKey: true, HasUserVerification: true, AutomaticPresenceSimulation: true, IsUserVerified: true,
		}})
	}
	if err != nil {
		w.fail("get a device with passkeys: %v", err)
	}
	return &Authenticator{w, made.AuthenticatorID}
}

// Forgets has the device leave out of what it signs that it asked for the person.
func (a *Authenticator) Forgets(verification bool) {
	a.window.t.Helper()
	ctx, cancel := a.window.limit()
	defer cancel()
	_, err := cdp.Call(ctx, a.window.tab, webauthn.SetResponseOverrideBits, webauthn.SetResponseOverrideBitsParams{AuthenticatorID: a.id, IsBadUV: &verification})
	if err != nil {
		a.window.fail("change the device: %v", err)
	}
}
