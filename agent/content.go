package agent

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley"
)

// ContentKind is what a piece of content is.
type ContentKind string

// The kinds.
const (
	Image    ContentKind = "image"    // Data, MIMEType
	Link     ContentKind = "link"     // URI: a resource that the server has, or that is on the web
	Resource ContentKind = "resource" // URI: a resource whose text is in that of the result
)

// Content is a piece of a result that is more than text.
type Content struct {
	Kind        ContentKind `json:"kind"`
	Name        string      `json:"name,omitempty"`
	Title       string      `json:"title,omitempty"`
	Description string      `json:"description,omitempty"`
	URI         string      `json:"uri,omitempty"`
	MIMEType    string      `json:"mime_type,omitempty"`
	Size        int         `json:"size,omitempty"`   // in bytes, if it is known
	Number      int         `json:"number,omitempty"` // of an image among those of its result, from 1; the runtime sets it
	// ID is under what the runtime keeps the bytes of an image: see Runtime.File.
	ID string `json:"id,omitempty"`
	// Data are the bytes of an image. A toolbox sets them; a model has those that it
	// is to see. They are not part of the run's record.
	Data []byte `json:"-"`
}

// What is kept of results besides their texts. What is over becomes words.
const (
	maxContent = 50       // pieces of one result
	maxImage   = 3 << 20  // bytes of one image: servers of models take no larger ones
	maxImages  = 4 << 20  // bytes of the images of one result
	maxKept    = 16 << 20 // bytes of the images of one turn
	maxNamed   = 2_000    // bytes of a name, a title, a description, an address
	maxSeen    = 20       // images of a conversation that a model is shown: the newest
	maxShown   = 8 << 20  // bytes of them
	imageSize  = 6 << 10  // what an image counts in a history: about as many tokens as so much text
	fileKind   = "run_file"
)

// imageTypes are those that browsers and models show. Others, such as SVG, may hold
// programs, or are known to few.
var imageTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// imageType is what an image is by its bytes, whatever its server calls it; empty: none
// that is shown.
func imageType(data []byte) string {
	if t := http.DetectContentType(data); slices.Contains(imageTypes, t) {
		return t
	}
	return ""
}

func fileAddress(ref Ref, id string) parley.Address {
	return parley.Address{Tenant: ref.Tenant, Kind: fileKind, Key: ref.prefix() + id}
}

// File is an image that came with a result.
type File struct {
	MIMEType string // image/png, image/jpeg, image/gif or image/webp, by its bytes
	Data     []byte
}

// File returns an image of a conversation of p's by its Content.ID, or
// parley.ErrNotFound.
func (rt *Runtime) File(ctx context.Context, p parley.Principal, conversation, id string) (File, error) {
	ref, err := refOf(p, conversation)
	if err != nil {
		return File{}, err
	}
	if id == "" || len(id) > 200 || strings.ContainsFunc(id, func(c rune) bool { return c <= ' ' || c == '/' || c > '~' }) {
		return File{}, parley.ErrNotFound
	}
	return rt.file(ctx, ref, id)
}

func (rt *Runtime) file(ctx context.Context, ref Ref, id string) (File, error) {
	record, err := rt.records.Load(ctx, fileAddress(ref, id))
	if err != nil {
		return File{}, err
	}
	f := File{MIMEType: imageType(record.Data), Data: record.Data}
	if f.MIMEType == "" {
		return File{}, parley.ErrNotFound
	}
	return f, nil
}

// keepContent stores the images of a result, each in a record of its own: the run is
// written many times. They are there before the run names them. What is not kept is
// said in the text.
func (d *driver) keepContent(ctx context.Context, c *call, result *Result) error {
	var kept []Content
	images, bytes := 0, 0
	for i, one := range result.Content {
		if i == maxContent {
			result.say("(%d more pieces of this result are left out: there are too many.)", len(result.Content)-i)
			break
		}
		one = one.clipped()
		if one.Kind != Image {
			one.Data, one.ID = nil, ""
			kept = append(kept, one)
			continue
		}
		images++
		bytes += len(one.Data)
		one.MIMEType, one.Size, one.Number = imageType(one.Data), len(one.Data), images
		if why := d.unkept(one, bytes); why != "" {
			result.say("(Image %d is left out: %s.)", images, why)
			bytes -= len(one.Data)
			continue
		}
		one.ID = c.ID + "-" + rand.Text()
		if err := d.rt.saveFile(ctx, d.run.Ref, one); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			d.rt.opts.Logger.WarnContext(ctx, "image not kept", "run", d.run.Ref.Run, "call", c.ID, "err", err)
			result.say("(Image %d is left out: it could not be kept.)", images)
			continue
		}
		one.Data = nil
		kept = append(kept, one)
	}
	result.Content = kept
	return nil
}

// unkept says why an image is not kept; so many bytes of its result are, with it.
func (d *driver) unkept(one Content, bytes int) string {
	switch {
	case one.Size == 0:
		return "it is empty"
	case one.Size > maxImage:
		return fmt.Sprintf("it has %s, and %s are allowed", inBytes(one.Size), inBytes(maxImage))
	case bytes > maxImages:
		return fmt.Sprintf("the images of a result may have %s", inBytes(maxImages))
	case one.MIMEType == "":
		return "it is none of PNG, JPEG, GIF and WebP"
	case !d.spend(one.Size):
		return fmt.Sprintf("the images of a turn may have %s", inBytes(maxKept))
	}
	return ""
}

// spend counts the images of a turn, unless they become too many.
func (d *driver) spend(bytes int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.counted {
		d.counted = true
		for _, c := range d.run.Calls {
			if c.Result != nil {
				d.spent += c.Result.bytes()
			}
		}
	}
	if d.spent+bytes > maxKept {
		return false
	}
	d.spent += bytes
	return true
}

func (r *Result) bytes() (n int) {
	for _, c := range r.Content {
		if c.Kind == Image {
			n += c.Size
		}
	}
	return n
}

// say adds a sentence to what the model is told.
func (r *Result) say(format string, args ...any) {
	if r.Text != "" {
		r.Text += "\n"
	}
	r.Text += fmt.Sprintf(format, args...)
}

func (rt *Runtime) saveFile(ctx context.Context, ref Ref, one Content) error {
	record := parley.Record{Address: fileAddress(ref, one.ID), Owner: ref.User, Data: one.Data}
	if rt.opts.Keep > 0 {
		record.Expires = time.Now().Add(rt.opts.Keep).UTC().Truncate(time.Millisecond)
	}
	return rt.persist(ctx, func() error {
		_, err := rt.records.Save(ctx, record)
		if errors.Is(err, parley.ErrExists) {
			return nil // it was stored, and we did not hear of it: nobody else has its name
		}
		return err
	})
}

func (c Content) clipped() Content {
	for _, field := range []*string{&c.Name, &c.Title, &c.Description, &c.MIMEType} {
		*field = beginningOf(*field, maxNamed)
	}
	if len(c.URI) > maxNamed {
		c.URI = "" // a part of an address is another one
	}
	return c
}

// inBytes is a size as people read it.
func inBytes(n int) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.3g MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.3g KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}
