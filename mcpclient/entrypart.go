package mcpclient

import (
	"cmp"
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/parley-hq/parley/legible"
)

func aText(raw json.RawMessage) (json.RawMessage, string) {
	if raw[0] != '"' {
		return nil, "it is no text"
	}
	return raw, ""
}

// aTitle is a text that is shown on a line, as a name is.
func aTitle(raw json.RawMessage) (json.RawMessage, string) {
	raw, reason := aText(raw)
	if reason != "" {
		return nil, reason
	}
	if len(raw) > maxTitle {
		return nil, "it is too long for a title"
	}
	if title := text(raw); !legible.AsWritten(title, legible.HiddenInProse) || strings.ContainsAny(title, "\n\r\t") {
		return nil, "it has characters that nobody sees"
	}
	return raw, ""
}

// maxTitle is how many bytes a title has, as it is written.
const maxTitle = 1 << 10

// aPicture is where an icon is: clients load it, and some would run what is no
// picture.
func aPicture(raw json.RawMessage) (json.RawMessage, string) {
	if raw, reason := aText(raw); reason != "" {
		return raw, reason
	}
	u, err := url.Parse(text(raw))
	if err != nil {
		return nil, "it is no link"
	}
	switch u.Scheme {
	case "https", "http", "":
		return raw, ""
	case "data":
		if strings.HasPrefix(strings.ToLower(u.Opaque), "image/") {
			return raw, ""
		}
	}
	return nil, "it leads to no picture"
}

func aTruth(raw json.RawMessage) (json.RawMessage, string) {
	if word := string(raw); word != "true" && word != "false" {
		return nil, "it is neither true nor false"
	}
	return raw, ""
}

func anObject(raw json.RawMessage) (json.RawMessage, string) {
	if raw[0] != '{' {
		return nil, "it is no object"
	}
	return raw, ""
}

// oneOf checks a text of which there are few.
func oneOf(words ...string) checker {
	return func(raw json.RawMessage) (json.RawMessage, string) {
		for _, word := range words {
			if raw[0] == '"' && equals(raw, word) {
				return raw, ""
			}
		}
		return nil, "it is none of " + strings.Join(words, ", ")
	}
}

// listOf checks a list as a whole.
func listOf(check checker) checker {
	return func(raw json.RawMessage) (mended json.RawMessage, reason string) {
		ok := elements(raw, func(value []byte) bool {
			_, reason = check(value)
			return reason == ""
		})
		if !ok {
			return nil, "it is no list"
		}
		if reason != "" {
			return nil, reason
		}
		return raw, ""
	}
}

// wholeNumber writes a number of bytes as every program reads it.
func wholeNumber(raw json.RawMessage) (json.RawMessage, string) {
	n, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || n < 0 || n > maxExact || n != float64(int64(n)) {
		return nil, "it is no number of bytes"
	}
	return strconv.AppendInt(nil, int64(n), 10), ""
}

// objectOf checks an object's members one by one.
func objectOf(checks map[string]checker) checker {
	return func(raw json.RawMessage) (json.RawMessage, string) {
		o, reason := parts(raw, checks)
		if o == nil {
			return nil, reason
		}
		return o.json(), reason
	}
}

var execution = objectOf(map[string]checker{"taskSupport": oneOf("required", "optional", "forbidden")})

// audience are the annotations of a resource.
var audience = objectOf(map[string]checker{
	"audience": listOf(oneOf("user", "assistant")), "priority": priority, "lastModified": moment,
})

func priority(raw json.RawMessage) (json.RawMessage, string) {
	if n, err := strconv.ParseFloat(string(raw), 64); err != nil || n < 0 || n > 1 {
		return nil, "it is no number from 0 to 1"
	}
	return raw, ""
}

var moments = regexp.MustCompile(`^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)$`)

func moment(raw json.RawMessage) (json.RawMessage, string) {
	if raw[0] == '"' {
		if m := moments.FindStringSubmatch(text(raw)); m != nil {
			if m[2] == "" {
				m[2] = ":00"
			}
			if _, err := time.Parse(time.RFC3339, m[1]+m[2]+m[3]); err == nil {
				return raw, ""
			}
		}
	}
	return nil, "it is no time such as 2026-01-31T09:30:00Z"
}

var icon = map[string]checker{
	"src": aPicture, "mimeType": aText, "sizes": listOf(aText), "theme": oneOf("light", "dark"),
}

// icons leaves out those that clients do not take.
func icons(raw json.RawMessage) (json.RawMessage, string) {
	var all []json.RawMessage
	wrong, changed := "", false
	ok := elements(raw, func(value []byte) bool {
		o, reason := parts(value, icon)
		if o != nil && o.get("src") == nil {
			o, reason = nil, cmp.Or(reason, "there is no src")
		}
		if reason != "" {
			wrong = reason
		}
		if changed = changed || o == nil || o.changed; o != nil {
			all = append(all, o.json())
		}
		return true
	})
	switch {
	case !ok:
		return nil, "it is no list"
	case !changed:
		return raw, ""
	case len(all) == 0:
		return nil, wrong
	}
	return appendList(all), wrong
}

func appendList(all []json.RawMessage) json.RawMessage {
	b := []byte{'['}
	for i, one := range all {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, one...)
	}
	return append(b, ']')
}

var argument = map[string]checker{"title": aText, "description": aText, "required": aTruth}

// arguments checks those of a prompt. One without a name may be one that is
// needed, and nobody could give it.
func (m *mender) arguments() (reason string) {
	raw := m.object.get("arguments")
	if raw == nil || isNull(raw) {
		m.object.set("arguments", nil)
		return ""
	}
	var all []json.RawMessage
	ok := elements(raw, func(value []byte) bool {
		o, wrong := parts(value, argument)
		if o == nil || len(o.get("name")) == 0 || o.get("name")[0] != '"' {
			reason = "one of its arguments has no name"
			return false
		}
		if wrong != "" {
			m.leaveOut("arguments", wrong)
		}
		all = append(all, o.json())
		return true
	})
	if !ok {
		return "its arguments are no list"
	}
	if reason == "" {
		m.object.set("arguments", appendList(all))
	}
	return reason
}
