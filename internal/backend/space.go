package backend

import (
	"errors"
	"net/url"
	"regexp"
	"strings"
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
)

// cutSpace takes the space out of a URL: the drivers do not know it. Its errors have
// nothing of the URL.
func cutSpace(text string) (rest, space string, err error) {
	scheme, opaque, _ := strings.Cut(text, ":")
	if scheme == "sqlite" || scheme == "memory" {
		if strings.Contains(opaque, "?"+spaceParam+"=") {
			return "", "", errNoSpace
		}
		return text, "", nil
	}
	u, err := url.Parse(text)
	if err != nil {
		return text, "", nil // whoever opens it says what is wrong
	}
	var kept []string
	found := false
	for part := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(part, "=")
		if name != spaceParam {
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
