package legible

import (
	"strings"
	"unicode"

	"github.com/parley-hq/parley/strictjson"
)

// Alike reports whether a person could take one name for the other: they differ in
// letter case, spaces and signs, accents, letters of other scripts with the same
// shape, or in what nobody sees. It is for names that nobody else may have; the
// table is small, and does not know all that looks alike.
func Alike(a, b string) bool { return Shape(a) == Shape(b) }

// Head is what a title says before the first sign that divides it: who, where what
// follows says for whom, or which. It is all of a title that has none.
func Head(title string) string {
	if at := strings.IndexAny(title, ",;:()|/–—·•‚،、，；：（）﹐"); at >= 0 {
		return title[:at]
	}
	return title
}

// Shape is the same for names that look alike. One without any letter or digit is
// its own.
func Shape(name string) string {
	shaped := strings.Map(func(c rune) rune {
		c = plainLetter(c)
		switch {
		case c == '0':
			return 'o'
		case c == '1', c == 'i', c == '|':
			return 'l'
		case Hidden(c), !unicode.IsLetter(c) && !unicode.IsDigit(c):
			return -1
		}
		return c
	}, strictjson.Fold(name))
	if shaped == "" {
		return name
	}
	return strings.NewReplacer("rn", "m", "vv", "w").Replace(shaped)
}

// plainLetter is the Latin letter, or the digit, that a character looks like.
func plainLetter(c rune) rune {
	switch {
	case c < 0x80:
		return c
	case c >= 0xff01 && c <= 0xff5e: // as wide as Chinese characters
		return unicode.ToLower(c - 0xfee0)
	case c >= 0x1d400 && c <= 0x1d6a3: // of formulas, alphabet after alphabet
		return 'a' + (c-0x1d400)%26
	case c >= 0x1d7ce && c <= 0x1d7ff:
		return '0' + (c-0x1d7ce)%10
	case c >= 0x24b6 && c <= 0x24e9: // in circles
		return 'a' + (c-0x24b6)%26
	}
	for _, one := range lookalikes {
		if strings.ContainsRune(one.others, c) {
			return one.letter
		}
	}
	return c
}

// lookalikes are small letters with the shape of a Latin one, some with an accent
// on it.
var lookalikes = []struct {
	letter rune
	others string
}{
	{'a', "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặɑаα"},
	{'b', "ḃḅḇƀɓƅьв"},
	{'c', "çćĉċčḉсϲ"},
	{'d', "ďḋḍḏḑḓđðԁ"},
	{'e', "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệеҽєε"},
	{'f', "ḟƒ"},
	{'g', "ĝğġģǧǵḡǥɡց"},
	{'h', "ĥȟḣḥḧḩḫẖħһհ"},
	{'i', "ìíîïĩīĭįǐȉȋḭḯỉịıɩіїιӏ"},
	{'j', "ĵǰȷјϳյ"},
	{'k', "ķǩḱḳḵĸƙкκ"},
	{'l', "ĺļľḷḹḻḽłŀƚ"},
	{'m', "ḿṁṃм"},
	{'n', "ñńņňǹṅṇṉṋƞŋпոη"},
	{'o', "òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợøɵоοօσ"},
	{'p', "ṕṗƿþрρ"},
	{'q', "ԛզ"},
	{'r', "ŕŗřȑȓṙṛṝṟг"},
	{'s', "śŝşšșṡṣṥṧṩſѕ"},
	{'t', "ţťțṫṭṯṱẗŧтτ"},
	{'u', "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữựʉυսц"},
	{'v', "ṽṿʋѵν"},
	{'w', "ŵẁẃẅẇẉẘԝѡωշ"},
	{'x', "ẋẍхχ"},
	{'y', "ýÿŷȳẏẙỳỵỷỹƴуүγʏ"},
	{'z', "źżžẑẓẕƶʐ"},
}
