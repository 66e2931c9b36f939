package toolfind

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// Source is a server whose tools are looked at.
type Source struct {
	Server, Title string
	Index         *Index
	Has           func(tool int) bool // nil: all that are to be found
}

// Hit is a tool that fits, by its place.
type Hit struct{ Source, Tool int }

const (
	saturation = 2.2 // BM25's k1: how fast more of the same word stops to count
	ofServer   = 3.0 // weight of a word in the server's name or title
	sameDeed   = 0.12
	otherDeed  = 0.15
	coverage   = 0.5 // how much of a score is for having all words
	exactName  = 1e6 // before all others
	readFirst  = 0.02
	// How much a tool gains among tools that have the other words.
	surroundings = 0.6
)

// Search returns the tools that fit best, at most limit, and how many fit at all. A
// tool whose name is the query comes first, also behind its server's name, however
// that is put before it. Of tools that fit alike the earlier is first. A query
// without words fits all, in their order.
func Search(sources []Source, text string, limit int) (best []Hit, total int) {
	if len(sources) == 0 {
		return nil, 0
	}
	q := read(text)
	found := make([]find, 0, 64)
	if len(q.asked) == 0 {
		if strings.TrimSpace(text) != "" {
			return nil, 0 // signs only
		}
		for s, from := range sources {
			for i := range from.Index.docs {
				if from.shows(i) {
					found = append(found, find{Hit: Hit{s, i}})
				}
			}
		}
		return firsts(found, limit), len(found)
	}
	scores := q.score(sources)
	for s, from := range sources {
		for i, score := range scores[s] {
			if !from.shows(i) {
				continue
			}
			if q.names(from, from.Index.docs[i]) {
				score += exactName
			}
			if score > 0 {
				found = append(found, find{Hit{s, i}, score})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b find) int { return cmp.Compare(b.score, a.score) })
	return firsts(found, limit), len(found)
}

type find struct {
	Hit
	score float64
}

func firsts(found []find, limit int) []Hit {
	hits := make([]Hit, 0, min(limit, len(found)))
	for _, f := range found[:min(max(limit, 0), len(found))] {
		hits = append(hits, f.Hit)
	}
	return hits
}

func (from Source) shows(i int) bool {
	return !from.Index.docs[i].left && (from.Has == nil || from.Has(i))
}

// names reports whether the query is the tool's name.
func (q query) names(from Source, d doc) bool {
	if q.exact == "" || !strings.HasSuffix(q.exact, d.name) {
		return false
	}
	before, _ := strings.CutSuffix(q.exact, d.name)
	return before == "" || strings.TrimRight(before, "_-./: ") == strings.ToLower(from.Server)
}

// score is how well each tool of each source fits.
func (q query) score(sources []Source) [][]float64 {
	all, there := 0, 0
	servers := make([]map[string]bool, len(sources))
	scores := make([][]float64, len(sources))
	covered := make([][]float64, len(sources))
	for s, from := range sources {
		servers[s] = map[string]bool{}
		for _, w := range slices.Concat(gather(from.Server), gather(from.Title)) {
			servers[s][w] = true
		}
		all += len(from.Index.docs)
		there += from.Index.there
	}
	room, room2 := make([]float64, all), make([]float64, all)
	for s, from := range sources {
		n := len(from.Index.docs)
		scores[s], room = room[:n:n], room[n:]
		covered[s], room2 = room2[:n:n], room2[n:]
	}
	whole := 0.0
	near := make([]float64, len(sources))
	q.widen(sources, servers)
	best := []float64{}
	for _, a := range q.asked {
		reached := a.reach(sources, servers)
		weights := a.weights(reached, sources, there)
		a.surroundings(near, reached)
		strength := slices.Max(weights)
		whole += strength
		for s, from := range sources {
			n := len(from.Index.docs)
			best = slices.Grow(best[:0], n)[:n]
			clear(best)
			for i := range a.ways {
				if weights[i] > 0 {
					reached[i][s].match(best, weights[i])
				}
			}
			for i, b := range best {
				scores[s][i] += b
				covered[s][i] += min(b, strength)
			}
		}
	}
	nearest := max(slices.Max(near), 1e-9)
	for s, from := range sources {
		around := 1 + surroundings*near[s]/nearest
		for i := range scores[s] {
			scores[s][i] *= around * q.fit(from.Index.docs[i], covered[s][i]/max(whole, 1e-9))
		}
	}
	return scores
}

// surroundings adds to each source what the word is worth there, if any of its tools
// has it: who asks for a flight means a server that knows of airports. The fewer
// servers have a word, the more it says.
func (a asked) surroundings(near []float64, reached [][]reach) {
	worth := make([]float64, len(near))
	for i, w := range a.ways {
		having := 0.0
		for _, r := range reached[i] {
			if r.any() {
				having++
			}
		}
		if having == 0 {
			continue
		}
		idf := math.Log(1 + (float64(len(near))-having+0.5)/(having+0.5))
		if w.synonym {
			idf *= asSynonym
		}
		for s, r := range reached[i] {
			if r.any() {
				worth[s] = max(worth[s], w.factor*idf)
			}
		}
	}
	for s := range near {
		near[s] += worth[s]
	}
}

// reach is the tools of a source that have a word.
type reach struct {
	tools []posting
	all   bool // it is the server's
}

func (r reach) any() bool { return r.all || len(r.tools) > 0 }

// reach is which tools have what stands for the word: by way and source.
func (a asked) reach(sources []Source, servers []map[string]bool) [][]reach {
	reached := make([][]reach, len(a.ways))
	for i, w := range a.ways {
		reached[i] = make([]reach, len(sources))
		for s, from := range sources {
			reached[i][s] = reach{from.Index.postings[w.word], servers[s][w.word]}
		}
	}
	return reached
}

// match notes for each tool how much a word is worth there, where that is more
// than another that stands for the same.
func (r reach) match(best []float64, weight float64) {
	base := 0.0
	if r.all {
		base = ofServer
		for i := range best {
			best[i] = max(best[i], weight*saturate(base))
		}
	}
	for _, p := range r.tools {
		best[p.doc] = max(best[p.doc], weight*saturate(base+float64(p.weight)))
	}
}

func saturate(weight float64) float64 { return weight * (saturation + 1) / (weight + saturation) }

// weights are what each way of a word is worth: the rarer, the more; and none more
// than the word itself, if there is that.
func (a asked) weights(reached [][]reach, sources []Source, there int) []float64 {
	weights := make([]float64, len(a.ways))
	bound := math.Inf(1)
	for i, w := range a.ways {
		having := 0
		for s, from := range sources {
			if r := reached[i][s]; r.all {
				having += from.Index.there
			} else {
				having += len(r.tools)
			}
		}
		if having == 0 {
			continue
		}
		idf := math.Log(1 + (float64(there)-float64(having)+0.5)/(float64(having)+0.5))
		if i == 0 {
			bound = idf
		}
		weights[i] = w.factor * min(idf, bound)
		switch {
		case w.synonym && weights[0] > 0:
			weights[i] *= asSynonym
		case w.synonym:
			weights[i] *= asMeant
		}
	}
	return weights
}

// fit is how a tool as a whole fits: whether it has all words, and does what is asked.
func (q query) fit(d doc, covered float64) float64 {
	factor := 1 - coverage + coverage*covered
	wanted := q.deeds
	if wanted == 0 && q.reads {
		wanted = reads
	}
	switch {
	case wanted == 0 || d.deed == 0:
	case wanted&d.deed != 0:
		factor *= 1 + sameDeed
	default:
		factor *= 1 - otherDeed
	}
	if d.readOnly && wanted&^reads == 0 {
		factor *= 1 + readFirst
	}
	return factor
}

// widen adds to each word what names have that begins or ends with it and, if no
// tool has the word, those that differ by one character.
func (q query) widen(sources []Source, servers []map[string]bool) {
	fuzzed := 0
	for i := range q.asked {
		a := &q.asked[i]
		if len(a.word) < 4 {
			continue
		}
		known := false
		for s, from := range sources {
			if known = len(from.Index.postings[a.word]) > 0 || servers[s][a.word]; known {
				break
			}
		}
		typos := !known && a.letters >= 5 && fuzzed < maxFuzzed
		if typos {
			fuzzed++
		}
		seen := map[string]bool{}
		for _, w := range a.ways {
			seen[w.word] = true
		}
		for s, from := range sources {
			a.widen(from.Index, slices.Sorted(maps.Keys(servers[s])), typos, seen)
		}
	}
}

// maxWays is how many words may stand for one.
const maxWays = 48

func (a *asked) widen(x *Index, server []string, typos bool, seen map[string]bool) {
	add := func(w string, factor float64) {
		if len(a.ways) < maxWays && !seen[w] {
			seen[w] = true
			a.ways = append(a.ways, way{word: w, factor: factor})
		}
	}
	if typos {
		for _, w := range slices.Concat(server, x.words) {
			if len(w) < 4 || !near(a.word, w) {
				continue
			}
			add(w, asTypo)
			for _, other := range synonymsOf()[w] {
				add(other, asTypo*asSynonym)
			}
		}
	}
	for _, w := range x.named {
		if len(w) > len(a.word) && (strings.HasPrefix(w, a.word) || strings.HasSuffix(w, a.word)) {
			add(w, asPart)
		}
	}
}
