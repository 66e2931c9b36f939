package toolfind

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The limits on a query: what stands behind is not looked at.
const (
	MaxQuery  = 1000 // bytes
	maxAsked  = 24   // words that say something
	maxFuzzed = 8    // words that are looked for with a typo
)

// How much less than the word itself counts what stands for it.
const (
	asPhrase  = 1.0
	asSynonym = 0.65
	asMeant   = 1.0 // a synonym, where no tool has the word itself
	asWeak    = 0.4
	asPart    = 0.4 // a name's word begins or ends with it
	asTypo    = 0.7
)

// asked is one word of a query, with all that may stand for it.
type asked struct {
	word string // its stem
	ways []way  // itself is the first
	// letters is how long it is as it was written: short words are like too many others.
	letters int
}

type way struct {
	word    string
	factor  float64
	synonym bool
}

// query is what somebody looks for.
type query struct {
	exact string // in lower case, if it may be a tool's name
	asked []asked
	deeds deed
	reads bool // it is a question
}

// read takes a query apart.
func read(text string) query {
	text = strings.ToLower(strings.ToValidUTF8(cutWords(text), " ")) // case says nothing here
	var q query
	if trimmed := strings.Trim(text, " \t\r\n`'\""); !strings.ContainsAny(trimmed, " \t\r\n") {
		q.exact = trimmed
	}
	var plain []string
	eachWord(text, func(w string) bool {
		plain = append(plain, w)
		return len(plain) < 200
	})
	if len(plain) > 0 {
		q.reads = asksToRead[plain[0]]
	}
	seen := map[string]bool{}
	add := func(written string, factor float64) {
		word := stem(written)
		if seen[word] || len(q.asked) == maxAsked {
			return
		}
		seen[word] = true
		q.deeds |= deedsOf()[word]
		a := asked{word: word, letters: len(written), ways: []way{{word: word, factor: factor}}}
		for _, other := range synonymsOf()[word] {
			a.ways = append(a.ways, way{other, factor, true})
		}
		q.asked = append(q.asked, a)
	}
	said := q.phrases(plain, add)
	for i, w := range plain {
		switch {
		case stop[w]:
		case weak[w] || said[i] || !unicode.IsLetter(rune(w[0])) && w[0] < utf8.RuneSelf:
			add(w, asWeak)
		default:
			add(w, 1)
		}
	}
	if len(q.asked) == 0 { // nothing but such words: they are all there is
		for _, w := range plain {
			add(w, 1)
		}
	}
	return q
}

// phrases adds what words say together, and returns which of them have said it.
func (q *query) phrases(plain []string, add func(string, float64)) map[int]bool {
	said := map[int]bool{}
	for i := range plain {
		for n := 1; n <= 4 && i+n <= len(plain); n++ {
			means, ok := phrases[strings.Join(plain[i:i+n], " ")]
			if !ok {
				continue
			}
			add(means, asPhrase)
			for k := i; k < i+n && n > 1; k++ {
				said[k] = true
			}
		}
	}
	return said
}

// cutWords is as much of a query as is looked at, without a part of a word at its end.
func cutWords(text string) string {
	if len(text) <= MaxQuery {
		return text
	}
	text = text[:MaxQuery]
	if i := strings.LastIndexByte(text, ' '); i > MaxQuery/2 {
		text = text[:i]
	}
	return text
}
