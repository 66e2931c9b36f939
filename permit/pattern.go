package permit

import (
	"fmt"
	"regexp"
	"regexp/syntax"
)

// Bounds of the patterns of matches.
const (
	maxPattern     = 1000 // bytes
	maxPatternSize = 2000 // in what a pattern becomes, repeats written out
)

// patternSize is how large a pattern becomes, as far as somebody has to know: what is
// over maxPatternSize is errTooMuch, and is never made.
func patternSize(text string) (int, error) {
	if len(text) > maxPattern {
		return 0, fmt.Errorf("%w: a pattern of %d bytes, %d are allowed", errTooMuch, len(text), maxPattern)
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return 0, err
	}
	size := sizeOf(tree)
	if size > maxPatternSize {
		return 0, fmt.Errorf("%w: a pattern whose parts, repeats written out, are more than %d", errTooMuch, maxPatternSize)
	}
	return size, nil
}

// sizeOf counts the parts of a pattern, at least as many as it is compiled to.
func sizeOf(re *syntax.Regexp) int {
	size := 2
	if re.Op == syntax.OpLiteral {
		size += len(re.Rune)
	}
	if re.Op == syntax.OpCharClass {
		size += len(re.Rune) / 2
	}
	for _, sub := range re.Sub {
		size = min(size+sizeOf(sub), maxPatternSize+1)
	}
	if re.Op == syntax.OpRepeat {
		size *= max(re.Min, re.Max, 1) + 1
	}
	return min(size, maxPatternSize+1)
}

func compilePattern(text string) (*regexp.Regexp, int, error) {
	size, err := patternSize(text)
	if err != nil {
		return nil, 0, err
	}
	re, err := regexp.Compile(text)
	return re, size, err
}
