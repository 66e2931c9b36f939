package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
)

// withLinks gives the resources that a tool's result links to their names here:
// by its own URI another server's might be read.
func (g *Gateway) withLinks(ctx context.Context, who person, of Server, result json.RawMessage) json.RawMessage {
	if !bytes.Contains(result, []byte(`"resource_link"`)) {
		return result
	}
	var members map[string]json.RawMessage
	var content []json.RawMessage
	if json.Unmarshal(result, &members) != nil || json.Unmarshal(members["content"], &content) != nil {
		return result
	}
	renamed := false
	for i, block := range content {
		var link struct{ Type, URI string }
		if json.Unmarshal(block, &link) != nil || link.Type != "resource_link" {
			continue
		}
		owner, _, known, err := g.resourceOwner(ctx, who, link.URI)
		onTheWeb := strings.HasPrefix(link.URI, "https://") || strings.HasPrefix(link.URI, "http://")
		if err != nil || known && owner.Name == of.Name || !known && onTheWeb { // what nobody lists there, clients fetch themselves
			continue
		}
		block, err := rewrite(block, func(members map[string]json.RawMessage) { members["uri"], _ = json.Marshal(of.Name + "+" + link.URI) })
		if err == nil {
			content[i], renamed = block, true
		}
	}
	if !renamed {
		return result
	}
	members["content"], _ = json.Marshal(content)
	whole, _ := json.Marshal(members)
	return whole
}
