package parley

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Claims reads whom a verified token is about. Every surface that takes tokens
// reads them with it, so that none is more lenient than another. The zero value
// is of use.
type Claims struct {
	// Tenant is the claim that names the tenant. Default "tenant".
	Tenant string
	// Required refuses tokens without that claim. By default they are of
	// DefaultTenant.
	Required bool
}

// ClaimError says what is wrong with a claim, without its value.
type ClaimError struct {
	Claim  string
	Reason string
}

func (e *ClaimError) Error() string { return fmt.Sprintf("the token's claim %q %s", e.Claim, e.Reason) }

// Person returns the person of a token: its sub, in the tenant of its claim. The
// error is a *ClaimError.
func (c Claims) Person(claims map[string]any, method string) (Principal, error) {
	sub, err := nameClaim(claims, "sub")
	if err != nil {
		return Principal{}, err
	}
	tenant, err := c.TenantOf(claims)
	if err != nil {
		return Principal{}, err
	}
	return Principal{Tenant: tenant, User: sub, Method: method}, nil
}

// TenantOf returns the tenant of a token. A claim that is there and is no name is
// never DefaultTenant: whoever mistakes its type must not find everybody in one
// tenant. The error is a *ClaimError.
func (c Claims) TenantOf(claims map[string]any) (string, error) {
	claim := cmp.Or(c.Tenant, "tenant")
	if _, there := claims[claim]; !there && !c.Required {
		return DefaultTenant, nil
	}
	return nameClaim(claims, claim)
}

func nameClaim(claims map[string]any, claim string) (string, error) {
	value, there := claims[claim]
	if !there {
		return "", &ClaimError{claim, "is missing"}
	}
	name, ok := value.(string)
	if !ok {
		return "", &ClaimError{claim, "is not a text"}
	}
	if fault := nameFault(name); fault != "" {
		return "", &ClaimError{claim, fault}
	}
	return name, nil
}

// maxName is the default of Limits.NameBytes.
const maxName = 512

// ValidName reports whether a person or a tenant can be called that: something
// that can be seen, has 512 bytes at most, neither begins nor ends with a space,
// and is not the name of a session, a call, a program or a group.
func ValidName(name string) bool { return nameFault(name) == "" }

func nameFault(name string) string {
	switch {
	case name == "":
		return "is empty"
	case len(name) > maxName:
		return fmt.Sprintf("has more than %d bytes", maxName)
	case strings.TrimSpace(name) != name:
		return "begins or ends with a space"
	// The replacement character stands for what was no text: names that differ
	// would become one.
	case !utf8.ValidString(name), strings.ContainsFunc(name, func(r rune) bool { return r == utf8.RuneError || !unicode.IsGraphic(r) }):
		return "has characters that cannot be shown"
	case kindOf(name) != KindPerson:
		return "is a name that no person can have"
	}
	return ""
}
