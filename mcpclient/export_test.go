package mcpclient

import (
	"io"
	"log/slog"
)

// RequestBody is the body of a request.
var RequestBody = requestBody

// HearTime is how long a server is waited for that opens a stream of its own.
const HearTime = hearTime

// Stderr is where a program's standard error goes, until end.
func Stderr(log *slog.Logger) (w io.Writer, end func()) {
	l := &logWriter{log: log}
	return l, l.end
}
