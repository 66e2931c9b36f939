package fakeslack

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Wire is what went over the wire so far, for golden files: calls of the Web API with
// their answers, and deliveries with theirs, in the order in which they began. Forms
// are written as their fields, JSON is indented, tokens are left out, and the fake's
// own address is slack.example. Of these methods or kinds, or all.
func (s *Slack) Wire(of ...string) string {
	type entry struct {
		at   time.Time
		text string
	}
	var all []entry
	for _, c := range s.Calls(of...) {
		all = append(all, entry{c.At, c.transcript()})
	}
	for _, d := range s.Deliveries(of...) {
		for _, a := range d.Attempts {
			all = append(all, entry{a.At, d.transcript(a)})
		}
	}
	slices.SortStableFunc(all, func(a, b entry) int { return a.at.Compare(b.at) })
	var out strings.Builder
	for _, e := range all {
		out.WriteString(e.text)
	}
	return s.mask(out.String())
}

// mask takes tokens and secrets out, and the fake's address.
func (s *Slack) mask(wire string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	pairs := []string{s.URL, "https://slack.example", s.opts.AppToken, "<app token>", s.opts.ClientSecret, "<client secret>"}
	for _, t := range s.tokens {
		pairs = append(pairs, t.value, "<token>")
		if t.refresh != "" {
			pairs = append(pairs, t.refresh, "<refresh token>")
		}
	}
	return strings.NewReplacer(pairs...).Replace(wire)
}

func (c Call) transcript() string {
	var out strings.Builder
	fmt.Fprintf(&out, "-- app: %s --\n", c.Method)
	for _, name := range slices.Sorted(maps.Keys(c.Args)) {
		fmt.Fprintf(&out, "%s: %s\n", name, value(c.Args[name]))
	}
	if c.Status == 0 {
		out.WriteString("-- slack: no answer --\n")
		return out.String()
	}
	fmt.Fprintf(&out, "-- slack: %d --\n%s\n", c.Status, pretty(c.Response))
	return out.String()
}

func (d Delivery) transcript(a Attempt) string {
	var out strings.Builder
	fmt.Fprintf(&out, "-- slack: %s --\n", d.Kind)
	for _, name := range []string{"X-Slack-Retry-Num", "X-Slack-Retry-Reason"} {
		if v := a.Header.Get(name); v != "" {
			fmt.Fprintf(&out, "%s: %s\n", http.CanonicalHeaderKey(name), v)
		}
	}
	fmt.Fprintf(&out, "%s\n-- app: %d --\n", pretty(d.Payload), a.Status)
	if len(a.Response) > 0 {
		out.WriteString(pretty(a.Response) + "\n")
	}
	return out.String()
}

// value is an argument: of JSON, also in a string, the JSON.
func value(v any) string {
	if s, ok := v.(string); ok {
		if strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[") {
			return pretty([]byte(s))
		}
		return s
	}
	return pretty(encode(v))
}

func pretty(raw []byte) string {
	var out bytes.Buffer
	if json.Indent(&out, raw, "", "  ") != nil {
		return string(raw)
	}
	return out.String()
}
