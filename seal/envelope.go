package seal

import (
	"crypto/rand"
	"fmt"

	"github.com/parley-hq/parley"
)

const (
	magic   = "\xfePS"
	version = "\x01"
	prefix  = magic + version

	wrappedLength = keyLength + gcmExtra
	headLength    = len(prefix) + idLength + wrappedLength
)

// Overhead is by how many bytes a sealed value is longer than its payload.
const Overhead = headLength + gcmExtra

// Seal encrypts plain for b, under a data key of its own. Two calls never give
// the same bytes. It returns ErrNoSecret for a keyring without secrets.
func (k *Keyring) Seal(plain []byte, b parley.Binding) ([]byte, error) {
	first, err := k.first()
	if err != nil {
		return nil, err
	}
	var dataKey [keyLength]byte
	rand.Read(dataKey[:]) // never fails: crypto/rand aborts the program instead
	out, err := first.wrap(make([]byte, 0, Overhead+len(plain)), dataKey[:], b)
	if err != nil {
		return nil, err
	}
	payload, err := newAEAD(dataKey[:])
	if err != nil {
		return nil, err
	}
	return payload.Seal(out, nil, plain, associated("data", b)), nil
}

// Open decrypts what Seal made for the same b. Empty comes back as nil. It
// returns ErrMalformed, ErrUnknownKey or ErrTampered, and then no bytes.
func (k *Keyring) Open(sealed []byte, b parley.Binding) ([]byte, error) {
	e, err := parse(sealed)
	if err != nil {
		return nil, err
	}
	dataKey, err := k.unwrap(e, b)
	if err != nil {
		return nil, err
	}
	payload, err := newAEAD(dataKey)
	if err != nil {
		return nil, err
	}
	plain, err := payload.Open(nil, nil, e.payload, associated("data", b))
	if err != nil {
		return nil, fmt.Errorf("payload: %w", ErrTampered)
	}
	if len(plain) == 0 {
		return nil, nil
	}
	return plain, nil
}

// Rewrap returns the sealed value with its data key wrapped under the first
// secret, and whether that changed it; if not, it returns sealed itself. The
// payload is neither encrypted again nor checked: only Open tells whether that
// was altered. Errors as in Open.
//
// A rotation job reads each stored value, calls Rewrap, and writes the changed
// ones back at the version it read.
func (k *Keyring) Rewrap(sealed []byte, b parley.Binding) ([]byte, bool, error) {
	e, err := parse(sealed)
	if err != nil {
		return nil, false, err
	}
	dataKey, err := k.unwrap(e, b)
	if err != nil {
		return nil, false, err
	}
	first, err := k.first()
	if err != nil {
		return nil, false, err
	}
	if first.id == e.id {
		return sealed, false, nil
	}
	out, err := first.wrap(make([]byte, 0, len(sealed)), dataKey, b)
	if err != nil {
		return nil, false, err
	}
	return append(out, e.payload...), true, nil
}

// Sealed reports whether data begin like a sealed value. It says nothing about
// whether they open.
func Sealed(data []byte) bool {
	return len(data) >= len(magic) && string(data[:len(magic)]) == magic
}

// envelope is a sealed value taken apart; its slices are parts of that value.
type envelope struct {
	id      keyID
	wrapped []byte
	payload []byte // nonce, ciphertext, tag
}

func parse(sealed []byte) (envelope, error) {
	switch {
	case !Sealed(sealed):
		return envelope{}, fmt.Errorf("no magic number: %w", ErrMalformed)
	case len(sealed) < Overhead:
		return envelope{}, fmt.Errorf("%d bytes, at least %d expected: %w", len(sealed), Overhead, ErrMalformed)
	case string(sealed[len(magic):len(prefix)]) != version:
		return envelope{}, fmt.Errorf("version %d: %w", sealed[len(magic)], ErrMalformed)
	}
	return envelope{
		id:      keyID(sealed[len(prefix) : len(prefix)+idLength]),
		wrapped: sealed[len(prefix)+idLength : headLength],
		payload: sealed[headLength:],
	}, nil
}

// wrap appends the head of an envelope to dst.
func (s secret) wrap(dst, dataKey []byte, b parley.Binding) ([]byte, error) {
	wrapping, err := s.aead("wrap", b.Tenant, b.Purpose)
	if err != nil {
		return nil, err
	}
	dst = append(dst, prefix...)
	dst = append(dst, s.id[:]...)
	return wrapping.Seal(dst, nil, dataKey, associated("wrap", b)), nil
}

// unwrap returns the data key.
func (k *Keyring) unwrap(e envelope, b parley.Binding) ([]byte, error) {
	s, err := k.find(e.id)
	if err != nil {
		return nil, err
	}
	wrapping, err := s.aead("wrap", b.Tenant, b.Purpose)
	if err != nil {
		return nil, err
	}
	dataKey, err := wrapping.Open(nil, nil, e.wrapped, associated("wrap", b))
	if err != nil {
		return nil, fmt.Errorf("data key: %w", ErrTampered)
	}
	return dataKey, nil
}

// associated is what both layers authenticate beside their contents. The layer
// is part of it, so that neither passes for the other.
func associated(layer string, b parley.Binding) []byte {
	return encode(layer, prefix, b.Tenant, b.Purpose, b.Owner, b.Key)
}
