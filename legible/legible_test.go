package legible_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"

	"github.com/parley-hq/parley/legible"
)

var update = flag.Bool("update", false, "write testdata/shown.json and web/src/hidden.ts anew")

func TestWhatCannotBeSeenIsHidden(t *testing.T) {
	for name, table := range map[string]*unicode.RangeTable{
		"controls": unicode.Cc, "format controls": unicode.Cf, "line separators": unicode.Zl, "paragraph separators": unicode.Zp, "private use": unicode.Co,
		"direction controls": unicode.Bidi_Control, "joiners": unicode.Join_Control, "variation selectors": unicode.Variation_Selector,
		"ignorable": unicode.Other_Default_Ignorable_Code_Point, "no characters": unicode.Noncharacter_Code_Point,
	} {
		each(table, func(c rune) {
			if !legible.Hidden(c) {
				t.Errorf("%s: %U is shown", name, c)
			}
		})
	}
	each(unicode.Zs, func(c rune) {
		if legible.Hidden(c) != (c != ' ') {
			t.Errorf("space %U: hidden %t", c, legible.Hidden(c))
		}
	})
	for _, c := range "\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u180b\u180e\u2061\u2065\ufeff\ufff9\ufffc\U000e0001\U000e0041\U000e01ef\U0001d159\U0001d173\U00016fe4" {
		if !legible.Hidden(c) {
			t.Errorf("%U is shown", c)
		}
	}
	for _, c := range "aZ09 ~é漢字かな한글שלוםسلامहिन्दी😀€→\ufffd" {
		if legible.Hidden(c) {
			t.Errorf("%U is hidden", c)
		}
	}
}

func TestMarksThatCoverTheirLetterAreHidden(t *testing.T) {
	each(unicode.Me, func(c rune) {
		if !legible.Hidden(c) {
			t.Errorf("%U is shown", c)
		}
	})
	for _, c := range "\u0334\u0335\u0336\u0337\u0338\u0488\u0489\u1abe\u20d2\u20d3\u20d8\u20da\u20dd\u20de\u20df\u20e0\u20e2\u20e4\u20e5\u20ea\u20eb\ua670\ua672\U0001bc9e" {
		if !legible.Hidden(c) {
			t.Errorf("%U is shown", c)
		}
	}
}

// words are of languages that pile up marks, as people write them.
var words = map[string]string{
	"Vietnamese": "Tiếng Việt, Nguyễn ở Huế", "Hebrew": "בְּרֵאשִׁית הַשַּׁבָּת שָּׁלוֹם בָּרָ֣א", "Arabic": "السَّلَامُ عَلَيْكُمْ اللّٰه مُحَمَّدٌ", "Urdu": "اُردُو ہِے",
	"Hindi": "हिन्दी ज़िन्दगी ड़ों त्रुटियाँ", "Bengali": "বাংলা ক্ষুদ্র ভাঁড়ো", "Tamil": "தமிழ் கொள்வோம்", "Kannada": "ಕನ್ನಡ ಕೋಟಿ", "Sinhala": "සිංහල කෝටිය",
	"Thai": "ที่นี่ น้ำ กุ้ง ตั๋วรถ เพื่อน", "Lao": "ພາສາລາວ ເຂົ້າ ນ້ຳ", "Khmer": "ភាសាខ្មែរ ស្ត្រី ញ៉ាំ", "Burmese": "မြန်မာ မြို့ လျှော့ လှုံ့ဆော် ရှို့ ညှိုး ကျွန်ုပ်",
	"Tibetan": "བསྒྲུབས རྒྱུད སྐྱོན ཧཱུྃ ཧྲཱིཿ", "Greek": "ᾧ ΐ ᾷ", "Lithuanian": "i̇́ ą́", "Yoruba": "ọ̀rọ̀ ẹ̀kọ́", "Korean": "한국어", "Japanese": "が パ", "Navajo": "ąą́ į́į́", "Cyrillic": "й ї ё а́",
}

