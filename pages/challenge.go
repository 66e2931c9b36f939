package pages

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// ErrChallenge says that a challenge or an answer to one does not hold.
var ErrChallenge = errors.New("pages: not a valid challenge or answer")

// A type in the header keeps a challenge from passing for an answer, although
// one key signs both.
const (
	challengeType = "parley-challenge+jwt"
	answerType    = "parley-answer+jwt"

	challengeTTL = 5 * time.Minute
	answerTTL    = 2 * time.Minute
	clockSkew    = 30 * time.Second
	longestJWS   = 8 << 10
	minKey       = 32
)

// Challenge is what the site asks the host application: who is in this browser?
type Challenge struct {
	Site     string // the public URL of the site that asks
	Nonce    string // goes back with the answer
	ReturnTo string // where the answer goes
	Switch   bool   // the person asked for another account: offer to sign in anew
}

// Identity is the host application's answer.
type Identity struct {
	User   string
	Tenant string // empty: "default"
	Name   string // shown to the person; empty: User
}

type challengeClaims struct {
	jwt.Claims
	ReturnTo string `json:"return_to"`
	Switch   bool   `json:"switch,omitempty"`
}

type answerClaims struct {
	jwt.Claims
	Nonce  string `json:"nonce"`
	Tenant string `json:"tenant,omitempty"`
	Name   string `json:"name,omitempty"`
}

// VerifyChallenge is for the host application: it reads the parameter challenge
// of a request to its verifier. site is the public URL of the one site that it
// answers. ErrChallenge when it does not hold, ErrVerifierKey.
func VerifyChallenge(opts *VerifierOptions, site, challenge string) (Challenge, error) {
	if err := checkKey(opts.Key); err != nil {
		return Challenge{}, err
	}
	site = strings.TrimSuffix(site, "/")
	var claims challengeClaims
	err := verify(opts.Key, challengeType, challenge, &claims, &claims.Claims,
		jwt.Expected{Issuer: site, AnyAudience: jwt.Audience{opts.URL}}, challengeTTL)
	if err != nil {
		return Challenge{}, err
	}
	if claims.ReturnTo != site+verifiedPath || claims.ID == "" {
		return Challenge{}, fmt.Errorf("%w: it leads elsewhere", ErrChallenge)
	}
	return Challenge{Site: site, Nonce: claims.ID, ReturnTo: claims.ReturnTo, Switch: claims.Switch}, nil
}

// SignAnswer is for the host application: it returns where to redirect the
// browser with the answer. who is the person of the host application's own
// session, and of nothing that came with the request.
func SignAnswer(opts *VerifierOptions, c Challenge, who Identity) (string, error) {
	if err := checkKey(opts.Key); err != nil {
		return "", err
	}
	if who.User == "" || c.Nonce == "" {
		return "", fmt.Errorf("%w: an answer needs a user and a verified challenge", ErrChallenge)
	}
	now := time.Now()
	answer, err := sign(opts.Key, answerType, answerClaims{
		Claims: jwt.Claims{
			Issuer: opts.URL, Audience: jwt.Audience{c.Site}, Subject: who.User,
			IssuedAt: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(now.Add(answerTTL)),
		},
		Nonce: c.Nonce, Tenant: who.Tenant, Name: who.Name,
	})
	if err != nil {
		return "", err
	}
	return withParameter(c.ReturnTo, "answer", answer)
}

func sign(key []byte, typ string, claims any) (string, error) {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: key}, (&jose.SignerOptions{}).WithType(jose.ContentType(typ)))
	if err != nil {
		return "", fmt.Errorf("pages: signing: %w", err)
	}
	return jwt.Signed(signer).Claims(claims).Serialize()
}

// verify reads a token into claims, and those of RFC 7519 into registered. The
// algorithm is ours, not the token's.
func verify(key []byte, typ, raw string, claims any, registered *jwt.Claims, want jwt.Expected, ttl time.Duration) error {
	if len(raw) > longestJWS {
		return fmt.Errorf("%w: %d bytes", ErrChallenge, len(raw))
	}
	token, err := jwt.ParseSigned(raw, []jose.SignatureAlgorithm{jose.HS256})
	if err != nil {
		return fmt.Errorf("%w: no compact JWS with HS256", ErrChallenge) // the library's text repeats parts of it
	}
	if got, _ := token.Headers[0].ExtraHeaders[jose.HeaderType].(string); got != typ {
		return fmt.Errorf("%w: its type is %.40q, not %q", ErrChallenge, got, typ)
	}
	if err := token.Claims(key, claims, registered); err != nil {
		return fmt.Errorf("%w: the signature does not hold", ErrChallenge)
	}
	if registered.Expiry == nil || registered.IssuedAt == nil {
		return fmt.Errorf("%w: exp or iat is missing", ErrChallenge)
	}
	if err := registered.ValidateWithLeeway(want, clockSkew); err != nil {
		return fmt.Errorf("%w: %w", ErrChallenge, err)
	}
	if registered.Expiry.Time().After(time.Now().Add(ttl + clockSkew)) {
		return fmt.Errorf("%w: it is valid for longer than %v", ErrChallenge, ttl)
	}
	return nil
}

func withParameter(raw, name, value string) (string, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return "", err
	}
	parameter := url.Values{name: {value}}.Encode()
	u.RawQuery = strings.TrimPrefix(u.RawQuery+"&"+parameter, "&")
	return u.String(), nil
}
