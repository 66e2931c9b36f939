package pages

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/limit"
	"github.com/parley-hq/parley/login"
)

// Logins lets programs of a person act as them. *login.Logins is one.
type Logins interface {
	Begin(ctx context.Context, w login.Wish) (login.Begun, error)
	Look(ctx context.Context, code string) (login.Wish, error)
	Decide(ctx context.Context, code string, by parley.Principal, allow bool) error
	Exchange(ctx context.Context, deviceCode, verifier string) (token string, made login.Login, err error)
	End(ctx context.Context, token string) error
}

var _ Logins = (*login.Logins)(nil)

// Where programs and people log in: the endpoints of RFC 8628, and the page.
const (
	DevicePath          = "/device"
	DeviceAuthorizePath = "/device/authorize"
	DeviceTokenPath     = "/device/token"
	DeviceRevokePath    = "/device/revoke" // RFC 7009
)

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

// deviceRates bound what a node takes: wishes of an address, since each is stored;
// codes that a person tries; and how often a program asks.
type deviceRates struct{ begin, guess, poll *limit.Rates }

func newDeviceRates() deviceRates {
	return deviceRates{
		begin: limit.NewRates(limit.Rate{PerSecond: 0.2, Burst: 30}),
		guess: limit.NewRates(limit.Rate{PerSecond: 0.1, Burst: 20}),
		poll:  limit.NewRates(limit.Rate{PerSecond: 1.25 / login.Interval.Seconds(), Burst: 5}),
	}
}

// deviceAnswer is what a program is told, in the words of RFC 8628 and RFC 6749.
type deviceAnswer struct {
	DeviceCode      string `json:"device_code,omitempty"`
	UserCode        string `json:"user_code,omitempty"`
	VerificationURI string `json:"verification_uri,omitempty"`
	Complete        string `json:"verification_uri_complete,omitempty"`
	Interval        int    `json:"interval,omitempty"`

	Token   string `json:"access_token,omitempty"`
	Type    string `json:"token_type,omitempty"`
	Scope   string `json:"scope,omitempty"`
	ID      string `json:"login_id,omitempty"` // of /api/logins
	User    string `json:"user,omitempty"`
	Expires int    `json:"expires_in,omitempty"`

	Error       string `json:"error,omitempty"`
	Description string `json:"error_description,omitempty"`
}

// startDevice takes the wish of a program (RFC 8628, section 3.1). Its client_name,
// which is not of the RFC, is what it calls itself; its client_id is, otherwise.
func (p *Pages) startDevice(w http.ResponseWriter, r *http.Request) {
	if _, none := p.opts.SignIn.(noSignIn); none {
		writeDevice(w, http.StatusForbidden, deviceAnswer{Error: "access_denied", Description: "nobody can sign in at this server, so nobody can allow it"})
		return
	}
	from := p.opts.Address(r)
	if wait, ok := p.rates.begin.Take(from); !ok {
		tooSoon(w, wait)
		return
	}
	if readForm(w, r) != nil {
		writeDevice(w, http.StatusBadRequest, deviceAnswer{Error: "invalid_request", Description: "send a form"})
		return
	}
	sent := r.PostForm
	if method := sent.Get("code_challenge_method"); sent.Get("code_challenge") != "" && method != "S256" {
		writeDevice(w, http.StatusBadRequest, deviceAnswer{Error: "invalid_request", Description: "the code_challenge_method is S256"})
		return
	}
	name := sent.Get("client_name")
	if name == "" {
		name = sent.Get("client_id")
	}
	begun, err := p.opts.Logins.Begin(r.Context(), login.Wish{
		Program: name, Address: from, Scope: login.Scope(sent.Get("scope")), Challenge: sent.Get("code_challenge"),
	})
	switch {
	case errors.Is(err, login.ErrWish):
		writeDevice(w, http.StatusBadRequest, deviceAnswer{Error: "invalid_request", Description: err.Error()})
	case err != nil:
		p.failDevice(w, r, err)
	default:
		page := p.public.String() + DevicePath
		writeDevice(w, http.StatusOK, deviceAnswer{
			DeviceCode: begun.DeviceCode, UserCode: begun.UserCode, VerificationURI: page,
			Complete: page + "?" + url.Values{"user_code": {begun.UserCode}}.Encode(),
			Expires:  seconds(begun.Expires), Interval: int(login.Interval / time.Second),
		})
	}
}

