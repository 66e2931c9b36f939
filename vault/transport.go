package vault

import (
	"fmt"
	"io"
	"net/http"
)

// Transport sends the requests of one caller to one server with its
// credential. A request for which there is none is not sent: it fails with the
// errors of [Vault.Credential].
//
// When the server refuses the credential, the connection is marked, and the
// request is sent once more if a fresh token can be had; otherwise the caller
// gets a *RequiredError. An error for lack of a credential has a method
// NotTaken() bool that says so: the server has not taken the request.
type Transport struct {
	Vault *Vault
	Need  Need
	Base  http.RoundTripper // default: the vault's own way, by who named the server
	// Check may refuse a credential before a request is sent with it. Default
	// nil: all are used.
	Check func(Credential) error
}

// RoundTrip implements http.RoundTripper.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, cred, err := t.send(r, r.Body)
	if err != nil || !refusal(answer) || cred.value == "" {
		return answer, err
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10))
	answer.Body.Close()
	if err := t.Vault.Reject(r.Context(), cred, answer); err != nil {
		return nil, notTaken{ours(r.Context(), err)}
	}
	body := r.Body
	if body != nil && body != http.NoBody {
		if r.GetBody == nil {
			return nil, notTaken{fmt.Errorf("server %s refused its credential, and the request cannot be repeated", t.Need.Server)}
		}
		if body, err = r.GetBody(); err != nil {
			return nil, notTaken{err}
		}
	}
	answer, cred, err = t.send(r, body)
	if err == nil && refusal(answer) {
		if err := t.Vault.Reject(r.Context(), cred, answer); err != nil {
			answer.Body.Close()
			return nil, notTaken{ours(r.Context(), err)}
		}
		if _, err := t.Vault.Credential(r.Context(), t.Need); err != nil {
			answer.Body.Close()
			return nil, notTaken{err}
		}
	}
	return answer, err
}

func (t *Transport) send(r *http.Request, body io.ReadCloser) (*http.Response, Credential, error) {
	cred, err := t.Vault.Credential(r.Context(), t.Need)
	if err == nil && t.Check != nil {
		err = t.Check(cred)
	}
	if err != nil {
		closeBody(body)
		return nil, cred, notTaken{err}
	}
	out := r.Clone(r.Context())
	out.Body = body
	if err := cred.Apply(out); err != nil {
		closeBody(body)
		return nil, cred, notTaken{err}
	}
	base := t.Base
	if base == nil {
		base = &carrier{ways: t.Vault.ways, named: cred.named}
	}
	if cred.listed {
		t.Vault.uses.note(cred.Key, t.Vault.now())
	}
	answer, err := base.RoundTrip(out)
	if err == nil && refusal(answer) && t.Vault.opts.Refused != nil {
		t.Vault.opts.Refused(t.Need.Server)
	}
	return answer, cred, err
}

// notTaken is the error of a request that the server did not take: it was not
// sent, or refused for its credential.
type notTaken struct{ error }

func (e notTaken) Unwrap() error  { return e.error }
func (e notTaken) NotTaken() bool { return true }

func closeBody(body io.ReadCloser) {
	if body != nil {
		body.Close()
	}
}

// refusal reports whether a server does not accept the credential: 401, or a
// 403 that asks for further scopes.
func refusal(answer *http.Response) bool {
	return answer.StatusCode == http.StatusUnauthorized ||
		answer.StatusCode == http.StatusForbidden && len(missingScopes(answer)) > 0
}
