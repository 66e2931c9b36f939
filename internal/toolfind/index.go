// Package toolfind finds tools by what somebody needs, in their words. An [Index] is
// made once of each server's list; [Search] ranks the tools of many of them.
//
// The ranking is BM25 over fields: a word counts most in a tool's name, less in its
// title, its description, its input's properties and its server's name, and less
// the more tools have it. Words are stemmed; words that mean the same, that begin or
// end alike, and of unknown words those that differ by one character, count less than
// the word itself. Nothing is learned and nothing is random: the same lists and the
// same query give the same order.
//
// An Index does not change: any number of searches may use it at once.
package toolfind

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// Tool is what is known of a tool.
type Tool struct {
	Name, Title, Description string
	Schema                   json.RawMessage // of its input
	ReadOnly                 bool            // it says so
	Left                     bool            // it is not to be found
}

// The limits on what is looked at of one tool: what stands behind says no more
// of it.
const (
	maxText       = 4 << 10 // bytes of a description
	maxWords      = 400     // of a field
	maxProperties = 64
	maxNesting    = 3
)

// field is a part of a tool. A word in it has a weight, less so in a long one.
type field struct {
	weight, typical, flatten float64 // typical is a usual number of words; flatten is BM25's b
}

var (
	inName        = field{weight: 3.0, typical: 3, flatten: 0.4}
	inTitle       = field{weight: 1.5, typical: 3, flatten: 0.4}
	inDescription = field{weight: 1.8, typical: 14, flatten: 0.75}
	inProperty    = field{weight: 0.35, typical: 6, flatten: 0.5}
	inSchemaText  = field{weight: 0.2, typical: 20, flatten: 0.5}
)

// Index is the tools of one server's list, by their words.
type Index struct {
	docs     []doc
	postings map[string][]posting
	words    []string // all words, in order
	named    []string // words of names, in order
	there    int
	bytes    int
}

type doc struct {
	name     string // in lower case
	deed     deed
	readOnly bool
	left     bool
}

type posting struct {
	doc    uint32
	weight float32
}

// New returns the index of a list. Positions in it are those of tools.
func New(tools []Tool) *Index {
	x := &Index{docs: make([]doc, len(tools)), postings: map[string][]posting{}}
	named := map[string]bool{}
	for i, t := range tools {
		if t.Left {
			x.docs[i].left = true
			continue
		}
		x.there++
		x.add(i, t, named)
	}
	for w, list := range x.postings {
		x.words = append(x.words, w)
		x.postings[w] = slices.Clip(list)
		x.bytes += 2*len(w) + 8*len(list) + 80
	}
	slices.Sort(x.words)
	for w := range named {
		x.named = append(x.named, w)
	}
	slices.Sort(x.named)
	x.bytes += len(x.docs)*32 + 16*len(x.named)
	return x
}

// Bytes is about how much memory the index takes.
func (x *Index) Bytes() int { return x.bytes }

func (x *Index) add(i int, t Tool, named map[string]bool) {
	weights := map[string]float64{}
	d := &x.docs[i]
	d.name, d.readOnly = strings.ToLower(t.Name), t.ReadOnly
	for _, w := range gather(t.Name) {
		named[w] = true
		if d.deed == 0 {
			d.deed = deedsOf()[w]
		}
	}
	if d.deed == reads {
		d.readOnly = true
	}
	weigh(weights, inName, gather(t.Name))
	weigh(weights, inTitle, gather(t.Title))
	weigh(weights, inDescription, gather(t.Description[:min(len(t.Description), maxText)]))
	names, texts := properties(t.Schema)
	weigh(weights, inProperty, names)
	weigh(weights, inSchemaText, texts)
	for w, weight := range weights {
		x.postings[w] = append(x.postings[w], posting{uint32(i), float32(weight)})
	}
}

// gather returns the stems of a text's words, without those that say nothing.
func gather(text string) []string {
	var words []string
	eachWord(text, func(w string) bool {
		if !stop[w] {
			words = append(words, stem(w))
		}
		return len(words) < maxWords
	})
	return words
}

// weigh adds the words of a field. The second of a word counts less than the first.
func weigh(weights map[string]float64, f field, words []string) {
	if len(words) == 0 {
		return
	}
	each := f.weight / (1 - f.flatten + f.flatten*float64(len(words))/f.typical)
	for _, w := range words {
		weights[w] += each
	}
}

// properties are the words of an input schema: of its properties' names, and of
// what is said of them.
func properties(schema json.RawMessage) (names, texts []string) {
	left := maxProperties
	var walk func(raw json.RawMessage, depth int)
	walk = func(raw json.RawMessage, depth int) {
		var at struct {
			Properties map[string]json.RawMessage `json:"properties"`
			Items      json.RawMessage            `json:"items"`
		}
		if depth > maxNesting || json.Unmarshal(raw, &at) != nil {
			return
		}
		if len(at.Items) > 0 {
			walk(at.Items, depth+1)
		}
		sorted := make([]string, 0, len(at.Properties))
		for name := range at.Properties {
			sorted = append(sorted, name)
		}
		slices.SortFunc(sorted, cmp.Compare[string])
		for _, name := range sorted {
			if left--; left < 0 || len(names) > maxWords || len(texts) > maxWords {
				return
			}
			names = append(names, gather(name)...)
			var said struct {
				Description string `json:"description"`
			}
			if json.Unmarshal(at.Properties[name], &said) == nil {
				texts = append(texts, gather(said.Description[:min(len(said.Description), maxText/4)])...)
			}
			walk(at.Properties[name], depth+1)
		}
	}
	walk(schema, 0)
	return names, texts
}
