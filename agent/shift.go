package agent

import "sync"

// shift is the calls of a step that are under way. While all that are left wait
// for people on open connections the run is not in progress: it gives its place
// back, and is let in again when one of them goes on.
type shift struct {
	progress *progress
	ref      Ref

	mu    sync.Mutex
	asked map[*call]int // how many questions each call under way waits for
	left  bool          // the run's place is given back
}

func newShift(p *progress, ref Ref, calls []*call) *shift {
	s := &shift{progress: p, ref: ref, asked: map[*call]int{}}
	for _, c := range calls {
		s.asked[c] = 0
	}
	return s
}

// rest is for a call that begins to wait for a person; it ends with goOn.
func (s *shift) rest(c *call) (goOn func()) {
	s.change(c, 1)
	return func() { s.change(c, -1) }
}

// change counts the questions of a call. One that is over asks nobody, whatever
// its toolbox still waits for.
func (s *shift) change(c *call, by int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, underway := s.asked[c]; underway {
		s.asked[c] += by
		s.settle()
	}
}

// over is for a call that goes no further for now: it has its result, or waits
// for somebody without a connection.
func (s *shift) over(c *call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.asked, c)
	s.settle()
}

// settle gives the run's place back, or takes it again. A step without calls
// goes on at once.
func (s *shift) settle() {
	resting := len(s.asked) > 0
	for _, questions := range s.asked {
		resting = resting && questions > 0
	}
	switch {
	case resting && !s.left:
		s.progress.leave(s.ref)
	case !resting && s.left:
		s.progress.enter(s.ref)
	}
	s.left = resting
}
