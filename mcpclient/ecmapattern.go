package mcpclient

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Pattern reports whether a text is a regular expression as JavaScript reads it, with
// the flag u.
func Pattern(text string) bool { return ecmaPattern(text) }

// ecmaPattern reports whether a regular expression is one for clients in
// JavaScript, which read it with the flag u. What only some of them know is none.
func ecmaPattern(pattern string) bool {
	if !utf8.ValidString(pattern) || len(pattern) > maxPattern {
		return false
	}
	p := patternReader{rest: []rune(pattern)}
	p.disjunction(0)
	if p.failed || len(p.rest) > 0 || p.reference > p.groups {
		return false
	}
	return !slices.ContainsFunc(p.used, func(name string) bool { return !slices.Contains(p.names, name) })
}

const (
	maxPattern      = 16 << 10
	maxPatternDepth = 200

	syntaxCharacters = `^$\.*+?()[]{}|`
)

// patternReader reads the grammar of ECMA-262, Pattern[+UnicodeMode].
type patternReader struct {
	rest      []rune
	failed    bool
	groups    int
	reference int // the highest number that is referred to
	names     []string
	used      []string
}

func (p *patternReader) peek() rune {
	if len(p.rest) == 0 {
		return -1
	}
	return p.rest[0]
}

func (p *patternReader) next() rune {
	c := p.peek()
	if c >= 0 {
		p.rest = p.rest[1:]
	}
	return c
}

func (p *patternReader) take(prefix string) bool {
	want := []rune(prefix)
	if len(p.rest) < len(want) || !slices.Equal(p.rest[:len(want)], want) {
		return false
	}
	p.rest = p.rest[len(want):]
	return true
}

func (p *patternReader) fail() { p.failed, p.rest = true, nil }

func (p *patternReader) disjunction(depth int) {
	if depth > maxPatternDepth {
		p.fail()
	}
	for len(p.rest) > 0 && p.peek() != ')' {
		if !p.take("|") {
			p.term(depth)
		}
	}
}

func (p *patternReader) term(depth int) {
	switch c := p.peek(); {
	case c == '^', c == '$':
		p.next()
		return
	case p.take(`\b`), p.take(`\B`):
		return
	case p.take("(?="), p.take("(?!"), p.take("(?<="), p.take("(?<!"):
		p.group(depth)
		return
	case p.take("(?:"):
		p.group(depth)
	case p.take("(?<"):
		name, ok := p.groupName()
		if !ok || slices.Contains(p.names, name) {
			p.fail()
			return
		}
		p.names = append(p.names, name)
		p.groups++
		p.group(depth)
	case p.take("("):
		if p.peek() == '?' {
			p.fail()
			return
		}
		p.groups++
		p.group(depth)
	case p.take("["):
		p.class()
	case p.take(`\`):
		p.escape(false)
	case c == '.' || !strings.ContainsRune(syntaxCharacters, c):
		p.next()
	default:
		p.fail()
		return
	}
	p.quantifier()
}

func (p *patternReader) group(depth int) {
	p.disjunction(depth + 1)
	if p.next() != ')' {
		p.fail()
	}
}

func (p *patternReader) groupName() (string, bool) {
	var name []rune
	for c := p.next(); c != '>'; c = p.next() {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '$'
		if !letter && !(len(name) > 0 && '0' <= c && c <= '9') {
			return "", false
		}
		name = append(name, c)
	}
	return string(name), len(name) > 0
}

func (p *patternReader) quantifier() {
	switch {
	case p.take("*"), p.take("+"), p.take("?"):
	case p.take("{"):
		low, ok := p.number()
		high := low
		if ok && p.take(",") {
			if high = 1 << 30; p.peek() != '}' {
				high, ok = p.number()
			}
		}
		if !ok || high < low || p.next() != '}' {
			p.fail()
			return
		}
	default:
		return
	}
	p.take("?")
}

func (p *patternReader) number() (n int, ok bool) {
	for '0' <= p.peek() && p.peek() <= '9' {
		n, ok = min(n*10+int(p.next()-'0'), 1<<30), true
	}
	return n, ok
}

// class reads a character class, after its bracket.
func (p *patternReader) class() {
	p.take("^")
	for !p.failed && !p.take("]") {
		low := p.classAtom()
		if p.peek() != '-' || len(p.rest) > 1 && p.rest[1] == ']' {
			continue
		}
		p.next()
		if high := p.classAtom(); low < 0 || high < low {
			p.fail()
		}
	}
}

// classAtom returns a character, or -1 for a set of them.
func (p *patternReader) classAtom() rune {
	if p.take(`\`) {
		return p.escape(true)
	}
	c := p.next()
	if c < 0 {
		p.fail()
	}
	return c
}

// escape reads what follows a backslash. It returns the character, or -1.
func (p *patternReader) escape(inClass bool) rune {
	c := p.next()
	switch {
	case c < 0:
	case strings.ContainsRune("dDsSwW", c):
		return -1
	case c == 'p' || c == 'P':
		if p.property() {
			return -1
		}
	case strings.ContainsRune(syntaxCharacters+"/", c), c == '-' && inClass:
		return c
	case c == 'b' && inClass:
		return '\b'
	case strings.ContainsRune("fnrtv", c):
		return map[rune]rune{'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}[c]
	case c == 'c':
		if l := p.next(); 'a' <= l|0x20 && l|0x20 <= 'z' {
			return l % 32
		}
	case c == 'x':
		if n, ok := p.hex(2); ok {
			return n
		}
	case c == 'u':
		if n, ok := p.codePoint(); ok {
			return n
		}
	case c == 'k' && !inClass && p.take("<"):
		if name, ok := p.groupName(); ok {
			p.used = append(p.used, name)
			return -1
		}
	case c == '0' && !(p.peek() >= '0' && p.peek() <= '9'):
		return 0
	case '1' <= c && c <= '9' && !inClass:
		p.rest = append([]rune{c}, p.rest...)
		n, _ := p.number()
		p.reference = max(p.reference, n)
		return -1
	}
	p.fail()
	return -1
}

// property reads one of Unicode, of which only the general categories are sure
// to be known.
func (p *patternReader) property() bool {
	const categories = " L Lu Ll Lt LC Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Co Cn Letter Number Punctuation Alphabetic ASCII Any "
	if !p.take("{") {
		return false
	}
	end := slices.Index(p.rest, '}')
	if end < 1 || end > 20 || !strings.Contains(categories, " "+string(p.rest[:end])+" ") {
		return false
	}
	p.rest = p.rest[end+1:]
	return true
}

func (p *patternReader) codePoint() (rune, bool) {
	if !p.take("{") {
		return p.hex(4)
	}
	end := slices.Index(p.rest, '}')
	if end < 1 || end > 6 {
		return 0, false
	}
	n, ok := p.hex(end)
	p.next()
	return n, ok && n <= utf8.MaxRune
}

func (p *patternReader) hex(digits int) (n rune, ok bool) {
	for range digits {
		c := p.next()
		switch {
		case '0' <= c && c <= '9':
			n = n*16 + c - '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			n = n*16 + (c | 0x20) - 'a' + 10
		default:
			return 0, false
		}
	}
	return n, true
}
