package legible

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/parley-hq/parley/strictjson"
)

// Alike reports whether a person could take one name for the other: they differ in
// letter case, spaces and signs, accents, letters of other scripts with the same
// shape, or in what nobody sees. It is for names that nobody else may have; the
// table does not know all that looks alike, and [Foreign] is for what it leaves.
func Alike(a, b string) bool {
	theirs := Shapes(b)
	return slices.ContainsFunc(Shapes(a), func(shape string) bool { return slices.Contains(theirs, shape) })
}

// Head is what a title says before the first sign that divides it: who, where what
// follows says for whom, or which. It is all of a title that has none.
//
// A comma and its like divide, and so does whatever is neither a letter nor common in
// English. A full stop, a hyphen, an apostrophe and others of that kind do with a space
// beside them.
func Head(title string) string {
	before := ' '
	for at, c := range title {
		after, _ := utf8.DecodeRuneInString(title[at+utf8.RuneLen(c):])
		switch {
		case unicode.IsLetter(c), unicode.IsMark(c), unicode.IsNumber(c), unicode.IsSpace(c), strings.ContainsRune("&+", c):
		case c > unicode.MaxASCII && !strings.ContainsRune("’‐‑", c), strings.ContainsRune(",;:()|/", c),
			unicode.IsSpace(before), unicode.IsSpace(after):
			return title[:at]
		}
		before = c
	}
	return title
}

// Shapes are those of a name, one of which is one of any other that is [Alike]: as it
// is written, and in each case. A style sheet may show it in either, and a letter may look like N in one and like v in the other.
func Shapes(name string) []string {
	plain := decomposed(name)
	return []string{Shape(plain), Shape(strings.ToUpper(plain)), Shape(strictjson.Fold(plain))}
}

// Shape is the same for names that look alike as they are written. One without any
// letter or digit is its own.
func Shape(name string) string {
	shaped := strings.Map(func(c rune) rune {
		c = unicode.ToLower(plainLetter(c))
		switch {
		case c == '0':
			return 'o'
		case c == '1', c == 'i', c == '|':
			return 'l'
		case Hidden(c), !unicode.IsLetter(c) && !unicode.IsDigit(c):
			return -1
		}
		return c
	}, decomposed(name))
	if shaped == "" {
		return name
	}
	return strings.NewReplacer("rn", "m", "vv", "w").Replace(shaped)
}

// decomposed is a name with its letters as compatible plain ones and accents apart.
// Small letters behind a name that say that it is a mark are no part of it.
func decomposed(name string) string {
	return norm.NFKD.String(strings.Map(func(c rune) rune {
		if strings.ContainsRune("™℠🅪🅫🅬", c) {
			return -1
		}
		return c
	}, name))
}

// plainLetter is the Latin letter, or the digit, that a character looks like. Those
// that Unicode calls compatible, as in formulas and circles, are that letter already.
func plainLetter(c rune) rune {
	if c < 0x80 {
		return c
	}
	for _, first := range alphabets {
		if c >= first && c < first+26 {
			return 'a' + c - first
		}
	}
	if letter, found := lookalikes[c]; found {
		return letter
	}
	return c
}

// alphabets are where 26 letters from A to Z begin that have no compatible one: white
// in black circles and squares, and those that flags are made of.
var alphabets = []rune{0x1f150, 0x1f170, 0x1f1e6}

