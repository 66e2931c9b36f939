package agent

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"

	"github.com/parley-hq/parley/internal/toolname"
)

// The name by which a model knows a tool says whose it is, and nothing else: it
// does not depend on what else is listed, so that a name that a model has learned
// never comes to mean another server's tool.
const (
	delegateMark = "delegate_to_"

	maxModelName = 64 // of the small alphabet that every model's provider takes
	digestBytes  = 8
)

// digested is what ends a name that could not stay as it is. No other name has
// such an end.
var digested = regexp.MustCompile(`_[0-9a-f]{16}$`)

// modelName names a tool of a box, a box whose tools are not known yet, or a
// delegate. A name stays as it is where it can be taken apart in one way only;
// else it ends with a digest of what it is.
func modelName(kind callKind, box, tool string) string {
	var name string
	var plain bool
	switch kind {
	case toStandIn:
		name = box
		plain = toolname.Bare(name) && !strings.HasPrefix(name, delegateMark)
	case toDelegate:
		name = delegateMark + box
		plain = toolname.Bare(name)
	default:
		name = toolname.Join(box, tool)
		first, rest := toolname.Cut(name)
		plain = first == box && rest == tool
	}
	clean := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' {
			return c
		}
		return '_'
	}, name)
	if plain && clean == name && len(name) <= maxModelName && !digested.MatchString(name) {
		return name
	}
	digest := sha256.Sum256([]byte(string(kind) + "\x00" + box + "\x00" + tool))
	end := "_" + hex.EncodeToString(digest[:digestBytes])
	return clean[:min(len(clean), maxModelName-len(end))] + end
}
