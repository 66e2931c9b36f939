package parley

import (
	"time"

	"github.com/parley-hq/parley/internal/lately"
)

const (
	recentMost  = 256         // questions
	recentBytes = 16 << 10    // of one of them, and of its answer
	recentFor   = time.Minute // since it was opened
	recentSure  = time.Second // how long no hint means that nobody has settled it: hints may be lost
)

// recent are the questions that this hub has opened a moment ago, so that who waits for
// one, or answers it, does not read what this process has just written. That one is
// pending may be out of date; how it was settled is not. Hub.mu guards it.
type recent struct {
	known lately.Map[ID, *recentRequest]
}

type recentRequest struct {
	request Request
	stored  bool // not only about to be
	doubted bool // another process may have settled it
}

// begin notes a question that is about to be stored: what is heard of it from then on
// counts. It is nil where it is not kept, or another of its id is.
func (a *recent) begin(r Request) *recentRequest {
	if _, known := a.known.Get(r.ID); known || len(r.Message)+len(r.Schema)+len(r.URL) > recentBytes {
		return nil
	}
	begun := &recentRequest{request: r.Clone()}
	a.known.Put(r.ID, begun, recentMost)
	return begun
}

// put notes that a question was stored, or was not.
func (a *recent) put(begun *recentRequest, stored bool) {
	if begun == nil {
		return
	}
	begun.stored = stored
	if known, _ := a.known.Get(begun.request.ID); known == begun && !stored {
		a.known.Delete(begun.request.ID)
	}
}

// settled notes the outcome of a question, as it was stored; nil: there may be one.
func (a *recent) settled(id ID, o *Outcome) {
	known, _ := a.known.Get(id)
	switch {
	case known == nil || known.request.Outcome != nil:
	case o == nil:
		known.doubted = true
	case len(o.Content) > recentBytes:
		a.known.Delete(id)
	default:
		end := o.Clone()
		known.request.Outcome = &end
	}
}

// doubt notes that any question may have been settled.
func (a *recent) doubt() {
	for known := range a.known.All() {
		known.doubted = true
	}
}

// of returns a question if it is known. sure: it is as the store has it, as far as was
// heard.
func (a *recent) of(id ID) (r Request, sure, known bool) {
	found, _ := a.known.Get(id)
	if found == nil || !found.stored || time.Since(found.request.Created) > recentFor {
		return Request{}, false, false
	}
	sure = found.request.Outcome != nil || !found.doubted && time.Since(found.request.Created) < recentSure
	return found.request.Clone(), sure, true
}
