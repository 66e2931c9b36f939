package toolfind

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWord is how many bytes a word has that is looked at: longer ones are no words.
const maxWord = 40

// eachWord calls do with the words of a text in lower case, until it returns
// false: split at all that is neither letter nor digit, at changes of case and
// between letters and digits. What was split without a space is a word as a whole
// as well: s3, OAuth2, createIssue. Scripts without spaces come in pairs of
// characters.
func eachWord(text string, do func(string) bool) {
	for len(text) > 0 {
		start := strings.IndexFunc(text, wordly)
		if start < 0 {
			return
		}
		text = text[start:]
		end := strings.IndexFunc(text, func(r rune) bool { return !wordly(r) })
		if end < 0 {
			end = len(text)
		}
		if !eachPart(text[:end], do) {
			return
		}
		text = text[end:]
	}
}

func wordly(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// spaceless are scripts that do not put spaces between words.
func spaceless(r rune) bool {
	return r > 0xE00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

// eachPart calls do with the parts of a run of letters and digits.
func eachPart(run string, do func(string) bool) bool {
	if r, _ := utf8.DecodeRuneInString(run); spaceless(r) {
		return eachPair(run, do)
	}
	start, parts := 0, 0
	var before rune
	emit := func(end int) bool {
		part := run[start:end]
		start = end
		if parts++; len(part) > maxWord {
			return true
		}
		return do(strings.ToLower(part))
	}
	for i, r := range run {
		if i > start && parted(before, r, run[i+utf8.RuneLen(r):]) && !emit(i) {
			return false
		}
		before = r
	}
	if !emit(len(run)) {
		return false
	}
	if parts > 1 && len(run) <= maxWord {
		return do(strings.ToLower(run))
	}
	return true
}

// parted reports whether a word ends between two characters: aB, a1, 1a, and before
// the last capital of ABc.
func parted(a, b rune, rest string) bool {
	if unicode.IsDigit(a) != unicode.IsDigit(b) {
		return true
	}
	if !unicode.IsUpper(b) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsLower(a) || unicode.IsUpper(a) && unicode.IsLower(next) && rest != "s"
}

func eachPair(run string, do func(string) bool) bool {
	before := -1
	for i, r := range run {
		if before >= 0 && !do(run[before:i+utf8.RuneLen(r)]) {
			return false
		}
		before = i
	}
	return before > 0 || do(run)
}

// stop are words that say nothing of a tool.
var stop = setOf(`a an the this that these those it its i me my mine we us our you your he she his her they them their to of in on at by for from
	with into onto out up off as is are was were be been being am do does did can could would should will shall may might must have has had
	and or but if then than so not no yes please just now need needs want wants wanted like let lets help using use used via per there here
	what whats who whom whose when where why how which while some any every all each very more most also too about again still already yet
	im ive id dont didnt cant isnt wont s t d m re ve ll tool tools one ones someone somebody something`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// irregular are stems that no rule gives.
var irregular = map[string]string{
	"sent": "send", "paid": "pay", "found": "find", "made": "mak", "wrote": "writ", "written": "writ", "bought": "buy", "got": "get",
	"gotten": "get", "gave": "giv", "given": "giv", "took": "tak", "taken": "tak", "ran": "run", "running": "run", "sold": "sell",
	"people": "person", "children": "child", "left": "leav", "told": "tell", "said": "say", "spent": "spend", "shown": "show",
	"invitation": "invit", "cancellation": "cancel", "cancelled": "cancel", "cancelling": "cancel", "notification": "notifi",
	"reservation": "reserv", "subscription": "subscrib", "payment": "pay", "shipment": "ship", "assignment": "assign",
	"deployment": "deploy", "news": "news", "data": "data", "status": "status", "address": "address", "addresses": "address",
	"availability": "availabl", "approval": "approv", "removal": "remov", "retrieval": "retriev", "ids": "id", "analyses": "analys",
	"analysis": "analys", "analyze": "analys", "analyse": "analys", "analytics": "analyt", "broken": "break", "held": "hold", "met": "meet",
	"validation": "validat", "configuration": "configur", "authorization": "authoriz", "installation": "install", "documentation": "document",
	"recommendation": "recommend", "application": "appli", "modification": "modifi", "information": "info", "enrollment": "enroll",
	"plane": "plane", "planes": "plane", "chosen": "choos", "drawn": "draw", "driven": "driv", "booking": "book", "bookings": "book", "meeting": "meet", "meetings": "meet",
}

// stem brings forms of an English word to one: create, creates, created and
// creating. It is light: what it does not know it leaves.
func stem(w string) string {
	if s, ok := irregular[w]; ok {
		return s
	}
	if len(w) < 4 || w[0] >= utf8.RuneSelf {
		return w
	}
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		w = w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "xes"):
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
	case strings.HasSuffix(w, "s"):
		w = w[:len(w)-1]
	}
	if s, ok := irregular[w]; ok {
		return s
	}
	for _, end := range []string{"ing", "ed"} {
		if rest, ok := strings.CutSuffix(w, end); ok && len(rest) > 2 && strings.ContainsAny(rest, "aeiouy") {
			if n := len(rest); rest[n-1] == rest[n-2] && !strings.ContainsRune("lsz", rune(rest[n-1])) {
				rest = rest[:n-1]
			}
			w = rest
			break
		}
	}
	if rest, ok := strings.CutSuffix(w, "ion"); ok && len(rest) > 3 && rest[len(rest)-1] == 't' {
		w = rest
	}
	if n := len(w); n > 3 && w[n-1] == 'e' {
		w = w[:n-1]
	} else if n > 3 && w[n-1] == 'y' && !strings.ContainsRune("aeou", rune(w[n-2])) {
		w = w[:n-1] + "i"
	}
	return w
}

// near reports whether two words differ by one character: another that is not the last,
// one more, one less, or two that changed places.
func near(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || a == b {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	return i+1 < len(a) && a[i+1:] == b[i+1:] || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
