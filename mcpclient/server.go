package mcpclient

import (
	"encoding/json"
	"slices"
)

// ServerInfo is what a server said of itself.
type ServerInfo struct {
	Name, Version, Title string
	Instructions         string
	Capabilities         json.RawMessage // all of them, as they came

	Tools, Prompts, Resources                   bool
	Completions, Logging                        bool
	ToolsChange, PromptsChange, ResourcesChange bool // listChanged
	Subscribe                                   bool // to resources
	Tasks                                       bool // up to 2025-11-25, of calls
}

// changing are the kinds of lists that the server reports changes of.
func (s ServerInfo) changing() []string {
	var kinds []string
	for kind, is := range map[string]bool{"tools": s.ToolsChange, "prompts": s.PromptsChange, "resources": s.ResourcesChange} {
		if is {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	return kinds
}

// hello is the result of server/discover or initialize.
type hello struct {
	SupportedVersions []string                   `json:"supportedVersions"`
	ProtocolVersion   string                     `json:"protocolVersion"`
	Capabilities      json.RawMessage            `json:"capabilities"`
	Instructions      string                     `json:"instructions"`
	ServerInfo        json.RawMessage            `json:"serverInfo"`
	Meta              map[string]json.RawMessage `json:"_meta"`
}

// info decodes what a server said of itself. What is of a wrong type counts as
// not said.
func (h hello) info() ServerInfo {
	s := ServerInfo{Instructions: h.Instructions, Capabilities: h.Capabilities}
	var who struct{ Name, Version, Title string }
	from := h.ServerInfo
	if from == nil {
		from = h.Meta[metaServer]
	}
	_ = json.Unmarshal(from, &who)
	s.Name, s.Version, s.Title = who.Name, who.Version, who.Title
	has := func(kind, flag string) bool {
		offer, ok := Member(h.Capabilities, kind)
		if !ok || offer[0] != '{' || flag == "" {
			return ok && offer[0] == '{'
		}
		is, _ := Member(offer, flag)
		return string(is) == "true"
	}
	s.Tools, s.Prompts, s.Resources = has("tools", ""), has("prompts", ""), has("resources", "")
	s.Completions, s.Logging = has("completions", ""), has("logging", "")
	s.ToolsChange, s.PromptsChange, s.ResourcesChange = has("tools", "listChanged"), has("prompts", "listChanged"), has("resources", "listChanged")
	s.Subscribe = has("resources", "subscribe")
	tasks, _ := Member(h.Capabilities, "tasks")
	requests, _ := Member(tasks, "requests")
	tools, _ := Member(requests, "tools")
	_, s.Tasks = Member(tools, "call")
	return s
}
