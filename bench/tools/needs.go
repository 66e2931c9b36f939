package tools

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"
)

//go:embed needs.json
var needsJSON []byte

// Need is what somebody wants done, in their words.
type Need struct {
	Need string `json:"need"`
	// Kind is how it is said: colloquial, as people talk; model, as a model words a
	// search; situation, where the deed itself is not said; named, with the
	// server's name; typo.
	Kind string `json:"kind"`
	// Right are what the tools do that are right: Does of the catalogue, of any server
	// or, behind @, of one.
	Right []string `json:"right"`
}

// Needs are all that are published.
func Needs() ([]Need, error) {
	var all []Need
	return all, json.Unmarshal(needsJSON, &all)
}

// HeldOut reports whether the need is of the half that the ranking was not tuned on.
func (n Need) HeldOut() bool {
	h := fnv.New32a()
	h.Write([]byte(n.Need))
	return h.Sum32()&1 == 1
}

// place is a tool of the catalogue.
type place struct{ server, tool int }

// rightIn finds the tools that are right.
func (n Need) rightIn(catalogue []Server) (map[place]bool, error) {
	right := map[place]bool{}
	for _, r := range n.Right {
		does, only, _ := strings.Cut(r, "@")
		before := len(right)
		for s, server := range catalogue {
			for t, tool := range server.Tools {
				if tool.Does == does && (only == "" || only == server.Name) {
					right[place{s, t}] = true
				}
			}
		}
		if len(right) == before {
			return nil, fmt.Errorf("no tool does %s, for %q", r, n.Need)
		}
	}
	return right, nil
}
