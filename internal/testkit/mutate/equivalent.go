package main

import (
	"fmt"
	"strings"
)

// equivalent are the checks that another one makes superfluous.
type equivalent map[string]bool

// parseEquivalent reads lines of "file: text of the check  # why". Blank lines and
// those that begin with # say nothing.
func parseEquivalent(text string) (equivalent, error) {
	all := equivalent{}
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		check, why, ok := strings.Cut(line, "  # ")
		if !ok || why == "" {
			return nil, fmt.Errorf("equivalent.txt, line %d: say why behind two blanks and a #", n+1)
		}
		all[check] = true
	}
	return all, nil
}

func (e equivalent) has(c check) bool { return e[c.file+": "+c.text] }
