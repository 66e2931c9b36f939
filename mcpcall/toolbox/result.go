package toolbox

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpclient"
)

// resultOf is a result for a model: its texts, and a word for what it cannot
// see. It is read piece by piece: there may be very many.
func (b *Box) resultOf(raw json.RawMessage) agent.Result {
	content, _ := mcpclient.Member(raw, "content")
	var texts strings.Builder
	add := func(block json.RawMessage) bool {
		if text := textOf(block); text != "" {
			if texts.Len() > 0 {
				texts.WriteByte('\n')
			}
			texts.WriteString(text)
		}
		return true
	}
	data, structured := mcpclient.Member(raw, "structuredContent")
	structured = structured && string(data) != "null"
	if !mcpclient.Elements(content, add) && !structured {
		return agent.Result{Failed: true, Text: "The result of " + b.server.Label() + " cannot be read."}
	}
	failed, _ := mcpclient.Member(raw, "isError")
	result := agent.Result{Text: texts.String(), Failed: string(failed) == "true"}
	if structured {
		result.Structured = bytes.Clone(data)
		if result.Text == "" {
			result.Text = string(data)
		}
	}
	return result
}

// textOf is a piece of content as a model reads it.
func textOf(block json.RawMessage) string {
	var c struct {
		Type, Text, URI, MIMEType string
		Resource                  struct{ Text string }
	}
	if json.Unmarshal(block, &c) != nil {
		return string(block)
	}
	switch c.Type {
	case "text":
		return c.Text
	case "resource_link":
		return c.URI
	case "resource":
		return c.Resource.Text
	case "image":
		return "(" + c.MIMEType + " image)"
	case "audio":
		return "(" + c.MIMEType + " sound)"
	}
	return string(block) // of a kind that came later: the call was made, and what came of it is not lost
}
