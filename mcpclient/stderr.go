package mcpclient

import (
	"bytes"
	"log/slog"
)

// logWriter logs what a program says on its standard error, line by line.
type logWriter struct {
	log  *slog.Logger
	rest []byte
}

func (w *logWriter) Write(p []byte) (int, error) {
	w.rest = append(w.rest, p...)
	for {
		line, rest, ok := bytes.Cut(w.rest, []byte("\n"))
		if !ok {
			break
		}
		w.log.Debug("a server says", "line", string(line))
		w.rest = rest
	}
	if len(w.rest) > 64<<10 {
		w.rest = nil
	}
	return len(p), nil
}
