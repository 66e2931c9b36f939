package mcpclient

import (
	"bytes"
	"log/slog"
)

// maxLine is how much of a line is logged.
const maxLine = 4 << 10

// logWriter logs what a program says on its standard error, line by line.
type logWriter struct {
	log  *slog.Logger
	line []byte
}

func (w *logWriter) Write(p []byte) (int, error) {
	for rest, more := p, true; more; {
		var piece []byte
		piece, rest, more = bytes.Cut(rest, []byte("\n"))
		w.line = append(w.line, piece[:min(len(piece), maxLine-len(w.line))]...)
		if more {
			w.end()
		}
	}
	return len(p), nil
}

// end logs the line so far. The last words of a program that dies may have no
// end of their own.
func (w *logWriter) end() {
	if len(w.line) > 0 {
		w.log.Info("server stderr", "line", string(w.line))
	}
	w.line = w.line[:0]
}
