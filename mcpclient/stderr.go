package mcpclient

import (
	"bytes"
	"log/slog"
	"time"
)

// How much of what a program says is logged: the program does not decide that.
const (
	maxLine    = 4 << 10 // bytes of a line
	maxLines   = 100     // in linesEvery
	linesEvery = 10 * time.Second
)

// logWriter logs what a program says on its standard error, line by line.
type logWriter struct {
	log  *slog.Logger
	line []byte

	since   time.Time // when the lines that are counted began
	lines   int
	leftOut int
}

func (w *logWriter) Write(p []byte) (int, error) {
	for rest, more := p, true; more; {
		var piece []byte
		piece, rest, more = bytes.Cut(rest, []byte("\n"))
		w.line = append(w.line, piece[:min(len(piece), maxLine-len(w.line))]...)
		if more {
			w.next()
		}
	}
	return len(p), nil
}

// next logs the line so far, unless there were too many lately.
func (w *logWriter) next() {
	if len(w.line) > 0 {
		if now := time.Now(); now.Sub(w.since) >= linesEvery {
			w.tellLeftOut()
			w.since, w.lines = now, 0
		}
		if w.lines++; w.lines <= maxLines {
			w.log.Info("server stderr", "line", string(w.line))
		} else {
			w.leftOut++
		}
	}
	w.line = w.line[:0]
}

// end logs the rest. The last words of a program that dies may have no end of their
// own.
func (w *logWriter) end() {
	w.next()
	w.tellLeftOut()
}

func (w *logWriter) tellLeftOut() {
	if w.leftOut > 0 {
		w.log.Warn("server stderr left out", "lines", w.leftOut)
		w.leftOut = 0
	}
}
