// Package userinfo finds addresses whose password was not written as URLs want it: an @, /,
// ? or # of it that is not percent-encoded ends it early, and the rest is read as the name
// of a host or a database. Whoever repeats those in an error would tell it.
package userinfo

import "strings"

// Reading is where a program takes the user and the password of an address to end.
type Reading int

// The two readings there are.
const (
	Last  Reading = iota // at the last @ before /, ? and #, as net/url has it
	First                // at the first @ before /, as PostgreSQL has it
)

// Spills reports whether what is behind the user and the password of an address looks like a
// part of them. In the values of its query an @ is one of its own.
func Spills(address string, reading Reading) bool {
	_, rest, _ := strings.Cut(address, "://")
	ends := "/?#"
	if reading == First {
		ends = "/"
	}
	authority, behind := rest, ""
	if i := strings.IndexAny(rest, ends); i >= 0 {
		authority, behind = rest[:i], rest[i:]
	}
	if reading == First && strings.Count(authority, "@") > 1 {
		return true
	}
	if !strings.ContainsAny(authority, ":@") {
		return false // there is no password
	}
	path, query, _ := strings.Cut(behind, "?")
	if strings.Contains(path, "@") {
		return true
	}
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		_, fragment, _ := strings.Cut(value, "#")
		if strings.Contains(name, "@") || strings.Contains(fragment, "@") {
			return true
		}
	}
	return false
}
