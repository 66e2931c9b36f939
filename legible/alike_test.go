package legible_test

import (
	"testing"

	"github.com/parley-hq/parley/legible"
)

func TestATitleBeginsWithWho(t *testing.T) {
	for title, want := range map[string]string{"Bank": "Bank", "Bank, for Anna": "Bank", "Bank‚ for Anna": "Bank", "Bank – Oslo": "Bank ", "Anna's bank": "Anna's bank", "": ""} {
		if got := legible.Head(title); got != want {
			t.Errorf("%q begins with %q", title, got)
		}
	}
}

func TestNamesThatAPersonTakesForEachOtherAreAlike(t *testing.T) {
	for _, name := range []string{
		"bank", "BANK", "B a n k", "bank.", "Bаnk", "Bạnk", "Ｂａｎｋ", "𝐁𝐚𝐧𝐤", "𝓫𝓪𝓷𝓴", "ⓑⓐⓝⓚ", "ba\u200bnk", "bank\u202e", "ba\u0301nk", "[Bank]", "ВАNК",
	} {
		if !legible.Alike(name, "Bank") {
			t.Errorf("%q is not taken for Bank", name)
		}
	}
	for a, b := range map[string]string{"Parley": "Par1ey", "O365": "0365", "modern": "modem", "wiki": "vviki"} {
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
