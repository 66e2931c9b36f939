package tools

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/parley-hq/parley/internal/toolfind"
)

//go:embed catalogue.txt
var catalogueText string

// Server is a server of the catalogue with its tools.
type Server struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Tools []Tool `json:"tools"`
}

// Tool is a tool of the catalogue. Tools of several servers that do the same have
// the same Does.
type Tool struct {
	Does        string          `json:"does"` // domain.object.verb or domain.action
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
	ReadOnly    bool            `json:"readOnly,omitempty"`
}

func (t Tool) found() toolfind.Tool {
	return toolfind.Tool{Name: t.Name, Title: t.Title, Description: t.Description, Schema: t.InputSchema, ReadOnly: t.ReadOnly}
}

// Catalogue makes the servers of catalogue.txt: a hundred with forty tools each, the
// same ones each time.
func Catalogue() ([]Server, error) {
	var all []Server
	first, domain := 0, ""
	for n, line := range strings.Split(strings.TrimSpace(catalogueText), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		head, rest, ok := strings.Cut(line, ": ")
		kind, key, ok2 := strings.Cut(head, " ")
		if !ok || !ok2 {
			return nil, fmt.Errorf("catalogue.txt, line %d: %q", n+1, line)
		}
		if kind == "domain" {
			first, domain = len(all), key
			for _, s := range strings.Split(rest, "; ") {
				name, title, _ := strings.Cut(s, "=")
				all = append(all, Server{Name: name, Title: title})
			}
			continue
		}
		i := strings.LastIndex(rest, ": ") // descriptions have colons
		for k := range all[first:] {
			s := &all[first+k]
			st := styles[(k+first/5)%len(styles)]
			if kind == "object" {
				s.Tools = append(s.Tools, st.object(domain+"."+key, pick(rest[:i], k), s.Title, rest[i+2:])...)
				continue
			}
			names, says, _ := strings.Cut(rest[:i], ": ")
			s.Tools = append(s.Tools, st.action(domain+"."+key, pick(names, k), pick(says, k/2), s.Title, rest[i+2:]))
		}
	}
	return all, nil
}

func pick(choices string, k int) string {
	all := strings.Split(choices, "|")
	return all[k%len(all)]
}
