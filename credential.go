package parley

import (
	"errors"
	"strings"
)

// CredentialError says why a credential is not taken. Its text is fit for
// whoever sent it: it names what would do, and nothing that only others know.
type CredentialError struct {
	Reason string // such as: the token has expired
}

func (e *CredentialError) Error() string { return e.Reason }

// CredentialFault returns what an error says to whoever sent a credential: the
// text of a *CredentialError or a *ClaimError. Empty: it says nothing to them.
func CredentialFault(err error) string {
	var credential *CredentialError
	if errors.As(err, &credential) {
		return credential.Error()
	}
	var claim *ClaimError
	if errors.As(err, &claim) {
		return claim.Error()
	}
	return ""
}

// CredentialChallenge returns what a WWW-Authenticate header says of the same
// error besides the scheme (RFC 6750, section 3), or nothing.
func CredentialChallenge(err error) string {
	fault := CredentialFault(err)
	if fault == "" {
		return ""
	}
	// The description may have neither quotation marks nor backslashes.
	plain := strings.Map(func(r rune) rune {
		switch {
		case r == '"':
			return '\''
		case r < ' ', r > '~', r == '\\':
			return '?'
		}
		return r
	}, fault)
	return `error="invalid_token", error_description="` + plain + `"`
}
