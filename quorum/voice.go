package quorum

import (
	"cmp"
	"slices"
	"time"
)

// A voice is one person of a panel, with those who are asked in their place. It says
// what the first of them said who said anything.

// voice names the one to whom somebody belongs.
func (p Panel) voice(name string) string { return cmp.Or(p[name].For, name) }

// Voices returns the voices of a panel in order, each with its people: first the one
// in whose place the others are.
func (p Panel) Voices() (all [][]string) {
	at := map[string]int{}
	names := p.Names()
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(p.voice(a), p.voice(b)), cmp.Compare(p[a].For, p[b].For))
	})
	for _, name := range names {
		voice := p.voice(name)
		i, known := at[voice]
		if !known {
			i, at[voice] = len(all), len(all)
			all = append(all, nil)
		}
		all[i] = append(all[i], name)
	}
	return all
}

// speaker is whose word is a voice's: who spoke first, or of two in the same moment
// whose name comes first. Empty: nobody has.
func (p Panel) speaker(voice string) (name string) {
	for _, other := range p.Names() {
		a := p[other]
		if p.voice(other) != voice || a.Said.IsZero() || a.By == "" && !a.Yes {
			continue
		}
		if name == "" || a.Said.Before(p[name].Said) {
			name = other
		}
	}
	return name
}

// Spoke reports whether somebody has spoken for the voice to which a person belongs.
func (p Panel) Spoke(name string) bool { return p.speaker(p.voice(name)) != "" }

// Words returns when each voice said yes or no, in order. One of which nobody answered
// while they could has said no.
func (p Panel) Words() (yes, no []time.Time) {
	for _, people := range p.Voices() {
		if name := p.speaker(p.voice(people[0])); name != "" {
			if p[name].Yes {
				yes = append(yes, p[name].Said)
			} else {
				no = append(no, p[name].Said)
			}
			continue
		}
		if last, over := p.silent(people); over {
			no = append(no, last)
		}
	}
	slices.SortFunc(yes, time.Time.Compare)
	slices.SortFunc(no, time.Time.Compare)
	return yes, no
}

// silent reports since when none of these can say anything any more.
func (p Panel) silent(people []string) (last time.Time, over bool) {
	for _, name := range people {
		said := p[name].Said
		if said.IsZero() {
			return last, false
		}
		if said.After(last) {
			last = said
		}
	}
	return last, true
}

// Overtaken returns who is still asked though their voice has spoken, by who spoke.
func (p Panel) Overtaken() map[string]string {
	all := map[string]string{}
	for _, name := range p.Names() {
		if by := p.speaker(p.voice(name)); by != "" && p[name].Said.IsZero() {
			all[name] = by
		}
	}
	return all
}
