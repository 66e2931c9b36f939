package passkey

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"github.com/go-webauthn/webauthn/protocol"

	"github.com/parley-hq/parley"
)

// Signer is who signed, as far as the signature says it.
type Signer struct {
	Origin      string // the site on which they did
	Credential  string // the id of the passkey, in base64
	Fingerprint string // of its public key
}

// Bounds of what comes from browsers.
const (
	maxResponse = 16 << 10
	maxPart     = 4 << 10
)

// Check checks an assertion with nothing but itself: that the device that has the private
// key signed this challenge on a site with a name, after it made sure of the person. Whose
// key it is, and of which site, is for the caller to know. It returns ErrNotSigned.
func Check(s parley.Signed, challenge []byte) (Signer, error) {
	who := Signer{Credential: base64.RawURLEncoding.EncodeToString(s.Credential), Fingerprint: Fingerprint(s.PublicKey)}
	for _, part := range [][]byte{s.Credential, s.PublicKey, s.AuthenticatorData, s.ClientData, s.Signature} {
		if len(part) == 0 || len(part) > maxPart {
			return who, fmt.Errorf("%w: a part of it is missing, or too long", ErrNotSigned)
		}
	}
	var raw protocol.CredentialAssertionResponse
	raw.ID, raw.RawID, raw.Type = who.Credential, s.Credential, string(protocol.PublicKeyCredentialType)
	raw.AssertionResponse.ClientDataJSON, raw.AssertionResponse.AuthenticatorData = s.ClientData, slices.Clip(s.AuthenticatorData)
	raw.AssertionResponse.Signature = s.Signature
	parsed, err := raw.Parse()
	if err != nil {
		return who, notSigned(err)
	}
	data := parsed.Response.CollectedClientData
	who.Origin = data.Origin
	host, err := Host(data.Origin)
	u, _ := url.Parse(data.Origin)
	if err != nil || data.Origin != u.Scheme+"://"+u.Host || data.CrossOrigin || data.TopOrigin != "" {
		return who, fmt.Errorf("%w: it was made on %.200q, or within another site", ErrNotSigned, data.Origin)
	}
	// The library would take a hash of zeroes too.
	if want := sha256.Sum256([]byte(host)); !bytes.Equal(parsed.Response.AuthenticatorData.RPIDHash, want[:]) {
		return who, fmt.Errorf("%w: its passkey is of another site than %s", ErrNotSigned, host)
	}
	err = parsed.Verify(base64.RawURLEncoding.EncodeToString(challenge), host, []string{data.Origin}, nil,
		protocol.TopOriginImplicitVerificationMode, "", true, true, s.PublicKey)
	if err != nil {
		return who, notSigned(err)
	}
	return who, nil
}

// notSigned says why, in the library's words, which have nothing of the person's.
func notSigned(err error) error {
	var known *protocol.Error
	if errors.As(err, &known) && known.Details != "" {
		return fmt.Errorf("%w: %s", ErrNotSigned, known.Details)
	}
	return fmt.Errorf("%w: it cannot be read", ErrNotSigned)
}
