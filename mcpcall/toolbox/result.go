package toolbox

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpclient"
)

// resultOf is a result for a model: its texts, its images and links, and a word for
// what is passed on to nobody. It is read piece by piece: there may be very many.
func (b *Box) resultOf(raw json.RawMessage) agent.Result {
	content, _ := mcpclient.Member(raw, "content")
	var all pieces
	data, structured := mcpclient.Member(raw, "structuredContent")
	structured = structured && string(data) != "null"
	if !mcpclient.Elements(content, all.add) && !structured {
		return agent.Result{Failed: true, Text: "The result of " + b.server.Label() + " cannot be read."}
	}
	failed, _ := mcpclient.Member(raw, "isError")
	result := agent.Result{Text: all.text.String(), Content: all.content, Failed: string(failed) == "true"}
	if structured {
		result.Structured = bytes.Clone(data)
		if result.Text == "" {
			result.Text = string(data)
		}
	}
	return result
}

// pieces is what has been read of a result.
type pieces struct {
	text    strings.Builder
	content []agent.Content
	images  int
}

// block is a piece of content, of whatever type.
type block struct {
	Type, Text, Data              string
	URI, Name, Title, Description string
	MIMEType                      string
	Size                          float64
	Resource                      struct{ URI, MIMEType, Text, Blob string }
}

func (p *pieces) add(raw json.RawMessage) bool {
	var c block
	if json.Unmarshal(raw, &c) != nil {
		p.say(string(raw))
		return true
	}
	switch c.Type {
	case "text":
		p.say(c.Text)
	case "image":
		p.image(c.MIMEType, c.Data, agent.Content{})
	case "audio":
		p.say(fmt.Sprintf("(A sound%s: sounds are not passed on.)", typed(c.MIMEType)))
	case "resource_link":
		p.link(c)
	case "resource":
		p.resource(c)
	default:
		p.say(string(raw)) // of a kind that came later: the call was made, and what came of it is not lost
	}
	return true
}

func (p *pieces) say(text string) {
	if text == "" {
		return
	}
	if p.text.Len() > 0 {
		p.text.WriteByte('\n')
	}
	p.text.WriteString(text)
}

// image takes an image. The runtime finds out what it is, and whether it can be shown.
func (p *pieces) image(kind, data string, c agent.Content) {
	p.images++
	p.say(fmt.Sprintf("(image %d%s)", p.images, typed(kind)))
	c.Kind, c.MIMEType = agent.Image, kind
	c.Data, _ = base64.StdEncoding.DecodeString(data) // what cannot be read is none
	p.content = append(p.content, c)
}

// link takes a link to a resource: the model reads it, and so does the person.
func (p *pieces) link(c block) {
	said := c.URI
	if name := cmp.Or(c.Title, c.Name); name != "" && name != c.URI {
		said = name + ": " + c.URI
	}
	if c.Description != "" {
		said += " (" + c.Description + ")"
	}
	p.say(said)
	p.content = append(p.content, agent.Content{
		Kind: agent.Link, URI: c.URI, Name: c.Name, Title: c.Title, Description: c.Description, MIMEType: c.MIMEType, Size: int(max(0, min(c.Size, 1<<50))),
	})
}

// resource takes a resource that is there itself. Its text is the model's to read; of others the
// images are.
func (p *pieces) resource(c block) {
	r := c.Resource
	switch {
	case r.Blob == "":
		p.say(r.Text)
	case strings.HasPrefix(r.MIMEType, "image/"):
		p.image(r.MIMEType, r.Blob, agent.Content{URI: r.URI})
		return
	default:
		p.say(fmt.Sprintf("(The resource %s%s: its bytes are not passed on.)", r.URI, typed(r.MIMEType)))
	}
	p.content = append(p.content, agent.Content{Kind: agent.Resource, URI: r.URI, MIMEType: r.MIMEType, Size: len(r.Text) + base64.StdEncoding.DecodedLen(len(r.Blob))})
}

var mimeType = regexp.MustCompile(`^[a-zA-Z0-9]+/[a-zA-Z0-9.+-]{1,60}$`)

// typed is a type behind what it is the type of, if it is one.
func typed(kind string) string {
	if mimeType.MatchString(kind) {
		return ", " + kind
	}
	return ""
}
