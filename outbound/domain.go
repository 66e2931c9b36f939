package outbound

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"github.com/parley-hq/parley/internal/loopback"
	"github.com/parley-hq/parley/legible"
)

// Domain describes the host of a URL for people.
type Domain struct {
	Host        string // in ASCII, as it is dialled; with the port unless it is the scheme's own
	Unicode     string // the same in its own script
	Registrable string // in ASCII, what its owner registered (example.co.uk); Host where there is no such thing
}

// DomainOf describes the host of an http or https URL; it does not say whether
// that may be requested. It returns ErrForbidden for a URL that no request
// could have, and ErrConfusable for a name that a reader could take for another
// one, where one label
//
//   - mixes scripts, except those that Chinese, Japanese and Korean mix with
//     each other and with Latin,
//   - has signs, emoji, digits or accents that do not belong to its script, or
//     letters of scripts and alphabets that hardly any living language uses,
//   - consists of Cyrillic, Greek or Armenian letters that all look like Latin
//     ones, under a Latin top-level domain: аррӏе.com in Cyrillic is not
//     apple.com.
//
// The tables are small, and they refuse a few honest names. They do not compare
// names within one script: gooogle.com, rnicrosoft.com and paypał.com pass. So
// show Registrable first, and Host beside Unicode.
func DomainOf(rawURL string) (Domain, error) {
	u, err := parse(rawURL)
	if err != nil {
		return Domain{}, err
	}
	t, err := targetOf(u)
	if err != nil {
		return Domain{}, err
	}
	name, err := readable(t.name)
	if err != nil {
		return Domain{}, err
	}
	d := Domain{Host: t.String(), Unicode: t.host(name), Registrable: t.String()}
	// An error stands for an address, a single label, or a suffix by itself.
	if r, err := publicsuffix.EffectiveTLDPlusOne(t.name); err == nil && !loopback.Host(t.name) {
		d.Registrable = r
	}
	return d, nil
}

// LinkOf describes the host of a URL that a person is sent to by somebody else. Besides
// what DomainOf refuses it is ErrForbidden for one that is not shown as it is written:
// with characters that nobody sees, stray marks, or letters that a screen puts into
// another order. Whatever shows a link to a person, or passes one on, asks here.
func LinkOf(rawURL string) (Domain, error) {
	d, err := DomainOf(rawURL)
	if err == nil && legible.Line(rawURL) != rawURL {
		return Domain{}, forbidden("", "the URL has characters that are not shown as they are written; escape them as %%XX")
	}
	return d, err
}

// readable returns a canonical name with its labels decoded.
func readable(name string) (string, error) {
	labels := strings.Split(name, ".")
	for i, label := range labels {
		if !strings.HasPrefix(label, "xn--") {
			continue
		}
		decoded, err := idna.Lookup.ToUnicode(label)
		if err != nil {
			return "", forbidden(name, "the URL's host is not a valid international name")
		}
		if again, err := idna.Lookup.ToASCII(decoded); err != nil || again != label {
			return "", forbidden(name, "the URL's host has a second spelling")
		}
		labels[i] = decoded
	}
	latin := scriptsOf(labels[len(labels)-1])&^latinScript == 0
	for _, label := range labels {
		if why := misleads(label, latin); why != "" {
			return "", fmt.Errorf("%w: %s: it %s; check with whoever gave you the link, and use the name that they really have", ErrConfusable, name, why)
		}
	}
	return strings.Join(labels, "."), nil
}

// script is a set of scripts, one bit each in the order of livingScripts.
type script uint32

const (
	latinScript script = 1 << iota
	cyrillic
	greek
	armenian
	han
	hiragana
	katakana
	bopomofo
	hangul
	arabic
)

// livingScripts are those in everyday use. Names in others are refused: some
// have letters in the very shape of Latin ones (Lisu, Cherokee, Coptic).
var livingScripts = []*unicode.RangeTable{
	unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Armenian,
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Hangul, unicode.Arabic,
	unicode.Bengali, unicode.Devanagari, unicode.Ethiopic, unicode.Georgian, unicode.Gujarati,
	unicode.Gurmukhi, unicode.Hebrew, unicode.Kannada, unicode.Khmer, unicode.Lao, unicode.Malayalam,
	unicode.Myanmar, unicode.Oriya, unicode.Sinhala, unicode.Tamil, unicode.Telugu, unicode.Thaana,
	unicode.Thai, unicode.Tibetan,
}

