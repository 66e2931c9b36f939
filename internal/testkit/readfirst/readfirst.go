// Package readfirst reads requests before a proxy of net/http passes them on.
package readfirst

import (
	"bytes"
	"io"
	"net/http"
)

// Handler reads the body of each request before next has it, which is an
// httputil.ReverseProxy as a rule. net/http closes the body of a request when its answer
// begins. A proxy's transport that looks only then whether the body has ended takes
// that for a failure, and closes the connection on which the answer comes.
func Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler) // whoever sent it has gone
		}
		whole := r.WithContext(r.Context())
		whole.Body, whole.GetBody = http.NoBody, nil
		if len(body) > 0 {
			again := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
			whole.GetBody = again
			whole.Body, _ = again()
		}
		next.ServeHTTP(w, whole)
	})
}
