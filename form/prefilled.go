package form

import (
	"encoding/json"
	"net/url"
	"strings"
)

// Prefilled is the field's default as if somebody had entered it, for Entries.Sent.
func Prefilled(f Field) url.Values {
	sent := url.Values{}
	var v any
	if f.Default == nil || json.Unmarshal(f.Default, &v) != nil {
		return sent
	}
	name := InputName(f)
	place := func(value any) {
		for i, o := range f.Options {
			if o.Value == value {
				sent.Add(name, OptionValue(i))
			}
		}
	}
	switch v := v.(type) {
	case string:
		switch {
		case f.Kind == Choice:
			place(v)
		case f.Format == "date-time":
			local, zone := splitZone(v)
			sent.Set(name, local)
			sent.Set(ZoneName(f), zone)
		default:
			sent.Set(name, v)
		}
	case []any:
		for _, value := range v {
			place(value)
		}
	default: // a number keeps its digits
		if f.Kind == Choice {
			place(string(f.Default))
			break
		}
		sent.Set(name, string(f.Default))
	}
	return sent
}

// splitZone takes a date and time of RFC 3339 apart.
func splitZone(text string) (local, zone string) {
	at := strings.IndexByte(text, 'T')
	if at < 0 {
		return text, ""
	}
	if end := strings.LastIndexAny(text, "Z+-"); end > at {
		local, zone = text[:end], text[end:]
	} else {
		local = text
	}
	if zone == "+00:00" || zone == "-00:00" {
		zone = "Z"
	}
	return local, zone
}
