package parley

import "time"

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
	known map[ID]*recentRequest
	order [recentMost]ID // whose place is taken next: that of next
	next  int
}

type recentRequest struct {
	request Request
	stored  bool // not only about to be
	doubted bool // another process may have settled it
}

// begin notes a question that is about to be stored: what is heard of it from then on
// counts. It is nil where it is not kept, or another of its id is.
func (a *recent) begin(r Request) *recentRequest {
	if len(r.Message)+len(r.Schema)+len(r.URL) > recentBytes || a.known[r.ID] != nil {
		return nil
	}
	if a.known == nil {
		a.known = map[ID]*recentRequest{}
	}
	delete(a.known, a.order[a.next])
	a.order[a.next] = r.ID
	a.next = (a.next + 1) % recentMost
	begun := &recentRequest{request: r.Clone()}
	a.known[r.ID] = begun
	return begun
}

// put notes that a question was stored, or was not.
func (a *recent) put(begun *recentRequest, stored bool) {
	switch {
	case begun == nil || a.known[begun.request.ID] != begun:
	case stored:
		begun.stored = true
	default:
		delete(a.known, begun.request.ID)
	}
}

// settled notes the outcome of a question, as it was stored; nil: there may be one.
func (a *recent) settled(id ID, o *Outcome) {
	known := a.known[id]
	switch {
	case known == nil || known.request.Outcome != nil:
	case o == nil:
		known.doubted = true
	case len(o.Content) > recentBytes:
		delete(a.known, id)
	default:
		end := o.Clone()
		known.request.Outcome = &end
	}
}

// doubt notes that any question may have been settled.
func (a *recent) doubt() {
	for _, known := range a.known {
		known.doubted = true
	}
}

// of returns a question if it is known. sure: it is as the store has it, as far as was
// heard.
func (a *recent) of(id ID) (r Request, sure, known bool) {
	found := a.known[id]
	if found == nil || !found.stored || time.Since(found.request.Created) > recentFor {
		return Request{}, false, false
	}
	sure = found.request.Outcome != nil || !found.doubted && time.Since(found.request.Created) < recentSure
	return found.request.Clone(), sure, true
}