func TestMarksOfLanguagesStayOnTheirLetters(t *testing.T) {
	for language, text := range words {
		for form, text := range map[string]string{"as written": text, "composed": norm.NFC.String(text), "decomposed": norm.NFD.String(text)} {
			if got := legible.Escaped(text, legible.Hidden); got != text {
				t.Errorf("%s, %s: %s", language, form, got)
			}
		}
	}
	const emoji = "1\ufe0f\u20e3 ❤\ufe0f\u200d🔥 র\u200d্য"
	if got := legible.Prose(emoji); got != emoji {
		t.Errorf("%s", got)
	}
}

func TestMarksThatStrayAreEscaped(t *testing.T) {
	for text, want := range map[string]string{
		"\u0301a":              `\u0301a`,
		" \u0301":              ` \u0301`,
		"\"\u0301":             `"\u0301`,
		"a\n\u0301":            `a` + "\n" + `\u0301`,
		"D\u0336E\u0336":       `D\u0336E\u0336`,
		"a\u0336\u0301b\u0301": `a\u0336\u0301` + "b\u0301",
		"a\u0301\u0301b":       "a\u0301" + `\u0301b`,
		"a\u0301\u030a\u0301\u030a\u0301\u030ab\u0301": "a\u0301\u030a\u0301\u030a" + `\u0301\u030a` + "b\u0301",
		"ก\u0e47\u0e47\u0e47":                          "ก\u0e47" + `\u0e47\u0e47`,
		"က\u103b\u1031\u103b\u1031\u103b\u1031\u103b":  "က\u103b\u1031\u103b\u1031\u103b\u1031" + `\u103b`,
		"a\u0301\u0903\u030a\u0301\u0903\u030a\u0302":  "a\u0301\u0903\u030a\u0301\u0903\u030a" + `\u0302`,
		"a\u202e\u0301": `a\u202e\u0301`,
		"\U0001e900\U0001e944\U0001e944 a\U0001e8d0": "\U0001e900\U0001e944" + `\ud83a\udd44` + " a\U0001e8d0",
	} {
		if got := legible.Escaped(text, func(c rune) bool { return c != '\n' && legible.Hidden(c) }); got != want {
			t.Errorf("%+q: got %+q, want %+q", text, got, want)
		}
		if got := legible.Prose(text); strings.Contains(want, `\u0301`) && !strings.Contains(got, `\u0301`) {
			t.Errorf("in prose: %+q", got)
		}
	}
	// Behind an escape of a JSON string it would stand on a sign of that, or on the quote.
	for text, want := range map[string]string{
		"\"\\u200b\u0301\"":              `"\u200b\u0301"`,
		"\"\\ud83a\\udd44\u0323\u0301\"": `"\ud83a\udd44\u0323\u0301"`,
		"\"\\n\u0301\"":                  `"\n\u0301"`,
		"\"\\u200ba\u0301\"":             `"\u200ba` + "\u0301\"",
		"\"\\\\n\u0301\\\\u200b\u0301\"": `"\\n` + "\u0301" + `\\u200b` + "\u0301\"",
		"\"\\u200b1\u0301\"":             `"\u200b1` + "\u0301\"",
	} {
		if got := legible.Ordered(text); got != want {
			t.Errorf("%+q: got %+q, want %+q", text, got, want)
		}
	}
	if got := legible.Ordered("{\"a\": \"\u0301\"}"); got != `{"a": "\u0301"}` {
		t.Errorf("%+q", got)
	}
}

func each(table *unicode.RangeTable, do func(rune)) {
	for c := rune(0); c <= unicode.MaxRune; c++ {
		if unicode.Is(table, c) {
			do(c)
		}
	}
}

