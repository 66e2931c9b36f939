package fakeslack

import (
	"io"
	"net/http"
	"time"
)

// Fault is what goes wrong with a call of the Web API. Several kinds in one happen in
// the order of the fields.
type Fault struct {
	Method string // default any; "response_url" are the uses of response URLs
	After  int    // how many calls pass before it begins
	Times  int    // how many calls it breaks; 0: all

	Delay  time.Duration // the call is answered later
	Hang   bool          // the call is never answered, nor done, until the client or the fake ends
	Die    bool          // the connection ends before the call is done and without an answer
	Status int           // the call is not done, and answered with this status
	// RetryAfter is the header of an answer with Status; 0: none.
	RetryAfter time.Duration
	// Error is answered in place of doing it: Slack's error, with status 200.
	Error string
	Body  string // is answered in place of doing it, as it is, with status 200
	Drop  bool   // the call is done, then the connection ends without an answer
}

// Fail lets calls of the Web API fail from now on. Of several faults that fit, the
// first counts.
func (s *Slack) Fail(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &f)
}

// Heal ends all faults.
func (s *Slack) Heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// loss is how many acknowledgements are still to be lost.
type loss struct {
	kind string
	left int
}

// LoseAcks loses the app's next acknowledgements of a kind of event or interaction:
// the app has taken it, and Slack does not know. Events are sent again; people see
// that something went wrong.
func (s *Slack) LoseAcks(kind string, times int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.losses = append(s.losses, &loss{kind, times})
}

// lost says whether an acknowledgement is lost, and counts it. The caller holds the
// lock.
func (s *Slack) lost(kind string) bool {
	for _, l := range s.losses {
		if l.kind == kind && l.left > 0 {
			l.left--
			return true
		}
	}
	return false
}

// fault returns what is due for a call. The caller holds the lock.
func (s *Slack) fault(method string) Fault {
	for _, f := range s.faults {
		if f.Method != "" && f.Method != method || f.Times < 0 {
			continue
		}
		if f.After > 0 {
			f.After--
			continue
		}
		if f.Times > 0 {
			if f.Times--; f.Times == 0 {
				f.Times = -1 // used up
			}
		}
		return *f
	}
	return Fault{}
}

// before does what comes before the call is done. It says whether that was all, and
// with which status.
func (f Fault) before(s *Slack, w http.ResponseWriter, r *http.Request) (all bool, status int) {
	if f.Delay > 0 {
		timer := time.NewTimer(f.Delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.Context().Done():
		case <-s.life.Done():
		}
	}
	switch {
	case f.Hang:
		select {
		case <-r.Context().Done():
		case <-s.life.Done():
		}
		die(w)
	case f.Die:
		die(w)
	case f.Status != 0:
		if f.RetryAfter > 0 {
			w.Header().Set("Retry-After", seconds(f.RetryAfter))
		}
		http.Error(w, "<html>a page of the fake Slack</html>", f.Status)
		return true, f.Status
	case f.Error != "":
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = w.Write(encode(no(f.Error)))
		return true, http.StatusOK
	case f.Body != "":
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = io.WriteString(w, f.Body)
		return true, http.StatusOK
	default:
		return false, 0
	}
	return true, 0
}

// die ends the connection.
func die(w http.ResponseWriter) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = conn.Close()
	}
}
