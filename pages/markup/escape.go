package markup

import "strings"

// Refused stands for an address that leads nowhere good. html/template writes the
// same, so that it can be searched for.
const Refused = "#ZgotmplZ"

// appendEscaped appends a value to what stands in text, or between double quotes.
func appendEscaped(out []byte, value string) []byte {
	for i := range len(value) {
		switch c := value[i]; c {
		case 0:
			out = append(out, "\uFFFD"...)
		case '"':
			out = append(out, "&#34;"...)
		case '\'':
			out = append(out, "&#39;"...)
		case '&':
			out = append(out, "&amp;"...)
		case '+':
			out = append(out, "&#43;"...) // UTF-7 of browsers long gone
		case '<':
			out = append(out, "&lt;"...)
		case '>':
			out = append(out, "&gt;"...)
		default:
			out = append(out, c)
		}
	}
	return out
}

// encoded is a value as a part of an address: all of it, or what follows a constant
// path, or what is one word of a query or a fragment.
func encoded(value string, at part) string {
	if at == noPart && !isFollowed(value) {
		return Refused
	}
	kept := unreserved
	if at != query {
		kept += reserved
	}
	const hex = "0123456789abcdef"
	var b strings.Builder
	for i := range len(value) {
		switch c := value[i]; {
		case strings.IndexByte(kept, c) >= 0, c == '%' && at != query && isEncoded(value[i:]):
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

// The characters of RFC 3986, section 2, without those that end values in some
// languages: apostrophe and parentheses.
const (
	unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
	reserved   = "!#$&*+,/:;=?@[]"
)

// isFollowed reports whether browsers may follow an address.
func isFollowed(address string) bool {
	scheme, _, found := strings.Cut(address, ":")
	if !found || strings.Contains(scheme, "/") {
		return true
	}
	return isOneOf([]byte(scheme), "http", "https", "mailto")
}

func isEncoded(s string) bool { return len(s) >= 3 && isHex(s[1]) && isHex(s[2]) }

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }
