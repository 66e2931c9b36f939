package legible_test

import (
	"testing"

	"github.com/parley-hq/parley/legible"
)

func TestATitleBeginsWithWho(t *testing.T) {
	for title, want := range map[string]string{"Bank": "Bank", "Bank, for Anna": "Bank", "Bank‚ for Anna": "Bank", "Bank – Oslo": "Bank ", "Anna's bank": "Anna's bank", "": "",
		"Bank ― for Anna": "Bank ", "Bank‒for Anna": "Bank", "Bank٫ Anna": "Bank", "Bank⁄Anna": "Bank", "Bank ∣ Anna": "Bank ", "Bank ⋅ Anna": "Bank ", "Bank→Anna": "Bank", "Bank … x": "Bank ", "Bank ‧ x": "Bank ",
		"Bank ¦ x": "Bank ", "Bank ● x": "Bank ", "Bank > x": "Bank ", "Bank ✔ verified": "Bank ", "The Shop - ann": "The Shop ", "Bank. Anna": "Bank", "Bank! Anna": "Bank", "Bank ''Anna''": "Bank ", "Bank @ Oslo": "Bank ", "Bank ﹙Anna﹚": "Bank ",
		"A.B. Bank": "A.B", "Anna’s bank": "Anna’s bank", "B-52 team": "B-52 team", "Bank & Co": "Bank & Co", "C++ docs": "C++ docs", "x² desk": "x² desk", "भारतीय स्टेट बैंक": "भारतीय स्टेट बैंक", "Ørsted": "Ørsted",
	} {
		if got := legible.Head(title); got != want {
			t.Errorf("%q begins with %q", title, got)
		}
	}
}

func TestNamesThatAPersonTakesForEachOtherAreAlike(t *testing.T) {
	for _, name := range []string{
		"bank", "BANK", "B a n k", "bank.", "Bаnk", "Bạnk", "Ｂａｎｋ", "𝐁𝐚𝐧𝐤", "𝓫𝓪𝓷𝓴", "ⓑⓐⓝⓚ", "ba\u200bnk", "bank\u202e", "ba\u0301nk", "[Bank]", "ВАNК",
		"BΑΝΚ", "ΒΑΝΚ", "ꓐꓮꓠꓗ", "ᏴᎪNᏦ", "ʙᴀɴᴋ", "𐌁ANK", "𐊂ank", "🄱🄰🄽🄺", "🅱ank", "🅱🅰🅽🅺", "🅑🅐🅝🅚", "🇧🇦🇳🇰", "Ⓑank", "⒝ank", "Bank™", "ᴮᵃⁿᵏ", "𝔅𝔞𝔫𝔨", "ⲂⲀⲚⲔ", "вaпк", "βank",
	} {
		if !legible.Alike(name, "Bank") {
			t.Errorf("%q is not taken for Bank", name)
		}
	}
	for a, b := range map[string]string{"Parley": "Par1ey", "O365": "0365", "modern": "modem", "wiki": "vviki", "Evil": "EVIᏞ", "PARLEY": "ΡΑRLΕΥ", "parley": "ꓑꓮꓣꓡꓰꓬ", "You": "УОՍ", "Τράπεζα": "ΤΡΑΠΕΖΑ", "HTTP": "НТТР"} {
		if !legible.Alike(a, b) {
			t.Errorf("%q is not taken for %q", b, a)
		}
	}
	for a, b := range map[string]string{"bank": "tank", "Bank": "Banking", "–": "+", "": "bank", "銀行": "銀座", "a": ""} {
		if legible.Alike(a, b) {
			t.Errorf("%q is taken for %q", b, a)
		}
	}
}

func TestNamesOfUncommonAlphabetsAreForeign(t *testing.T) {
	for _, name := range []string{
		"ꓐꓮꓠꓗ", "ᏴᎪNᏦ", "ʙᴀɴᴋ", "𐌁ANK", "𐊂ank", "EVIᏞ", "ꓑꓮꓣꓡꓰꓬ", "ⲂⲀⲚⲔ", "ᗷᗩᑎK", "BΑΝΚ", "Bаnk", "Bаnk 銀行", "Mഠde", "ɡoogle", "ᛒank", "𐐛ook", "บank",
	} {
		if legible.Foreign(name) == "" {
			t.Errorf("%q is a name as any other", name)
		}
	}
	for _, name := range []string{
		"", "Bank", "Café Zürich 24/7", "Łódź – Ørsted & Þór", "Nguyễn", "Ɛwe ɔ ɖ", "Τράπεζα Ελλάδος", "Сбербанк", "Банк «Точка»", "בנק הפועלים", "بنك مصر", "銀行", "みずほ銀行 ATM", "LINEペイ", "SK텔레콤",
		"카카오뱅크", "ธนาคารกรุงเทพ", "भारतीय स्टेट बैंक", "Հայաստան", "საქართველო", "Norge 🇳🇴", "Team B2", "Bank и Co", "Ⓜ Metro", "ကမ္ဘောဇ", "x² – ½",
	} {
		if what := legible.Foreign(name); what != "" {
			t.Errorf("%q has %s", name, what)
		}
		if legible.Alike(name, "Bank") && name != "Bank" || legible.Alike(name, "parley") || legible.Alike(name, "you") {
			t.Errorf("%q is taken for another", name)
		}
	}
}
