package form

import (
	"errors"
	"net/mail"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// assertions are the formats that text of the given format must have. The validator's own email accepts an address
// without a name before the @ and control characters in quotes, so it is joined by a stricter one.
func assertions(format string) []any {
	list := []any{map[string]any{"format": format}}
	if format == "email" {
		list = append(list, map[string]any{"format": "mailbox"})
	}
	return list
}

// formats are stricter than the validator's own of the same name.
func formats() []*jsonschema.Format {
	return []*jsonschema.Format{
		{Name: "mailbox", Validate: onText(mailbox)},
		{Name: "uri", Validate: onText(uri)},
		{Name: "date-time", Validate: onText(dateTime)},
	}
}

func onText(assert func(string) error) func(any) error {
	return func(v any) error {
		if s, ok := v.(string); ok {
			return assert(s)
		}
		return nil
	}
}

func mailbox(s string) error {
	if strings.ContainsFunc(s, unicode.IsControl) || strings.HasSuffix(s, ".") {
		return errors.New("not a mailbox")
	}
	a, err := mail.ParseAddress(s)
	if err != nil {
		return err
	}
	if a.Name != "" || strings.HasSuffix(s, ">") {
		return errors.New("more than a mailbox")
	}
	return nil
}

// uri is RFC 3986: a scheme, only the characters it allows, and a host where the scheme needs one. net/url lets spaces
// and letters of any script pass.
func uri(s string) error {
	const allowed = "-._~:/?#[]@!$&'()*+,;=%"
	for i := range len(s) {
		c := s[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !letter && strings.IndexByte(allowed, c) < 0 {
			return errors.New("character not allowed")
		}
	}
	u, err := url.Parse(s)
	if err != nil {
		return err
	}
	switch {
	case u.Scheme == "" || u.Opaque == "" && u.Host == "" && u.Path == "":
		return errors.New("not absolute")
	case (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() == "":
		return errors.New("no host")
	}
	for _, part := range []string{u.Opaque, u.RawQuery, u.EscapedFragment()} {
		if _, err := url.PathUnescape(part); err != nil {
			return err
		}
	}
	return nil
}

// dateTime is RFC 3339 as the time package reads it, so that what is accepted decodes into a time.Time. Leap seconds
// and lower-case letters are out for that reason.
func dateTime(s string) error {
	return new(time.Time).UnmarshalText([]byte(s))
}
