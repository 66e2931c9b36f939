package mcptool

import (
	"context"
	"fmt"
	"maps"

	"github.com/parley-hq/parley"
)

// onPage reports whether only the page of a question shows all of it.
func onPage(r parley.Request) bool { return r.Labels[parley.LabelBrief] != "" }

// asShown is a question as clients are asked it. One that only its page shows
// whole is a URL to them: no form has room for it, and nobody allows what they
// have not seen.
func (a *Asker) asShown(r parley.Request) parley.Request {
	if !onPage(r) || a.opts.PageURL == nil {
		return r
	}
	r.Mode, r.URL, r.Message, r.Schema = parley.URL, a.opts.PageURL(r.ID), r.Labels[parley.LabelBrief], nil
	r.Labels = maps.Clone(r.Labels)
	delete(r.Labels, parley.LabelBrief)
	return r
}

// modeFor is the mode in which the client has to be able to ask a question.
func (q *question) modeFor() parley.Mode {
	if q.onPage {
		return parley.URL
	}
	return q.mode
}

// toPage is how somebody is led to a page whose client shows forms and opens no
// URLs. It could have asked everything but this, so the fallback for those that
// cannot ask does not keep the person from answering.
func (r *run) toPage() presenter {
	if _, task := r.how.(byTask); task {
		return r.how // it says where in its status
	}
	switch r.asker.opts.Fallback {
	case Page:
		return byPage{}
	case App:
		if r.client.showsApps() {
			return byApp{}
		}
		return byPage{}
	}
	return byLink{}
}

// byLink has the link in the text of a failed call, and the same call goes on. It
// needs no tool to wait with, and fits every output schema.
type byLink struct{}

func (byLink) present(ctx context.Context, r *run, key string, _ *question, opened *parley.Request) (*parley.Outcome, error) {
	if told, err := r.linked(ctx, key); err != nil {
		return nil, err
	} else if told {
		if outcome, err := r.waitFor(ctx, opened.ID); outcome != nil || err != nil {
			return outcome, err
		}
	}
	return nil, &LaterError{Text: fmt.Sprintf("%s\n\nGive the user this link: %s\n\nMake the same call again when they have decided: it goes on then.",
		wireMessage(*opened), r.asker.opts.PageURL(opened.ID))}
}

// linked notes that the client gets a question's link, and reports whether it has
// it already.
func (r *run) linked(ctx context.Context, key string) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.page.Links[key] {
		return true, nil
	}
	if r.page.Links == nil {
		r.page.Links = map[string]bool{}
	}
	r.page.Links[key] = true
	return false, r.asker.save(ctx, r.page)
}

// waitFor waits for an outcome as long as a client has patience. It returns nil
// when there is none by then.
func (r *run) waitFor(ctx context.Context, id parley.ID) (*parley.Outcome, error) {
	holding, cancel := context.WithTimeout(ctx, r.asker.opts.Hold)
	defer cancel()
	stop := r.client.tell(holding, r.asker.opts.Progress, "Waiting for an answer.")
	defer stop()
	outcome, err := r.asker.hub.Wait(holding, id)
	switch {
	case err == nil:
		return &outcome, nil
	case ctx.Err() == nil && holding.Err() != nil:
		return nil, nil
	}
	return nil, err
}