// lookalikes says which Latin letter another one has the shape of, a capital as a
// capital and a small one as a small one.
var lookalikes = func() map[rune]rune {
	all := map[rune]rune{}
	for letter, others := range map[rune]string{
		// Of Latin with strokes and hooks; small capitals; Greek, Cyrillic, Armenian;
		// Coptic, Lisu, Cherokee, Canadian syllables; Old Italic, Lycian, Carian.
		'a': "ɑаα" + "ᴀ" + "ΑА" + "ⲀⲁꓮᎪꭺᗅ𐌀𐊀𐊠",
		'b': "ƀɓƅьв" + "ʙ" + "ΒВЬβ" + "ⲂⲃꓐᏴᏼᗷ𐌁𐊂𐊡",
		'c': "сϲ" + "ᴄ" + "СϹ" + "ⲤⲥꓚᏟꮯᑕ𐌂𐊢",
		'd': "đðɖɗԁ" + "ᴅ" + "ĐÐƉԀ" + "ꓓᎠꭰᗞᏧ",
		'e': "еҽєε" + "ᴇ" + "ΕЕҼЄ" + "ⲈⲉꓰᎬꭼ𐌄𐊆",
		'f': "ƒ" + "ꜰ" + "ϜҒғ" + "ꓝᖴ𐌅𐊇𐊥",
		'g': "ǥɡց" + "ɢ" + "ԌԍǤ" + "ꓖᏀꮐᏳ",
		'h': "ħһհ" + "ʜ" + "ΗНнҺĦ" + "ⲎⲏꓧᎻꮋᏂᕼ𐋏",
		'i': "ıɩіιӏ" + "ɪ" + "ΙІӀ" + "ⲒⲓꓲᏆᎥ𐌉𐊊𐌠",
		'j': "ȷјϳյ" + "ᴊ" + "ЈͿ" + "ꓙᎫꭻᒍ",
		'k': "ĸƙкκ" + "ᴋ" + "ΚКҚқҜҝҞҟҠҡƘ" + "ⲔⲕꓗᏦꮶ𐌊𐊋",
		'l': "łƚ" + "ʟ" + "Լ" + "ꓡᏞꮮᒪ𐐛",
		'm': "м" + "ᴍ" + "ΜМϺ" + "ⲘⲙꓟᎷꮇᗰ𐌌",
		'n': "ƞŋпոη" + "ɴ" + "Ν" + "Ⲛⲛꓠ𐌍",
		'o': "øɵоοօσ" + "ᴏ" + "ΟОՕØƟΘθѲѳӨө" + "Ⲟⲟꓳ𐌏𐊒𐊫ⵔⵙ〇" + "ᄋסഠဝዐ",
		'p': "ƿþрρ" + "ᴘ" + "ΡРҎҏÞ" + "ⲢⲣꓑᏢꮲᑭ𐌐𐊓",
		'q': "ԛզ" + "Ԛ" + "ⵕ",
		'r': "г" + "ʀ" + "Я" + "ꓣᎡᏒꭱꮢᖇ",
		's': "ſѕ" + "ꜱ" + "ЅՏ" + "ꓢᏚᏕꮪᔕ𐊖𐐠",
		't': "ŧтτ" + "ᴛ" + "ΤТҬҭŦ" + "ⲦⲧꓔᎢꭲ𐌕𐊗𐊱",
		'u': "ʉυսц" + "ᴜ" + "ՍԱ" + "ꓴᑌ",
		'v': "ʋѵν" + "ᴠ" + "Ѵ" + "ꓦᏙꮩᐯ𐌖",
		'w': "ԝѡωշ" + "ᴡ" + "ԜѠ" + "ꓪᎳᏔꮃᗯ",
		'x': "хχ" + "ΧХҲҳ" + "Ⲭⲭꓫ᙭𐌗𐌢𐊐𐊴ⵝ",
		'y': "ƴуүγ" + "ʏ" + "ΥУҮҰұϒ" + "ⲨⲩꓬᎩᎽ𐊲",
		'z': "ƶʐ" + "ᴢ" + "ΖƵ" + "ⲌⲍꓜᏃꮓ",
	} {
		for _, other := range others {
			all[other] = letter
		}
	}
	return all
}()

// common are the scripts that people write names of today in: those that Unicode
// recommends for names (UAX 31). Others have letters in the shapes of Latin ones, by
// the dozen, that few people would expect.
var common = []*unicode.RangeTable{
	unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Armenian, unicode.Georgian, unicode.Hebrew, unicode.Arabic, unicode.Thaana, unicode.Ethiopic,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
	unicode.Malayalam, unicode.Sinhala, unicode.Thai, unicode.Lao, unicode.Tibetan, unicode.Myanmar, unicode.Khmer,
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo,
}

// eastAsian are those that stand in one word with each other, and with Latin.
var eastAsian = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo}

// Foreign says what a name has in it that names in common scripts do without, and that
// can make it look like another one: letters of uncommon scripts, of phonetics, small
// capitals, or letters of two scripts in one word. It is empty for others.
func Foreign(name string) string {
	var script *unicode.RangeTable // of the word
	for _, c := range norm.NFKD.String(name) {
		switch {
		case unicode.IsSpace(c), unicode.IsPunct(c):
			script = nil
		case !unicode.IsLetter(c), unicode.In(c, unicode.Common, unicode.Inherited):
		default:
			at := slices.IndexFunc(common, func(of *unicode.RangeTable) bool { return unicode.Is(of, c) })
			if at < 0 || common[at] == unicode.Latin && !everyday(c) {
				return "a letter of an uncommon alphabet"
			}
			if script != nil && script != common[at] && !goTogether(script, common[at]) {
				return "letters of two alphabets in one word"
			}
			script = common[at]
		}
	}
	return ""
}

func goTogether(a, b *unicode.RangeTable) bool {
	eastern := func(script *unicode.RangeTable) bool { return slices.Contains(eastAsian, script) }
	return eastern(a) && (eastern(b) || b == unicode.Latin) || eastern(b) && a == unicode.Latin
}

// everyday reports Latin letters of languages, which have a capital in Unicode's first
// blocks or are there themselves. Those of phonetics and small capitals do not.
func everyday(c rune) bool {
	first := func(c rune) bool { return c < 0x250 || c >= 0x1e00 && c < 0x1f00 }
	return first(c) || first(unicode.ToUpper(c))
}
