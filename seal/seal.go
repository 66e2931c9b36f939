// Package seal encrypts what Parley stores and the tokens it puts into URLs.
//
// Its nouns:
//
//   - Secret: 32 random bytes or more, from the configuration. It is not a
//     password: nothing here slows down guessing.
//   - Keyring: the secrets in use. The first seals, all of them open.
//   - Sealed value: bytes that open only with one of the secrets and only for
//     the [parley.Binding] they were sealed for.
//   - Token: a short sealed value for a URL, for one purpose, with an expiry.
//
// A sealed value is an envelope. A fresh data key encrypts the payload; a
// wrapping key, derived from the secret for one tenant and purpose, encrypts
// the data key. So a rotation re-wraps 32 bytes ([Keyring.Rewrap]) and leaves
// the payload alone.
//
//	bytes  sealed value
//	3      magic: fe 50 53; fe never occurs in UTF-8, so no text or JSON has it
//	1      version: 01
//	4      key id: which secret wraps the data key
//	60     data key, wrapped: nonce (12), ciphertext (32), tag (16)
//	12     nonce of the payload
//	n      payload, encrypted
//	16     tag of the payload
//
//	bytes  token, before base64 (URL alphabet, no padding)
//	1      version: 01
//	4      key id
//	12     nonce
//	10+p   encrypted: expiry in Unix milliseconds (8), length (2), payload
//	       filled up with zeros to p = 96, 160, 224, … bytes
//	16     tag
//
// Both layers are AES-256-GCM with random nonces. Keys come from HKDF-SHA256:
// extracted from the secret with the salt "parley/seal/v1", expanded with an
// info of length-prefixed fields (a uvarint, then the bytes), which no two
// different lists of fields share:
//
//	key id         "key id"
//	wrapping key   "wrap", tenant, purpose
//	token key      "token", purpose
//
// The associated data are encoded in the same way:
//
//	wrapped key    "wrap", magic and version, tenant, purpose, owner, key
//	payload        "data", magic and version, tenant, purpose, owner, key
//	token          "token", version and key id, purpose
//
// Random nonces are safe for 2^32 values per derived key: rotate the secret
// before one tenant has sealed that many of one purpose, or one purpose has
// had that many tokens (a hundred each second for sixteen months).
//
// What sealing does not do: an older value of the same record still opens in
// its place, a sealed value shows how long its payload is, and whoever holds
// the secret can make any value.
//
// A Keyring never changes after New and keeps no cache: deriving a key costs
// about 3 µs, little beside the write that follows it, and so there is nothing
// that tenants could make grow. Any number of goroutines may use it.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/parley-hq/parley"
)

const (
	salt      = "parley/seal/v1"
	keyLength = 32 // AES-256
	idLength  = 4
	gcmExtra  = 12 + 16 // nonce before, tag behind
)

// Keyring seals with its first secret and opens with all of them. Make it with
// New; one without secrets refuses everything with ErrNoSecret or ErrUnknownKey.
type Keyring struct {
	secrets []secret
}

var _ parley.Sealer = (*Keyring)(nil)

type keyID [idLength]byte

// String is how an id is shown.
func (id keyID) String() string { return hex.EncodeToString(id[:]) }

// secret is what is kept of a configured secret: the key that HKDF extracts.
type secret struct {
	id  keyID
	key []byte
}

// New makes a keyring. The first secret seals, all of them open: to rotate, put
// the new one in front, re-wrap what is stored, then drop the old one. It
// returns ErrNoSecret, ErrWeakSecret or ErrDuplicateSecret.
func New(secrets ...[]byte) (*Keyring, error) {
	if len(secrets) == 0 {
		return nil, ErrNoSecret
	}
	k := &Keyring{}
	for i, raw := range secrets {
		if err := checkLength(i, raw); err != nil {
			return nil, err
		}
		s, err := newSecret(raw)
		if err != nil {
			return nil, fmt.Errorf("secret %d: %w", i+1, err)
		}
		if _, err := k.find(s.id); err == nil {
			return nil, fmt.Errorf("secret %d: %w", i+1, ErrDuplicateSecret)
		}
		k.secrets = append(k.secrets, s)
	}
	return k, nil
}

// Format prints the key ids, whatever the verb: they help to find out which
// secret a value needs, and the keys stay out of logs.
func (k *Keyring) Format(f fmt.State, _ rune) {
	ids := []string{}
	if k != nil {
		for _, s := range k.secrets {
			ids = append(ids, s.id.String())
		}
	}
	fmt.Fprintf(f, "seal.Keyring%v", ids)
}

// ID returns the id of the secret that seals, as ErrUnknownKey and Format name
// it. It is no secret.
func (k *Keyring) ID() string {
	s, err := k.first()
	if err != nil {
		return ""
	}
	return s.id.String()
}

// first returns the secret that seals.
func (k *Keyring) first() (secret, error) {
	if k == nil || len(k.secrets) == 0 {
		return secret{}, ErrNoSecret
	}
	return k.secrets[0], nil
}

// has reports whether a secret with that id is there.
func (k *Keyring) has(id string) bool {
	return k != nil && slices.ContainsFunc(k.secrets, func(s secret) bool { return s.id.String() == id })
}

// find returns the secret with that id. Ids are no secrets and need no
// comparison in constant time; GCM compares its tags so.
func (k *Keyring) find(id keyID) (secret, error) {
	if k != nil {
		for _, s := range k.secrets {
			if s.id == id {
				return s, nil
			}
		}
	}
	return secret{}, fmt.Errorf("%w (key id %x)", ErrUnknownKey, id[:])
}

func newSecret(raw []byte) (secret, error) {
	key, err := hkdf.Extract(sha256.New, raw, []byte(salt))
	if err != nil {
		return secret{}, err
	}
	s := secret{key: key}
	id, err := s.derive(idLength, "key id")
	if err != nil {
		return secret{}, err
	}
	s.id = keyID(id)
	return s, nil
}

func (s secret) derive(length int, info ...string) ([]byte, error) {
	return hkdf.Expand(sha256.New, s.key, string(encode(info...)), length)
}

// aead returns the cipher under the key derived for info.
func (s secret) aead(info ...string) (cipher.AEAD, error) {
	key, err := s.derive(keyLength, info...)
	if err != nil {
		return nil, err
	}
	return newAEAD(key)
}

// newAEAD returns AES-256-GCM that puts a random nonce in front of what it
// seals, so that no caller can use one twice.
func newAEAD(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// encode joins fields so that different lists of fields never give the same
// bytes: ("ab", "c") is not ("a", "bc").
func encode(fields ...string) []byte {
	size := 0
	for _, f := range fields {
		size += len(f) + 2 // a guess for the length; append corrects it
	}
	out := make([]byte, 0, size)
	for _, f := range fields {
		out = binary.AppendUvarint(out, uint64(len(f)))
		out = append(out, f...)
	}
	return out
}
