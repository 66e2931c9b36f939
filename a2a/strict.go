package a2a

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley/strictjson"
)

// maxBodyDepth is how deep a request may be: data has 64 levels.
const maxBodyDepth = 80

// unclear refuses a body of which another reader could make something else: whoever looks
// at what agents send has to see what is done. The transports take the last of several
// members of one name, in any letters, and round numbers.
func unclear(body []byte) error {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	v, err := strictjson.Read(body, maxBodyDepth)
	if err != nil {
		return a2a.NewError(a2a.ErrParseError, "the body cannot be read in one way only: "+brief(err.Error()))
	}
	if name := namedTwice(v); name != "" {
		return a2a.NewError(a2a.ErrParseError, fmt.Sprintf("the body cannot be read in one way only: %s is given twice, by two names", name))
	}
	if err := strictjson.Exact(v); err != nil {
		return invalid(err.Error())
	}
	return nil
}

// brief is what is wrong with a text. Where that is may be as long as the text, and a name in
// it, too.
func brief(text string) string {
	const most = 200
	if len(text) > 2*most {
		text = strings.ToValidUTF8(text[:most], "") + "…" + strings.ToValidUTF8(text[len(text)-most:], "")
	}
	return text
}

// namedTwice is a member of a request that is given by both of its names, as camelled
// reads them; empty: there is none.
func namedTwice(v any) string {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			if name := namedTwice(one); name != "" {
				return name
			}
		}
	case strictjson.Object:
		for _, m := range v {
			if camel, known := snakes[m.Name]; known && slices.ContainsFunc(v, func(other strictjson.Member) bool {
				return strictjson.Fold(other.Name) == strictjson.Fold(camel)
			}) {
				return camel
			}
			if m.Name == "data" || m.Name == "metadata" {
				continue
			}
			if name := namedTwice(m.Value); name != "" {
				return name
			}
		}
	}
	return ""
}
