package passkey

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/protocol/webauthncose"

	"github.com/parley-hq/parley"
)

// Ceremony is what a browser needs to make a passkey.
type Ceremony struct {
	ID     string          `json:"ceremony"`
	Create json.RawMessage `json:"create"`          // for navigator.credentials.create
	Prove  json.RawMessage `json:"prove,omitempty"` // for navigator.credentials.get, by a passkey that the person has
}

// Enrolment is what a browser made of a Ceremony.
type Enrolment struct {
	Ceremony  string
	Name      string          // as the person calls it
	Response  json.RawMessage // of navigator.credentials.create
	Assertion json.RawMessage // of navigator.credentials.get, where that was asked for
}

const (
	ceremonyKind = "passkey_ceremony"
	ceremonyTTL  = 5 * time.Minute
)

// begun is a ceremony as it is stored.
type begun struct {
	Tenant string `json:"tenant"`
	User   string `json:"user"`
	Create []byte `json:"create"`          // the challenge
	Prove  []byte `json:"prove,omitempty"` // empty: the person has no passkey yet, and has just signed in
}

// Begin starts to add a passkey. Whoever has one proves it with that. Whoever has none
// must have signed in just now, which fresh says: else it is ErrNotFresh, so that a
// session that was stolen, or left open, makes nobody a passkey.
func (k *Keys) Begin(ctx context.Context, who parley.Principal, label string, fresh bool) (c Ceremony, err error) {
	all, err := k.List(ctx, who)
	switch {
	case err != nil:
		return c, err
	case len(all) >= maxKeys:
		return c, ErrTooMany
	case len(all) == 0 && !fresh:
		return c, ErrNotFresh
	}
	b := begun{Tenant: tenantOf(who), User: who.User, Create: random()}
	if len(all) > 0 {
		b.Prove = random()
		if c.Prove, err = k.Request(ctx, who, b.Prove); err != nil {
			return c, err
		}
	}
	c.Create, err = json.Marshal(protocol.PublicKeyCredentialCreationOptions{
		RelyingParty: protocol.RelyingPartyEntity{ID: k.host, CredentialEntity: protocol.CredentialEntity{Name: k.title}},
		User:         protocol.UserEntity{ID: protocol.URLEncodedBase64(handle(who)), DisplayName: label, CredentialEntity: protocol.CredentialEntity{Name: label}},
		Challenge:    b.Create, Parameters: algorithms(), CredentialExcludeList: descriptors(all), Timeout: int(ceremonyTTL.Milliseconds()),
		AuthenticatorSelection: protocol.AuthenticatorSelection{UserVerification: protocol.VerificationRequired, ResidentKey: protocol.ResidentKeyRequirementPreferred},
		Attestation:            protocol.PreferNoAttestation,
	})
	if err != nil {
		return c, err
	}
	data, err := json.Marshal(b)
	if err != nil {
		return c, err
	}
	c.ID = rand.Text()
	_, err = k.records.Save(ctx, parley.Record{
		Address: ceremonyAt(who, c.ID), Owner: who.User, Data: data, Expires: time.Now().Add(ceremonyTTL).UTC().Truncate(time.Millisecond),
	})
	return c, err
}

// Finish adds the passkey of a ceremony, which is used up by it. Errors: ErrCeremony,
// ErrNotSigned, ErrTooMany.
func (k *Keys) Finish(ctx context.Context, who parley.Principal, e Enrolment) (Passkey, error) {
	b, err := k.claim(ctx, who, e.Ceremony)
	if err != nil {
		return Passkey{}, err
	}
	if len(b.Prove) > 0 {
		if _, err := k.Verify(ctx, who, b.Prove, e.Assertion); err != nil {
			return Passkey{}, err
		}
	}
	made, err := k.made(b, e)
	if err != nil {
		return Passkey{}, err
	}
	return made, k.recorded(ctx, who, "passkey.added", made, func(all *ring) error {
		switch {
		case len(all.Keys) > 0 && len(b.Prove) == 0: // somebody added one meanwhile
			return ErrCeremony
		case len(all.Keys) >= maxKeys:
			return ErrTooMany
		case all.find(made.Credential) >= 0:
			return ErrCeremony
		}
		all.Keys = append(all.Keys, made)
		return nil
	})
}

// made reads the passkey that a browser made.
func (k *Keys) made(b begun, e Enrolment) (Passkey, error) {
	if len(e.Response) > maxResponse {
		return Passkey{}, fmt.Errorf("%w: it is too long", ErrNotSigned)
	}
	sent, err := protocol.ParseCredentialCreationResponseBytes(e.Response)
	if err != nil {
		return Passkey{}, errNotRead
	}
	data, challenge := sent.Response.CollectedClientData, base64.RawURLEncoding.EncodeToString(b.Create)
	if data.Origin != k.origin || data.CrossOrigin || data.TopOrigin != "" {
		return Passkey{}, fmt.Errorf("%w: it was made on %.200q, or within another site", ErrNotSigned, data.Origin)
	}
	of := sent.Response.AttestationObject.AuthData
	if err := checkSaid(data, protocol.CreateCeremony, challenge, of.Flags); err != nil {
		return Passkey{}, err
	}
	_, err = sent.Verify(challenge, true, true, k.host, []string{k.origin}, nil, protocol.TopOriginImplicitVerificationMode, nil, algorithms())
	if err != nil {
		return Passkey{}, fmt.Errorf("%w: it is of another site, or not of a kind that is taken", ErrNotSigned)
	}
	made := Passkey{
		Credential: of.AttData.CredentialID, PublicKey: of.AttData.CredentialPublicKey, Counter: of.Counter, Name: named(e.Name),
		Added: time.Now().UTC().Truncate(time.Millisecond),
	}
	if len(made.Credential) == 0 || len(made.Credential) > 1023 || len(made.PublicKey) > maxPart {
		return Passkey{}, fmt.Errorf("%w: it is too long", ErrNotSigned)
	}
	return made, nil
}

// claim uses a ceremony up. ErrCeremony.
func (k *Keys) claim(ctx context.Context, who parley.Principal, id string) (b begun, err error) {
	r, err := k.records.Load(ctx, ceremonyAt(who, id))
	if err == nil {
		err = k.records.Delete(ctx, r.Address, r.Version)
	}
	if errors.Is(err, parley.ErrNotFound) || errors.Is(err, parley.ErrConflict) {
		return b, ErrCeremony
	}
	if err == nil {
		err = json.Unmarshal(r.Data, &b)
	}
	if err == nil && (b.Tenant != tenantOf(who) || b.User != who.User) {
		err = ErrCeremony
	}
	return b, err
}

func ceremonyAt(who parley.Principal, id string) parley.Address {
	sum := sha256.Sum256([]byte(id))
	return parley.Address{Tenant: tenantOf(who), Kind: ceremonyKind, Key: hex.EncodeToString(sum[:])}
}

func random() []byte {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // it never fails
	return b
}

// algorithms are the signatures that passkeys may have.
func algorithms() (list []protocol.CredentialParameter) {
	for _, one := range []webauthncose.COSEAlgorithmIdentifier{webauthncose.AlgES256, webauthncose.AlgEdDSA, webauthncose.AlgRS256} {
		list = append(list, protocol.CredentialParameter{Type: protocol.PublicKeyCredentialType, Algorithm: one})
	}
	return list
}
