package seal

import "errors"

// What is wrong with a configured secret.
var (
	ErrNoSecret        = errors.New("no secret configured: set one of 32 random bytes or more, for example from: openssl rand -base64 32")
	ErrWeakSecret      = errors.New("secret too short: use 32 random bytes or more, for example from: openssl rand -base64 32")
	ErrDuplicateSecret = errors.New("secret listed twice: list each once (two that differ share a key id once in four billion times: then make another)")
	ErrSecretFormat    = errors.New("secret not decodable: behind base64: or hex: put exactly that, or leave the prefix away")
)

// What is wrong with a sealed value or a token. Nothing of it was opened.
var (
	// ErrMalformed: too short, too long, an unknown version, not base64.
	ErrMalformed = errors.New("not a sealed value or token of this version: check that it is complete, and that no newer version wrote it")

	// ErrUnknownKey: foreign data, or data of a secret that was dropped.
	ErrUnknownKey = errors.New("sealed with a secret that is not configured: add that secret behind the first one, or discard the data")

	// ErrTampered: the secret is known and the authentication failed.
	ErrTampered = errors.New("altered, or moved here from another tenant, purpose, owner or key: do not use it, restore or ask anew")

	ErrTokenExpired  = errors.New("token expired: ask for a new link")
	ErrTokenTooLarge = errors.New("token payload too large: at most 1024 bytes, store a record and put its key into the token")
)
