package fakenango

import (
	"net/http"
	"slices"
	"strings"
)

// Fault is an answer of the API in place of the real one.
type Fault struct {
	Method     string // default any
	Path       string // what the path begins with; default any
	Status     int    // the answer's status; required
	Code       string // the answer's error code; empty: a page of HTML, as a proxy has it
	RetryAfter string // the answer's Retry-After; empty: none
	Times      int    // how many calls it answers; 0: all from now on
}

// Fail lets calls of the API fail. Of several faults that fit, the first
// counts.
func (s *Server) Fail(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, f)
}

// Heal ends all faults.
func (s *Server) Heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// fault returns the one that is due and counts it.
func (s *Server) fault(r *http.Request) (Fault, bool) {
	for i, f := range s.faults {
		if f.Method != "" && f.Method != r.Method || !strings.HasPrefix(r.URL.Path, f.Path) {
			continue
		}
		switch f.Times {
		case 0:
		case 1:
			s.faults = slices.Delete(s.faults, i, i+1)
		default:
			s.faults[i].Times--
		}
		return f, true
	}
	return Fault{}, false
}

func (f Fault) write(w http.ResponseWriter) {
	if f.RetryAfter != "" {
		w.Header().Set("Retry-After", f.RetryAfter)
	}
	if f.Code == "" {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(f.Status)
		_, _ = w.Write([]byte("<html>a page of the fake Nango</html>"))
		return
	}
	write(w, refuse(f.Status, f.Code))
}
