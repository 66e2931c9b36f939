package passkey

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/protocol"

	"github.com/parley-hq/parley"
)

// Passkey is a credential of a person.
type Passkey struct {
	Credential []byte    `json:"credential"`
	PublicKey  []byte    `json:"public_key"` // COSE
	Name       string    `json:"name"`       // as the person calls it
	Added      time.Time `json:"added"`
	Used       time.Time `json:"used,omitzero"`
	Counter    uint32    `json:"counter,omitempty"` // of the last signature; devices that do not count have 0
}

// ID names a passkey.
func (k Passkey) ID() string { return base64.RawURLEncoding.EncodeToString(k.Credential) }

// Fingerprint is what people compare of its public key, and receipts say.
func (k Passkey) Fingerprint() string { return Fingerprint(k.PublicKey) }

const (
	keysKind = "passkeys"
	maxKeys  = 20 // of one person
	maxName  = 60 // characters
)

// ring is all passkeys of a person: one record, so that who adds the first one is decided
// by compare-and-swap.
type ring struct {
	Keys []Passkey `json:"keys"`
}

func (r ring) find(credential []byte) int {
	return slices.IndexFunc(r.Keys, func(k Passkey) bool { return bytes.Equal(k.Credential, credential) })
}

func (k *Keys) at(who parley.Principal) parley.Address {
	return parley.Address{Tenant: tenantOf(who), Kind: keysKind, Key: hex.EncodeToString(handle(who))}
}

// handle is what devices know a person by: it says nothing about them.
func handle(who parley.Principal) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "parley/user/v1 %q %q", tenantOf(who), who.User))
	return sum[:]
}

func tenantOf(who parley.Principal) string { return cmp.Or(who.Tenant, parley.DefaultTenant) }

// List returns the passkeys of a person, oldest first.
func (k *Keys) List(ctx context.Context, who parley.Principal) ([]Passkey, error) {
	r, err := k.records.Load(ctx, k.at(who))
	if errors.Is(err, parley.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all ring
	err = json.Unmarshal(r.Data, &all)
	return all.Keys, err
}

// update changes the passkeys of a person.
func (k *Keys) update(ctx context.Context, who parley.Principal, change func(*ring) error) error {
	_, err := parley.Update(ctx, k.records, k.at(who), func(r *parley.Record) (bool, error) {
		var all ring
		if r.Version != 0 {
			if err := json.Unmarshal(r.Data, &all); err != nil {
				return false, err
			}
		}
		if err := change(&all); err != nil {
			return false, err
		}
		data, err := json.Marshal(all)
		r.Owner, r.Data = who.User, data
		return true, err
	})
	return err
}

// Request is what a browser is asked, to have one of the person's passkeys sign a challenge.
func (k *Keys) Request(ctx context.Context, who parley.Principal, challenge []byte) (json.RawMessage, error) {
	all, err := k.List(ctx, who)
	if err != nil {
		return nil, err
	}
	return json.Marshal(protocol.PublicKeyCredentialRequestOptions{
		Challenge: challenge, RelyingPartyID: k.host, UserVerification: protocol.VerificationRequired,
		AllowedCredentials: descriptors(all), Timeout: int(ceremonyTTL.Milliseconds()),
	})
}

func descriptors(all []Passkey) (list []protocol.CredentialDescriptor) {
	for _, one := range all {
		list = append(list, protocol.CredentialDescriptor{Type: protocol.PublicKeyCredentialType, CredentialID: one.Credential})
	}
	return list
}

// Verify checks an assertion as a browser sent it: that a passkey that the person has now
// signed this challenge, here. A device that counts its signatures must have counted on
// since the last one: else there are two of it. It returns ErrNotSigned.
func (k *Keys) Verify(ctx context.Context, who parley.Principal, challenge []byte, assertion json.RawMessage) (s parley.Signed, err error) {
	if len(assertion) == 0 || len(assertion) > maxResponse {
		return s, fmt.Errorf("%w: there is no signature", ErrNotSigned)
	}
	sent, err := protocol.ParseCredentialRequestResponseBytes(assertion)
	if err != nil {
		return s, errNotRead
	}
	raw := sent.Raw.AssertionResponse
	s = parley.Signed{Credential: sent.RawID, AuthenticatorData: raw.AuthenticatorData, ClientData: raw.ClientDataJSON, Signature: raw.Signature}
	if len(raw.UserHandle) > 0 && !bytes.Equal(raw.UserHandle, handle(who)) {
		return s, fmt.Errorf("%w: it is somebody else's", ErrNotSigned)
	}
	err = k.update(ctx, who, func(all *ring) error {
		i := all.find(s.Credential)
		if i < 0 {
			return fmt.Errorf("%w: the person has no such passkey", ErrNotSigned)
		}
		s.PublicKey = all.Keys[i].PublicKey
		signer, err := Check(s, challenge)
		if err != nil {
			return err
		}
		if signer.Origin != k.origin {
			return fmt.Errorf("%w: it was made on %.200q", ErrNotSigned, signer.Origin)
		}
		count := sent.Response.AuthenticatorData.Counter
		if (count > 0 || all.Keys[i].Counter > 0) && count <= all.Keys[i].Counter {
			return fmt.Errorf("%w: there is a copy of the passkey; remove it", ErrNotSigned)
		}
		all.Keys[i].Counter, all.Keys[i].Used = count, time.Now().UTC().Truncate(time.Millisecond)
		return nil
	})
	return s, err
}

// Remove takes a passkey from a person. fresh says that they have just signed in: else it is
// ErrNotFresh. One that is not there is parley.ErrNotFound.
func (k *Keys) Remove(ctx context.Context, who parley.Principal, id string, fresh bool) error {
	if !fresh {
		return ErrNotFresh
	}
	all, err := k.List(ctx, who)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(one Passkey) bool { return one.ID() == id })
	if i < 0 {
		return fmt.Errorf("passkey: %w", parley.ErrNotFound)
	}
	return k.recorded(ctx, who, "passkey.removed", all[i], func(r *ring) error {
		at := r.find(all[i].Credential)
		if at < 0 { // somebody was faster
			return fmt.Errorf("passkey: %w", parley.ErrNotFound)
		}
		r.Keys = slices.Delete(r.Keys, at, at+1)
		return nil
	})
}