// giveToken gives a program its token, once the person has allowed it (RFC 8628,
// section 3.4).
func (p *Pages) giveToken(w http.ResponseWriter, r *http.Request) {
	if readForm(w, r) != nil || r.PostForm.Get("device_code") == "" {
		writeDevice(w, http.StatusBadRequest, deviceAnswer{Error: "invalid_request", Description: "send a form with the device_code"})
		return
	}
	if r.PostForm.Get("grant_type") != deviceGrant {
		writeDevice(w, http.StatusBadRequest, deviceAnswer{Error: "unsupported_grant_type", Description: "the grant_type is " + deviceGrant})
		return
	}
	code := r.PostForm.Get("device_code")
	if wait, ok := p.rates.poll.Take(code); !ok {
		tooSoon(w, wait)
		return
	}
	token, made, err := p.opts.Logins.Exchange(r.Context(), code, r.PostForm.Get("code_verifier"))
	if err == nil {
		p.opts.Logger.InfoContext(r.Context(), "program logged in", "tenant", made.Tenant, "user", made.User, "login", made.ID, "address", made.Address)
		writeDevice(w, http.StatusOK, deviceAnswer{
			Token: token, Type: "Bearer", Scope: string(made.Scope), ID: made.ID, User: made.User, Expires: seconds(made.Expires),
		})
		return
	}
	for _, one := range []struct {
		is         error
		code, says string
	}{
		{login.ErrPending, "authorization_pending", "the person has not decided yet"},
		{login.ErrDenied, "access_denied", "the person refused"},
		{login.ErrUnknown, "expired_token", "the code has expired, or is none of this server's: begin anew"},
		{login.ErrUsed, "invalid_grant", "the code was used already: begin anew"},
		{login.ErrVerifier, "invalid_grant", "the code_verifier is not that of the code_challenge"},
	} {
		if errors.Is(err, one.is) {
			writeDevice(w, http.StatusBadRequest, deviceAnswer{Error: one.code, Description: one.says})
			return
		}
	}
	p.failDevice(w, r, err)
}

// takeToken ends the login of a token, for whoever has it (RFC 7009).
func (p *Pages) takeToken(w http.ResponseWriter, r *http.Request) {
	if readForm(w, r) != nil || r.PostForm.Get("token") == "" {
		writeDevice(w, http.StatusBadRequest, deviceAnswer{Error: "invalid_request", Description: "send a form with the token"})
		return
	}
	if err := p.opts.Logins.End(r.Context(), r.PostForm.Get("token")); err != nil {
		p.failDevice(w, r, err)
		return
	}
	writeDevice(w, http.StatusOK, deviceAnswer{})
}

func (p *Pages) failDevice(w http.ResponseWriter, r *http.Request, err error) {
	p.opts.Logger.ErrorContext(r.Context(), "login failed", "path", r.URL.Path, "err", err)
	writeDevice(w, http.StatusServiceUnavailable, deviceAnswer{Error: "temporarily_unavailable", Description: "something is wrong on our side: try again in a minute"})
}

func tooSoon(w http.ResponseWriter, wait time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(wait.Seconds())))))
	writeDevice(w, http.StatusTooManyRequests, deviceAnswer{Error: "slow_down", Description: "these are too many requests: wait a little longer"})
}

func writeDevice(w http.ResponseWriter, status int, said deviceAnswer) {
	w.Header().Set("Content-Type", "application/json")
	writeJSON(w, status, said)
}

func seconds(until time.Time) int { return int(time.Until(until).Round(time.Second) / time.Second) }
