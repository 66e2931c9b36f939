package backend

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/parley-hq/parley/internal/userinfo"
)

// A store's URL may name a space, as in postgres://db/parley?space=staging: what is in
// one is not seen from another. In PostgreSQL it is a schema, in Redis the beginning
// of every key and channel.
const (
	spaceParam  = "space"
	spacePrefix = "parley_" // no space is a schema of somebody else's
)

var (
	spaceName = regexp.MustCompile(`^[a-z0-9_]{1,40}$`)

	errSpace   = errors.New("space: it is 1 to 40 lower-case letters, digits and underscores, named once, such as ?space=staging")
	errNoSpace = errors.New("space: it is for postgres:// and redis://; for another SQLite name another file")
	errMemory  = errors.New("memory: write memory: with nothing behind it")
	errQuery   = errors.New("what follows ? in its URL cannot be read: write NAME=VALUE, with & between two and other characters percent-encoded")
	errBehind  = errors.New("its URL goes on behind a #, where nothing is read: leave that out, or write %23 for a # of the password")
)

// cutSpace takes the space out of a URL: the drivers do not know it. Its errors have
// nothing of the URL.
func cutSpace(text string) (rest, space string, err error) {
	scheme, opaque, _ := strings.Cut(text, ":")
	switch {
	case scheme != "sqlite" && scheme != "memory":
	case strings.Contains(opaque, "?"+spaceParam+"="):
		return "", "", errNoSpace
	case scheme == "memory" && opaque != "":
		return "", "", errMemory
	case strings.Contains(opaque, "?"):
		_, query, _ := strings.Cut(opaque, "?")
		name, _, _ := strings.Cut(query, "=")
		return "", "", fmt.Errorf("%.40q: sqlite: has the path of a file, without a ?, and no parameters", name)
	default:
		return text, "", nil
	}
	u, err := url.Parse(text)
	if err != nil || userinfo.Spills(text, userinfo.Last) {
		return text, "", nil // whoever opens it says what is wrong, without the password
	}
	if u.Fragment != "" {
		return "", "", errBehind
	}
	if _, err := url.ParseQuery(u.RawQuery); err != nil {
		return "", "", errQuery
	}
	var kept []string
	found := false
	for part := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(part, "=")
		if name, err = url.QueryUnescape(name); err != nil {
			return "", "", errQuery
		}
		if name != spaceParam {
			if meansSpace(name) {
				return "", "", fmt.Errorf("%.40q: there is no such parameter; did you mean %s?", name, spaceParam)
			}
			kept = append(kept, part)
			continue
		}
		if found || !spaceName.MatchString(value) {
			return "", "", errSpace
		}
		found, space = true, spacePrefix+value
	}
	if !found {
		return text, "", nil
	}
	u.RawQuery = strings.Join(kept, "&")
	return u.String(), space, nil
}

// meansSpace reports whether the name of a parameter is space with other letter cases, or
// with one letter put in, taken out, replaced or exchanged with the next. No parameter of
// PostgreSQL and Redis is like that.
func meansSpace(name string) bool {
	name = strings.ToLower(strings.TrimSpace(name))
	a, b := name, spaceParam
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}
