package passkey

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
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
		return who, errNotRead
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
	asked := base64.RawURLEncoding.EncodeToString(challenge)
	if err := checkSaid(data, protocol.AssertCeremony, asked, parsed.Response.AuthenticatorData.Flags); err != nil {
		return who, err
	}
	err = parsed.Verify(asked, host, []string{data.Origin}, nil, protocol.TopOriginImplicitVerificationMode, "", true, true, s.PublicKey)
	if err != nil {
		return who, fmt.Errorf("%w: the signature is not one of this key over this", ErrNotSigned)
	}
	return who, nil
}

// errNotRead is for what no browser sends.
var errNotRead = fmt.Errorf("%w: it cannot be read", ErrNotSigned)

// checkSaid checks what the library checks too, whose words are for programmers: what the
// device was asked, and that it made sure of the person.
func checkSaid(data protocol.CollectedClientData, kind protocol.CeremonyType, challenge string, flags protocol.AuthenticatorFlags) error {
	switch {
	case data.Type != kind:
		return fmt.Errorf("%w: the device was asked for something of another kind", ErrNotSigned)
	case data.Challenge != challenge:
		return fmt.Errorf("%w: the device was asked to sign something else", ErrNotSigned)
	case !flags.HasUserPresent() || !flags.HasUserVerified():
		return fmt.Errorf("%w: the device did not make sure of the person", ErrNotSigned)
	}
	return nil
}
