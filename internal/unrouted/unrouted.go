// Package unrouted is about requests for which a mux has no handler, for those who
// answer them in their own words.
package unrouted

import "net/http"

// Allow returns the methods that the path of a request takes, as the header of that
// name lists them; empty: there is nothing at it. The mux has no handler for the
// request.
func Allow(mux *http.ServeMux, r *http.Request) string {
	said := &silent{header: http.Header{}}
	mux.ServeHTTP(said, r)
	if said.status != http.StatusMethodNotAllowed {
		return ""
	}
	return said.header.Get("Allow")
}

// silent remembers what a handler would answer.
type silent struct {
	header http.Header
	status int
}

func (s *silent) Header() http.Header         { return s.header }
func (s *silent) WriteHeader(status int)      { s.status = status }
func (s *silent) Write(b []byte) (int, error) { return len(b), nil }