func TestProseKeepsItsSpacesAndJoiners(t *testing.T) {
	const said = "5\u00a0km, می\u200cخواهم, 👩\u200d💻, ⚠\ufe0f"
	if got := legible.Escaped(said, legible.HiddenInProse); got != said {
		t.Errorf("%q", got)
	}
	if got := legible.Escaped("a\u202eb\u2066c\u200bd\x1b[0m\u3164", legible.HiddenInProse); got != `a\u202eb\u2066c\u200bd\u001b[0m\u3164` {
		t.Errorf("%q", got)
	}
}

// shown is a text as each kind of surface shows it.
type shown struct {
	Text     string        `json:"text"`
	Line     string        `json:"line"`
	Runs     []legible.Run `json:"runs"` // of what Restored makes of Line
	Restored string        `json:"restored"`
}

func show(text string) shown {
	line := legible.Line(text)
	restored := legible.Restored(line)
	return shown{text, line, legible.Runs(restored), restored}
}

var texts = []string{
	"", "plain", `"amount": 100`, "שלום", "שלום עולם", "שלום, עולם! טוב.", `"name": "שלום עולם",`, `"name": "שלום bob"`,
	"שלום 100 50", `"שלום": 100`, "100 שלום", `"to1": "שלום"`, "שלום bob", "bob שלום", `"א": "ב"`, "https://אבג.דהו/path", "אבג/דהו", "a -> א -> ב",
	"١٠٠ ٥٠", "سلام ١٠٠٫٥٪", "مبلغ: 100", "שָׁלוֹם", "ש\u0301לום", "\U00010900\U00010901 1", "\U0001e900\U0001e950",
	"a\u202eb", "a\nb", "\u00a0 \u3164 \U000e0041 \u2800", `C:\users\u05d0`, `\\u05d0 1`, `\u05d0`, `\ud802\udd00 \ud802 \u`, `\`, "x\\", "\\é",
	"\"\\u200b\u0301\"", "\"\\n\u0301\\\\n\u0301\\u200ba\u0301\\u20\u03010\u0301\"", `\u` + "\u0301", "\u200b\u0301",
	"D\u0336E\u20dd", "\u0301a \u0301\"\u0301", "a\u0301\u0301b", "a\u0301\u030a\u0301\u030a\u0301\u030ab\u0301", "ก\u0e47\u0e47", "က\u103b\u1031\u103b\u1031\u103b\u1031\u103b", "a\u200d\u0301",
	"a\u0301\u0903\u030a\u0301\u0903\u030a\u0302", "\U0001e900\U0001e944\U0001e944", "א\u05b0\u05b0 1", "Vie\u0323\u0302t", "בְּשַׁבָּת", "လျှော့ လှုံ့", "བསྒྲུབས", "1\ufe0f\u20e3", "$\u0301-\u0301\u0e01\u0e35\u0e48",
	"שלום,עולם", "שלום  עולם", "שלום. ", "₪ שלום -", "½ שלום", "א\u200eב 1",
}

const shownFile = "testdata/shown.json"

// The widget tests against the same file.
func TestTextsAreShownAsWrittenDown(t *testing.T) {
	all := struct {
		Hidden string  `json:"hidden"` // the SHA-256 of a byte for each code point, 1 if it is hidden
		Shown  []shown `json:"shown"`
	}{Hidden: hiddenSum()}
	for _, text := range texts {
		all.Shown = append(all.Shown, show(text))
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "\t")
	if err := enc.Encode(all); err != nil {
		t.Fatal(err)
	}
	same(t, shownFile, b.String())
}

func hiddenSum() string {
	bits := make([]byte, unicode.MaxRune+1)
	for c := range bits {
		if legible.Hidden(rune(c)) {
			bits[c] = 1
		}
	}
	sum := sha256.Sum256(bits)
	return hex.EncodeToString(sum[:])
}

// The widget has the table as lengths, in turn of what is shown and what is
// hidden.
func TestTheWidgetHidesTheSame(t *testing.T) {
	var lengths strings.Builder
	length, hidden := 0, false
	for c := rune(0); c <= unicode.MaxRune; c++ {
		if legible.Hidden(c) != hidden {
			lengths.WriteString(letters(length))
			length, hidden = 0, !hidden
		}
		length++
	}
	lengths.WriteString(letters(length))
	same(t, "../web/src/hidden.ts", fmt.Sprintf(`// Code generated by go test ./legible -update. DO NOT EDIT.

// Lengths in turn: so many code points are shown, so many are hidden, and so on. The digits are letters, a is none, and the
// last one of each is a capital.
export const lengths =
  "%s";
`, lengths.String()))
}

// letters writes a number in base 26, with a capital for its last digit.
func letters(n int) string {
	digits := string(rune('A' + n%26))
	for n /= 26; n > 0; n /= 26 {
		digits = string(rune('a'+n%26)) + digits
	}
	return digits
}

// same compares a file with what it should be, or writes it.
func same(t *testing.T, file, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is not what the tables give; go test ./legible -update writes it:\n%s", file, diff)
	}
}

func TestALineIsShownInTheOrderOfItsCharacters(t *testing.T) {
	for text, want := range map[string]string{
		`"name": "שלום עולם",`: `"name": "שלום עולם",`,
		`שלום, עולם!`:          `שלום, עולם!`,
		`"name": "שלום bob"`:   `"name": "שלום bob"`,
		`"שלום": 100`:          `"\u05e9\u05dc\u05d5\u05dd": 100`,
		`"name": "א 1"`:        `"name": "\u05d0 1"`,
		`1 א`:                  `1 \u05d0`,
		`א bob`:                `\u05d0 bob`,
		`א.ב`:                  `\u05d0.\u05d1`,
		`١ ٢`:                  `\u0661 \u0662`,
		"\U00010900 1":         `\ud802\udd00 1`,
		"a\u200fb":             `a\u200fb`,
	} {
		if got := legible.Line(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	if got := legible.Ordered("א\nב 1\nג"); got != "א\n\\u05d1 1\nג" {
		t.Errorf("%q", got)
	}
}

// FuzzLine looks for a line that could be shown in another order, that hides
// something, or that does not come back.
func FuzzLine(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		line := legible.Line(text)
		if !utf8.ValidString(text) {
			return
		}
		if strings.ContainsFunc(line, legible.Hidden) {
			t.Fatalf("hidden: %q", line)
		}
		if strings.ContainsFunc(line, legible.RightToLeft) && strings.ContainsFunc(line, unicode.IsNumber) {
			t.Fatalf("a number beside right-to-left letters: %q", line)
		}
		if again := legible.Line(line); again != line {
			t.Fatalf("%q became %q", line, again)
		}
		var joined strings.Builder
		for _, run := range legible.Runs(text) {
			joined.WriteString(run.Text)
			if run.Text == "" || run.Kind == legible.Plain && strings.ContainsFunc(run.Text, legible.RightToLeft) {
				t.Fatalf("run %q of %q", run, text)
			}
		}
		if joined.String() != text {
			t.Fatalf("runs of %q make %q", text, joined.String())
		}
		if escaped := legible.Escaped(text, legible.Hidden); !strings.Contains(text, `\`) && legible.Escaped(legible.Restored(line), legible.Hidden) != escaped &&
			strings.ContainsFunc(text, legible.RightToLeft) && !strings.ContainsFunc(text, func(c rune) bool {
			return legible.Hidden(c) || unicode.IsMark(c) && !legible.RightToLeft(c) // such a mark stays an escape
		}) {
			t.Fatalf("%q came back as %q", escaped, legible.Restored(line))
		}
	})
}

func TestProseKeepsItsLinesAndShowsWhatTurnsThem(t *testing.T) {
	if got := legible.Prose("one\n\ttwo\u00a0\u202e\x1b[2J"); got != "one\n\ttwo\u00a0\\u202e\\u001b[2J" {
		t.Errorf("%q", got)
	}
}
