package openai

import (
	"encoding/base64"
	"fmt"

	"github.com/parley-hq/parley/agent"
)

// seen is a message of the user's role with images in it. The format has room for them in no
// other: a tool's own message takes text alone.
type seen struct {
	Role    string `json:"role"`
	Content []part `json:"content"`
}

type part struct {
	Type  string    `json:"type"`
	Text  string    `json:"text,omitempty"`
	Image *imageURL `json:"image_url,omitempty"`
}

type imageURL struct {
	URL string `json:"url"`
}

// withImages adds the images of results behind all of them: the server insists that
// they follow the calls at once. Each comes with a word whose it is, since the user has
// not sent it.
func withImages(all []any, results []agent.ToolResult) []any {
	var parts []part
	for _, r := range results {
		for _, image := range r.Images() {
			parts = append(parts,
				part{Type: "text", Text: fmt.Sprintf("(Not from the user: image %d of the result of %s, call %s.)", image.Number, r.Tool, r.CallID)},
				part{Type: "image_url", Image: &imageURL{"data:" + image.MIMEType + ";base64," + base64.StdEncoding.EncodeToString(image.Data)}})
		}
	}
	if parts == nil {
		return all
	}
	return append(all, seen{"user", parts})
}
