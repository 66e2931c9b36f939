package mcpclient

import "io"

// ReadEvents reads the data of all events, for the fuzzer; it returns how it
// ended, and the last event's id.
func ReadEvents(r io.Reader, limit int64) (all [][]byte, last string, err error) {
	e := NewEvents(r, limit)
	defer e.Free()
	for {
		data, err := e.Next()
		if data != nil {
			all = append(all, data)
		}
		if err != nil {
			return all, e.Last, err
		}
	}
}

// RequestBody is the body of a request.
var RequestBody = requestBody
