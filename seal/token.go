package seal

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"time"
)

const (
	tokenVersion = "\x01"

	maxPayload  = 1024
	firstBucket = 96
	nextBuckets = 64

	tokenHead  = len(tokenVersion) + idLength
	tokenInner = 8 + 2 // expiry, length of the payload
	minToken   = tokenHead + tokenInner + firstBucket + gcmExtra
	maxToken   = tokenHead + tokenInner + firstBucket + gcmExtra +
		(maxPayload-firstBucket+nextBuckets-1)/nextBuckets*nextBuckets
)

var tokenEncoding = base64.RawURLEncoding

// Token seals payload into a string for a URL. It opens only for the same
// purpose and only before expires, which is rounded down to a millisecond. All
// payloads up to 96 bytes give tokens of 186 characters; longer ones grow in
// steps of 64 bytes. It returns ErrTokenTooLarge for more than 1024 bytes,
// ErrTokenExpired when expires has passed (or is zero: every token has an end),
// ErrNoSecret for a keyring without secrets.
//
// A token says what it is for, not who holds it: people forward links. The page
// behind it must check who is signed in.
func (k *Keyring) Token(purpose string, payload []byte, expires time.Time) (string, error) {
	first, err := k.first()
	if err != nil {
		return "", err
	}
	if len(payload) > maxPayload {
		return "", fmt.Errorf("%d bytes: %w", len(payload), ErrTokenTooLarge)
	}
	end := expires.UnixMilli()
	if over(end) {
		return "", fmt.Errorf("at %s: %w", expires.UTC().Format(time.RFC3339), ErrTokenExpired)
	}
	aead, err := first.aead("token", purpose)
	if err != nil {
		return "", err
	}
	inner := make([]byte, tokenInner+bucket(len(payload)))
	binary.BigEndian.PutUint64(inner, uint64(end))
	binary.BigEndian.PutUint16(inner[8:], uint16(len(payload)))
	copy(inner[tokenInner:], payload)

	head := tokenVersion + string(first.id[:])
	out := append(make([]byte, 0, tokenHead+len(inner)+gcmExtra), head...)
	out = aead.Seal(out, nil, inner, encode("token", head, purpose))
	return tokenEncoding.EncodeToString(out), nil
}

// OpenToken returns the payload of a token made for that purpose; empty comes
// back as nil. It returns ErrMalformed when token is not one, ErrUnknownKey when
// it was made with another secret, ErrTampered when it was altered or is for
// another purpose, and ErrTokenExpired.
func (k *Keyring) OpenToken(purpose, token string) ([]byte, error) {
	raw, err := decodeToken(token)
	if err != nil {
		return nil, err
	}
	head := raw[:tokenHead]
	s, err := k.find(keyID(head[len(tokenVersion):]))
	if err != nil {
		return nil, err
	}
	aead, err := s.aead("token", purpose)
	if err != nil {
		return nil, err
	}
	inner, err := aead.Open(nil, nil, raw[tokenHead:], encode("token", string(head), purpose))
	if err != nil {
		return nil, fmt.Errorf("token: %w", ErrTampered)
	}
	if over(int64(binary.BigEndian.Uint64(inner))) {
		return nil, ErrTokenExpired
	}
	n := int(binary.BigEndian.Uint16(inner[8:]))
	if n > len(inner)-tokenInner {
		return nil, fmt.Errorf("token of %d bytes in %d: %w", n, len(inner)-tokenInner, ErrMalformed)
	}
	if n == 0 {
		return nil, nil
	}
	return inner[tokenInner : tokenInner+n : tokenInner+n], nil
}

// decodeToken returns the bytes of a token that is long enough to take apart.
func decodeToken(token string) ([]byte, error) {
	if len(token) > tokenEncoding.EncodedLen(maxToken) {
		return nil, fmt.Errorf("token of %d characters: %w", len(token), ErrMalformed)
	}
	raw, err := tokenEncoding.DecodeString(token)
	// The decoder skips line breaks and unused bits at the end; a token has
	// only one spelling, or a list of used tokens could be walked around.
	if err != nil || tokenEncoding.EncodeToString(raw) != token {
		return nil, fmt.Errorf("token encoding: %w", ErrMalformed)
	}
	if len(raw) < minToken {
		return nil, fmt.Errorf("token of %d bytes: %w", len(raw), ErrMalformed)
	}
	if v := string(raw[:len(tokenVersion)]); v != tokenVersion {
		return nil, fmt.Errorf("token version %d: %w", v[0], ErrMalformed)
	}
	return raw, nil
}

// over reports whether the time has come, in Unix milliseconds.
func over(end int64) bool {
	return !time.Now().Before(time.UnixMilli(end))
}

// bucket returns the length that a payload of n bytes is filled up to.
func bucket(n int) int {
	if n <= firstBucket {
		return firstBucket
	}
	return firstBucket + (n-firstBucket+nextBuckets-1)/nextBuckets*nextBuckets
}
