package tools

import (
	"cmp"
	"slices"
	"strings"

	"github.com/parley-hq/parley/internal/toolfind"
)

// ranking finds tools.
type ranking struct {
	name string
	find func(query string, limit int) []place
}

// now is the ranking of the gateway.
func now(sources []toolfind.Source) ranking {
	return ranking{"BM25 over fields", func(query string, limit int) []place {
		hits, _ := toolfind.Search(sources, query, limit)
		found := make([]place, len(hits))
		for i, h := range hits {
			found[i] = place{h.Source, h.Tool}
		}
		return found
	}}
}

func sourcesOf(catalogue []Server) []toolfind.Source {
	sources := make([]toolfind.Source, len(catalogue))
	for i, s := range catalogue {
		tools := make([]toolfind.Tool, len(s.Tools))
		for k, t := range s.Tools {
			tools[k] = t.found()
		}
		sources[i] = toolfind.Source{Server: s.Name, Title: s.Title, Index: toolfind.New(tools)}
	}
	return sources
}

// before is the ranking that the gateway had before: a word of the query that is
// somewhere in the names counts three, elsewhere one.
func before(catalogue []Server) ranking {
	return ranking{"before: words that are in it", func(query string, limit int) []place {
		type hit struct {
			place
			score int
		}
		var hits []hit
		words := strings.Fields(strings.ToLower(query))
		for s, server := range catalogue {
			for t, tool := range server.Tools {
				name := strings.ToLower(server.Name + " " + tool.Name)
				text, score := strings.ToLower(tool.Name+" "+tool.Title+" "+tool.Description), 0
				for _, w := range words {
					switch {
					case strings.Contains(name, w):
						score += 3
					case strings.Contains(text, w):
						score++
					}
				}
				if score > 0 {
					hits = append(hits, hit{place{s, t}, score})
				}
			}
		}
		slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
		var found []place
		for _, h := range hits[:min(limit, len(hits))] {
			found = append(found, h.place)
		}
		return found
	}}
}
