// Package markup writes HTML. Its text is constant, and values get in through
// holes, each escaped for the place that it is at:
//
//	var w markup.Writer
//	w.Put(`<p class="hint" id="{}-about">{}</p>`, id, about)
//	w.Put(`<a href="{}">{}</a>`, address, name)
//	page, err := w.Bytes()
//
// A hole {} stands in text or in a value between double quotes. An address, such
// as that of href, leads to http, https, mailto or a place of the same site, or is
// replaced. There are no holes in scripts, styles, handlers of events, names and
// comments: Bytes reports one as an error, and so whatever a test writes once is
// right for all values.
//
// html/template does this and more, by reflection on names of methods. With that
// in a program the linker keeps every exported method of every type, which is a
// quarter of it (docs/decisions/0034-html-without-reflection.md).
//
// A Writer is for one goroutine.
package markup

import (
	"fmt"
	"slices"
	"strings"
)

// constant can be had by other packages from constants of their source alone, so
// that no value becomes HTML unescaped.
type constant string

// Writer collects a page. Its zero value is empty.
type Writer struct {
	out     []byte
	at      place
	element []byte // the name of the tag, as far as it was read
	word    []byte // the last word of the tag: at = the attribute's name
	address bool   // the value is an address,
	part    part   // of which so much was read
	err     error
}

// place is where the next byte is.
type place int

const (
	inText   place = iota
	inName         // of an element
	inTag          // behind the name
	inValue        // of an attribute
	inScript       // or a style
)

// part is how far an address was read.
type part int

const (
	noPart   part = iota
	path          // the place that it leads to is constant
	query         // or a fragment
	finished      // a hole was in it
)

// Put writes a constant with a value in each of its holes.
func (w *Writer) Put(html constant, values ...string) {
	rest, used := string(html), 0
	for rest != "" && w.err == nil {
		if !strings.HasPrefix(rest, "{}") {
			w.read(rest)
			w.out = append(w.out, rest[0])
			rest = rest[1:]
			continue
		}
		if used < len(values) {
			w.fill(values[used])
		}
		used++
		rest = rest[2:]
	}
	switch {
	case w.err != nil:
	case used != len(values):
		w.fail("%d holes and %d values", used, len(values))
	case w.at == inValue:
		w.fail("a value has no end")
	default:
		return
	}
	w.err = fmt.Errorf("%w: %s", w.err, html)
}

// If writes a constant where ok is true.
func (w *Writer) If(ok bool, html constant, values ...string) {
	if ok {
		w.Put(html, values...)
	}
}

// Bytes returns the page, or what is wrong with its constants.
func (w *Writer) Bytes() ([]byte, error) {
	if w.err == nil && w.at != inText {
		w.fail("the page ends within a tag")
	}
	return w.out, w.err
}

func (w *Writer) fail(format string, a ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("markup: "+format, a...)
	}
}

// read follows a constant by its first byte.
func (w *Writer) read(rest string) {
	switch c := rest[0]; w.at {
	case inText:
		if c == '<' {
			w.at, w.element = inName, w.element[:0]
		}
	case inScript:
		if strings.HasPrefix(rest, "</") {
			w.at, w.element = inName, w.element[:0]
		}
	case inName:
		if c != '>' && c != '<' && !isSpace(c) {
			w.element = append(w.element, c)
			return
		}
		w.at = inTag
		w.readTag(rest)
	case inTag:
		w.readTag(rest)
	case inValue:
		w.readValue(c)
	}
}

func (w *Writer) readTag(rest string) {
	switch c := rest[0]; {
	case c == '>':
		w.at, w.word = inText, w.word[:0]
		if isOneOf(w.element, "script", "style") {
			w.at = inScript
		}
	case isSpace(c):
		w.word = w.word[:0]
	case c == '<':
		w.fail("a tag within <%s", w.element)
	case c == '=' && !strings.HasPrefix(rest, `="`):
		w.fail("the value of %s has no double quotes", w.word)
	case c == '"':
		name := strings.TrimPrefix(strings.ToLower(strings.TrimSuffix(string(w.word), "=")), "data-")
		w.at, w.part, w.address = inValue, noPart, slices.Contains(addresses, name)
	default:
		w.word = append(w.word, c)
	}
}

func (w *Writer) readValue(c byte) {
	switch {
	case c == '"':
		w.at, w.word = inTag, w.word[:0]
	case w.part == finished:
	case c == '?' || c == '#':
		w.part = query
	case w.part == noPart:
		w.part = path
	}
}

// addresses are the attributes that lead somewhere.
var addresses = []string{"action", "background", "cite", "data", "formaction", "href", "icon", "longdesc", "manifest", "poster", "src", "usemap", "xmlns"}

// fill writes a value.
func (w *Writer) fill(value string) {
	switch {
	case w.at == inText:
		w.out = appendEscaped(w.out, value)
	case w.at != inValue:
		w.fail("a hole outside of text and values, in <%s", w.element)
	case w.isCode():
		w.fail("a hole in %q, which is code", w.word)
	case !w.address:
		w.out = appendEscaped(w.out, value)
	case w.part == finished:
		w.fail("a second hole in the address of %q", w.word)
	default:
		w.out = appendEscaped(w.out, encoded(value, w.part))
		w.part = finished
	}
}

// isCode reports whether browsers run the value, or read further HTML or several
// addresses out of it.
func (w *Writer) isCode() bool {
	name := strings.ToLower(strings.TrimSuffix(string(w.word), "="))
	return strings.HasPrefix(name, "on") || slices.Contains([]string{"style", "srcdoc", "srcset", "imagesrcset", "ping", "content", "http-equiv"}, name)
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

func isOneOf(name []byte, all ...string) bool {
	return slices.ContainsFunc(all, func(one string) bool { return strings.EqualFold(string(name), one) })
}
