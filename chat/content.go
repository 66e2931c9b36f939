package chat

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/legible"
	"github.com/parley-hq/parley/outbound"
)

// toolContent is what a result has besides its text. Images are named by their
// address here: clients send their messages back, and bytes would go along.
type toolContent struct {
	ToolCallID string  `json:"toolCallId"`
	Items      []piece `json:"items"`
}

// piece is an image, or a link.
type piece struct {
	Type        agent.ContentKind `json:"type"`
	Name        string            `json:"name,omitempty"`
	Title       string            `json:"title,omitempty"`
	Description string            `json:"description,omitempty"`
	MediaType   string            `json:"mediaType,omitempty"`
	Size        int               `json:"size,omitempty"`
	ID          string            `json:"id,omitempty"`  // of an image: …/files/{id} of the conversation has its bytes
	URL         string            `json:"url,omitempty"` // an image: where its bytes are; else where it leads, if people can go there
	URI         string            `json:"uri,omitempty"` // what its server calls it
}

const contentType = "data-tool-content"

// content is that of the result of an event, if there is any.
func (b book) content(e agent.Event) *toolContent {
	if e.Result == nil || len(e.Result.Content) == 0 || e.Agent != "" {
		return nil
	}
	shown := &toolContent{ToolCallID: e.ID}
	for _, c := range e.Result.Content {
		one := piece{Type: c.Kind, Name: c.Name, Title: c.Title, Description: c.Description, MediaType: c.MIMEType, Size: c.Size, URI: c.URI}
		if c.Kind == agent.Image {
			one.ID, one.URL = c.ID, b.filePath(c.ID)
		} else {
			one.URL = WebAddress(c.URI)
		}
		shown.Items = append(shown.Items, one)
	}
	return shown
}

// tellContent tells of it beside the output of the call, which every client takes.
func (n *narrator) tellContent(e agent.Event) []chunk {
	shown := n.content(e)
	if shown == nil {
		return nil
	}
	return []chunk{{Type: contentType, ID: "content-" + e.ID, Data: shown}}
}

// contents are those of a run told whole.
func (b book) contents(all Reply) (list []*toolContent) {
	for _, e := range all.Content {
		list = append(list, b.content(e))
	}
	return list
}

// WebAddress is uri, if people can go there: it is of the web, and none that could be taken for
// another one. Servers name all sorts of things. Empty: they cannot.
func WebAddress(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil {
		return ""
	}
	if _, err := outbound.DomainOf(uri); err != nil {
		return ""
	}
	return uri
}

// filePath is where the bytes of an image are, for its person.
func (b book) filePath(id string) string {
	return b.public + "/run/api/chat/" + url.PathEscape(b.conversation) + "/files/" + url.PathEscape(id)
}

// lines are the content as text, for clients that are told nothing else.
func (c *toolContent) lines() string {
	if c == nil {
		return ""
	}
	var all []string
	for _, one := range c.Items {
		if one.URL == "" {
			continue
		}
		name := strings.Map(func(r rune) rune {
			if strings.ContainsRune("[]()<>\\`\n\r", r) {
				return ' '
			}
			return r
		}, legible.Line(cmp.Or(one.Title, one.Name, string(one.Type))))
		all = append(all, "["+name+"](<"+strings.NewReplacer("<", "%3C", ">", "%3E", "\n", "").Replace(one.URL)+">)")
	}
	return strings.Join(all, "\n")
}

// showFile sends an image of a conversation to its person. It is an image by its bytes, and
// nothing that runs.
func (c *Chat) showFile(w http.ResponseWriter, r *http.Request, p parley.Principal) error {
	conversation := r.PathValue("id")
	if err := checkConversation(conversation); err != nil {
		return err
	}
	f, err := c.rt.File(r.Context(), p, conversation, r.PathValue("file"))
	if errors.Is(err, parley.ErrNotFound) {
		err = &refusal{status: http.StatusNotFound, text: "There is no such image in this conversation, or it is no longer kept."}
	}
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", f.MIMEType)
	h.Set("Content-Length", strconv.Itoa(len(f.Data)))
	h.Set("Content-Disposition", "inline")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "private, no-store") // another person may sit at the same browser next
	_, _ = w.Write(f.Data)
	return nil
}

// toolProgress is how far a call is. It is transient: nothing of it stays.
type toolProgress struct {
	ToolCallID string `json:"toolCallId"`
	called
	Progress float64 `json:"progress"`
	Total    float64 `json:"total,omitempty"`
	Message  string  `json:"message,omitempty"`
}

const progressType = "data-tool-progress"

// progress tells how far a call is; that of a delegate counts for the call that waits for it.
func progress(e agent.Event) []chunk {
	at := toolProgress{
		ToolCallID: cmp.Or(e.Within, e.ID), called: called{Title: e.Title, Service: e.Box, ServiceTitle: e.Label},
		Progress: e.Progress.Done, Total: e.Progress.Total, Message: e.Progress.Text,
	}
	return []chunk{{Type: progressType, ID: "progress-" + at.ToolCallID, Data: at, Transient: true}}
}
