package toolfind

import (
	"strings"
)

// The limits on a query: what stands behind is not looked at.
const (
	MaxQuery  = 1000 // bytes
	maxAsked  = 24   // words that say something
	maxFuzzed = 8    // words that are looked for with a typo
)

// How much less than the word itself counts what stands for it.
const (
	asPhrase  = 0.8
	asSynonym = 0.45
	asPart    = 0.3 // a name's word begins or ends with it
	asTypo    = 0.5
)

// asked is one word of a query, with all that may stand for it.
type asked struct {
	word string // its stem
	ways []way  // itself is the first
	idf  float64
}

type way struct {
	word   string
	factor float64
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
	add := func(word string, factor float64) {
		if seen[word] || len(q.asked) == maxAsked {
			return
		}
		seen[word] = true
		q.deeds |= deedsOf()[word]
		a := asked{word: word, ways: []way{{word, factor}}}
		for _, other := range synonymsOf()[word] {
			a.ways = append(a.ways, way{other, factor * asSynonym})
		}
		q.asked = append(q.asked, a)
	}
	for i, w := range plain {
		if !stop[w] {
			add(stem(w), 1)
		}
		for n := 1; n <= 4 && i+n <= len(plain); n++ {
			if means, ok := phrases[strings.Join(plain[i:i+n], " ")]; ok {
				add(stem(means), asPhrase)
			}
		}
	}
	if len(q.asked) == 0 { // nothing but such words: they are all there is
		for _, w := range plain {
			add(stem(w), 1)
		}
	}
	return q
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