const (
	// looksLatin are lower-case letters of Cyrillic, Greek and Armenian that
	// read as Latin ones in common fonts.
	looksLatin = "аеорсухіїјѕһԁԛԝӏѵгпькүҽѡ" + "αγηικνορτυχωϳ" + "օոսհյցզ"

	// oddLatin are Latin letters that read as others, or as signs.
	oddLatin = "ĸſƅƍƽƿǀǁǂǃȷ"

	// phonetic are letters among the phonetic ones that alphabets use too.
	phonetic = "ɓɔɖɗəɛɣɨɩɵʉʋ"

	// slashes are letters that read as a sign of a URL between Latin ones.
	slashes = "ノンソゾ丶丿・ー一"
)

// misleads says why a decoded label could be taken for another one, or nothing.
func misleads(label string, underLatin bool) string {
	if isASCII(label) {
		return ""
	}
	runes := []rune(label)
	for i := range runes {
		if why := misplaced(runes, i); why != "" {
			return why
		}
	}
	seen := scriptsOf(label)
	if !oneLanguage(seen) {
		return "mixes scripts"
	}
	if strings.ContainsAny(label, "0123456789") && strings.ContainsFunc(label, foreignDigit) {
		return "mixes digits"
	}
	unlike := func(r rune) bool { return r >= utf8.RuneSelf && !strings.ContainsRune(looksLatin, r) }
	if underLatin && seen&(cyrillic|greek|armenian) != 0 && !strings.ContainsFunc(label, unlike) {
		return "looks Latin and is not"
	}
	return ""
}

// misplaced says what is wrong with one character of a label.
func misplaced(label []rune, i int) string {
	r := label[i]
	beside := func(j int) rune { // a dot where the label ends
		if j < 0 || j >= len(label) {
			return '.'
		}
		return label[j]
	}
	before, after := beside(i-1), beside(i+1)
	switch {
	case len(label) > 1 && strings.ContainsRune(slashes, r) && before < utf8.RuneSelf && after < utf8.RuneSelf:
		return "has a letter that looks like a sign"
	case r < utf8.RuneSelf, r == '〇', r == '・', r == 'ー':
		return ""
	case r == '·' && before == 'l' && after == 'l': // Catalan
		return ""
	case unicode.Is(unicode.Inherited, r):
		if scriptOf(before)&(latinScript|cyrillic|greek) != 0 {
			return "has loose accents"
		}
		return ""
	case !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r):
		return "has signs"
	case scriptOf(r) == 0:
		return "has letters of an unusual script"
	case scriptOf(r) == latinScript && !ordinaryLatin(r):
		return "has unusual letters"
	}
	return ""
}

// oneLanguage reports whether some language is written with these scripts.
func oneLanguage(seen script) bool {
	if seen&(seen-1) == 0 {
		return true
	}
	for _, mix := range []script{han | hiragana | katakana, han | bopomofo, han | hangul} {
		if seen&^(mix|latinScript) == 0 {
			return true
		}
	}
	return false
}

func scriptsOf(label string) script {
	var seen script
	for _, r := range label {
		seen |= scriptOf(r)
	}
	return seen
}

// scriptOf returns no script for what several share, and for unusual ones.
func scriptOf(r rune) script {
	if r == '・' || r == 'ー' { // shared with Hiragana
		return katakana
	}
	for i, table := range livingScripts {
		if unicode.Is(table, r) {
			return 1 << i
		}
	}
	return 0
}

// ordinaryLatin holds for the letters of alphabets, not for phonetic ones.
func ordinaryLatin(r rune) bool {
	alphabets := r < 0x250 || r >= 0x1E00 && r < 0x1F00
	return alphabets && !strings.ContainsRune(oddLatin, r) || strings.ContainsRune(phonetic, r)
}

func foreignDigit(r rune) bool { return r >= utf8.RuneSelf && unicode.IsDigit(r) }
