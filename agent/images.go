package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/parley-hq/parley"
)

// withImages gives a model the images of a conversation, the newest first as far as they go.
// Of the others it is told that they are not shown.
func (d *driver) withImages(ctx context.Context, messages []PromptMessage) error {
	left := room{images: maxSeen, bytes: maxShown}
	for i := len(messages) - 1; i >= 0; i-- {
		m := &messages[i]
		m.Results = slices.Clone(m.Results) // the history keeps its own
		for k := len(m.Results) - 1; k >= 0; k-- {
			if err := d.withImagesOf(ctx, &m.Results[k], &left); err != nil {
				return err
			}
		}
	}
	return nil
}

// room is what is left of what a model is shown.
type room struct{ images, bytes int }

func (r *room) take(bytes int) bool {
	r.images--
	r.bytes -= bytes
	return r.images >= 0 && r.bytes >= 0
}

func (d *driver) withImagesOf(ctx context.Context, r *ToolResult, left *room) error {
	r.Content = slices.Clone(r.Content)
	for n := range r.Content {
		one := &r.Content[n]
		switch {
		case one.Kind != Image:
			continue
		case r.Failed: // servers of models take a failure in words alone
			r.say("(%s is shown to the user alone, because the call failed.)", one.word())
			continue
		case !left.take(one.Size):
			r.say("(%s is no longer shown: others came since.)", one.word())
			continue
		}
		f, err := d.rt.file(ctx, d.run.Ref, one.ID)
		if errors.Is(err, parley.ErrNotFound) {
			r.say("(%s is no longer kept.)", one.word())
			continue
		}
		if err != nil {
			return err
		}
		one.MIMEType, one.Data = f.MIMEType, f.Data
	}
	return nil
}

// word names an image to a model.
func (c Content) word() string {
	if name := cmp.Or(c.Title, c.Name); name != "" {
		return fmt.Sprintf("Image %d (%s)", c.Number, name)
	}
	return fmt.Sprintf("Image %d", c.Number)
}

func (r *ToolResult) say(format string, args ...any) {
	told := Result{Text: r.Text}
	told.say(format, args...)
	r.Text = told.Text
}

// Images are the images of a result that a model is to see.
func (r ToolResult) Images() []Content {
	var all []Content
	for _, c := range r.Content {
		if c.Kind == Image && len(c.Data) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// HasImages reports whether the model is to see any.
func (p Prompt) HasImages() bool {
	for _, m := range p.Messages {
		for _, r := range m.Results {
			if len(r.Images()) > 0 {
				return true
			}
		}
	}
	return false
}

// WithoutImages is the prompt for a model that is to see none. It is told why, in a
// sentence.
func (p Prompt) WithoutImages(why string) Prompt {
	p.Messages = slices.Clone(p.Messages)
	for i := range p.Messages {
		m := &p.Messages[i]
		m.Results = slices.Clone(m.Results)
		for k := range m.Results {
			if r := &m.Results[k]; len(r.Images()) > 0 {
				r.Content = nil
				r.say("(%s)", why)
			}
		}
	}
	return p
}