// Rename calls a passkey of the person's something else, as they do who add one.
// parley.ErrNotFound: they have no such passkey; ErrNotFresh as for Remove.
func (k *Keys) Rename(ctx context.Context, who parley.Principal, id, name string, fresh bool) error {
	if !fresh {
		return ErrNotFresh
	}
	return k.update(ctx, who, func(r *ring) error {
		i := slices.IndexFunc(r.Keys, func(one Passkey) bool { return one.ID() == id })
		if i < 0 {
			return fmt.Errorf("passkey: %w", parley.ErrNotFound)
		}
		r.Keys[i].Name = named(name)
		return nil
	})
}

// recorded makes a change that is told of before, and whether it was made. One that is
// refused never was; after a death in between, or a fault of the store, nobody knows.
func (k *Keys) recorded(ctx context.Context, who parley.Principal, what string, one Passkey, change func(*ring) error) error {
	end, err := k.begin.Begin(ctx, parley.Deed{
		Tenant: tenantOf(who), What: what, By: who.User, Via: who.Method, Target: one.ID(), Digest: one.Fingerprint(),
	})
	if err != nil {
		return err
	}
	var refused bool
	err = k.update(ctx, who, func(all *ring) error {
		err := change(all)
		refused = err != nil
		return err
	})
	if err != nil && !refused {
		return err
	}
	told := end(context.WithoutCancel(ctx), "", err == nil)
	if err == nil {
		err = told
	}
	return err
}

// named is a name that a person gave, as it is kept.
func named(name string) string {
	name = strings.TrimSpace(name)
	if runes := []rune(name); len(runes) > maxName {
		name = strings.TrimSpace(string(runes[:maxName]))
	}
	if !parley.ValidName(name) {
		return "Passkey"
	}
	return name
}
