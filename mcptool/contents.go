package mcptool

import (
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// whole returns a result that is written with all that clients need. The SDK
// leaves out a text that is empty, and of what has neither a text nor a blob
// other SDKs say that it is no resource.
func whole(result *mcp.ReadResourceResult) mcp.Result {
	if !slices.ContainsFunc(result.Contents, emptyText) {
		return result
	}
	return readResult{result}
}

func emptyText(c *mcp.ResourceContents) bool { return c != nil && c.Text == "" && c.Blob == nil }

type readResult struct{ *mcp.ReadResourceResult }

func (r readResult) MarshalJSON() ([]byte, error) {
	written, err := json.Marshal(r.ReadResourceResult)
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	var contents []map[string]json.RawMessage
	if err := json.Unmarshal(written, &members); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(members["contents"], &contents); err != nil {
		return nil, err
	}
	for i, c := range r.Contents {
		if emptyText(c) {
			contents[i]["text"] = json.RawMessage(`""`)
		}
	}
	if members["contents"], err = json.Marshal(contents); err != nil {
		return nil, err
	}
	return json.Marshal(members)
}
