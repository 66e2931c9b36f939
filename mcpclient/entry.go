package mcpclient

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/parley-hq/parley/legible"
)

// Kind is what an entry of a list is.
type Kind string

// The kinds, as people read them.
const (
	KindTool     Kind = "tool"
	KindPrompt   Kind = "prompt"
	KindResource Kind = "resource"
	KindTemplate Kind = "resource template"
)

// named is the member that says which one an entry is.
func (k Kind) named() string {
	switch k {
	case KindResource:
		return "uri"
	case KindTemplate:
		return "uriTemplate"
	}
	return "name"
}

// Entry is a thing that a server lists, as clients take it. Clients check a list
// as a whole: one entry that they do not take costs them all others.
type Entry struct {
	Kind Kind
	Name string          // the server's own; a resource's URI
	Raw  json.RawMessage // for clients of 2026-07-28: as it came where nothing is wrong with it
	// Older is for clients of the eras before; nil: they take Raw.
	Older json.RawMessage
	// Wraps says of a tool that Older shows its output under "result", since
	// these clients take no output but objects: so OlderResult has to.
	Wraps bool
	// Faults are the parts that were left out.
	Faults []Fault
}

// Fault is what is wrong with an entry.
type Fault struct {
	Kind   Kind
	Name   string // as far as it has one; not longer than people read
	Part   string // what of it is left out; empty: all of it
	Reason string
}

// Error implements error.
func (f Fault) Error() string {
	what := fmt.Sprintf("%s %q", f.Kind, f.Name)
	if f.Part != "" {
		what += ", " + f.Part
	}
	return what + ": " + f.Reason
}

// Is implements the interface of package errors.
func (f Fault) Is(target error) bool { return target == ErrProtocol }

// ReadEntry reads an item of a list and mends what can be mended: an optional
// part that clients do not take is left out, and named among the faults. The
// error, a Fault, says why there is nothing left that clients would take.
func ReadEntry(kind Kind, item json.RawMessage) (Entry, error) {
	m := mender{Entry: Entry{Kind: kind}}
	if !utf8.Valid(item) {
		item = bytes.ToValidUTF8(item, []byte("\uFFFD"))
	}
	if reason := unsound(item); reason != "" {
		return Entry{}, m.fault("", reason)
	}
	if m.object = readObject(item); m.object == nil {
		return Entry{}, m.fault("", "it is no object, or has a name twice")
	}
	if reason := m.identify(); reason != "" {
		return Entry{}, m.fault("", reason)
	}
	if reason := m.mend(); reason != "" {
		return Entry{}, m.fault("", reason)
	}
	m.Raw = m.object.json()
	if m.older != nil {
		m.Older = m.older.json()
	}
	return m.Entry, nil
}

// mender makes an entry of an item.
type mender struct {
	Entry
	object *object
	older  *object // nil: the same
}

const maxFaultName = 100

func (m *mender) fault(part, reason string) Fault {
	return Fault{m.Kind, ShownName(m.Name), part, reason}
}

// ShownName is a name as people are shown it who look for what is wrong.
func ShownName(name string) string {
	return legible.Escaped(strings.ToValidUTF8(name[:min(len(name), maxFaultName)], ""), legible.Hidden)
}

// leaveOut notes a part that is left out.
func (m *mender) leaveOut(part, reason string) {
	m.Faults = append(m.Faults, m.fault(part, reason))
}

// identify finds out which one it is.
func (m *mender) identify() (reason string) {
	member := m.Kind.named()
	quoted := m.object.get(member)
	if len(quoted) <= len(`""`) || quoted[0] != '"' {
		return "it has no " + member
	}
	if m.Name = text(quoted); strings.ContainsRune(m.Name, utf8.RuneError) {
		return "its " + member + " is not text"
	}
	return unfit(m.Kind, m.Name)
}

// How long names are that clients and models take: the protocol's own bound for
// those of tools, and that of links.
const (
	maxName = 128
	maxURI  = 8 << 10
)

// unfit says why nobody should be shown a name: it would look like another, or be
// in the way of what is beside it.
func unfit(kind Kind, name string) string {
	member := kind.named()
	if member == "name" && utf8.RuneCountInString(name) > maxName {
		return fmt.Sprintf("its name has more than %d characters", maxName)
	}
	if len(name) > maxURI {
		return fmt.Sprintf("its %s has more than %d KiB", member, maxURI>>10)
	}
	if !legible.AsWritten(name, legible.Hidden) {
		return "its " + member + " has characters that nobody sees"
	}
	return ""
}

// mend checks the members that clients check.
func (m *mender) mend() (reason string) {
	m.texts("description")
	m.part("title", aTitle)
	m.part("_meta", anObject)
	m.part("icons", icons)
	switch m.Kind {
	case KindTool:
		m.annotations()
		m.part("execution", execution)
		if reason := m.input(); reason != "" {
			return reason
		}
		m.output()
	case KindPrompt:
		return m.arguments()
	case KindResource, KindTemplate:
		m.texts("mimeType")
		m.part("annotations", audience)
		if m.Kind == KindResource {
			m.part("size", wholeNumber)
		}
		if name := m.object.get("name"); len(name) == 0 || name[0] != '"' {
			m.object.set("name", m.object.get(m.Kind.named())) // clients want one
		}
	}
	return ""
}

// texts leaves out what is no text.
func (m *mender) texts(members ...string) {
	for _, member := range members {
		m.part(member, aText)
	}
}

// checker returns a part as clients take it, or nil, and what is wrong with it.
type checker func(json.RawMessage) (mended json.RawMessage, reason string)

// part checks an optional member. null is as good as nothing.
func (m *mender) part(member string, check checker) {
	value := m.object.get(member)
	if value == nil {
		return
	}
	if isNull(value) {
		m.object.set(member, nil)
		return
	}
	mended, reason := check(value)
	if reason != "" {
		m.leaveOut(member, reason)
	}
	m.object.set(member, mended)
}

// parts checks the optional members of an object inside an entry. It returns nil
// for what is no object, and otherwise it with what clients take of it.
func parts(raw json.RawMessage, checks map[string]checker) (*object, string) {
	o := readObject(raw)
	if o == nil {
		return nil, "it is no object, or has a name twice"
	}
	var wrong []string
	for _, member := range append([]string(nil), o.names...) {
		check := checks[member]
		if check == nil {
			continue
		}
		value := o.get(member)
		if isNull(value) {
			o.set(member, nil)
			continue
		}
		mended, reason := check(value)
		if reason != "" {
			wrong = append(wrong, member+": "+reason)
		}
		o.set(member, mended)
	}
	return o, strings.Join(wrong, "; ")
}

func isNull(value json.RawMessage) bool { return string(value) == "null" }

// maxEntryDepth is how deep an entry may nest: programs that read lists give up
// on all of them at some depth.
const maxEntryDepth = 128

// unsound says why programs would fail to read an item as JSON.
func unsound(item json.RawMessage) string {
	if end := skip(item, space(item, 0), maxDepth-maxEntryDepth); end < 0 || space(item, end) != len(item) {
		return fmt.Sprintf("it is no JSON, or nests deeper than %d levels", maxEntryDepth)
	}
	for i := 0; i < len(item); {
		switch c := item[i]; {
		case c == '"':
			i = skipString(item, i)
		case c == '-' || '0' <= c && c <= '9':
			end := skipNumber(item, i)
			if _, err := strconv.ParseFloat(string(item[i:end]), 64); err != nil {
				return "it has a number that is out of range"
			}
			i = end
		default:
			i++
		}
	}
	return ""
}
