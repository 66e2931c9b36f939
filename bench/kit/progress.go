package kit

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// Progress says on standard error what is being done.
func Progress(format string, args ...any) {
	tellProgress(os.Stderr, isTerminal(os.Stderr), format, args...)
}

// tellProgress replaces the line on a terminal by another one. Elsewhere each is a line
// of its own, without what only terminals read.
func tellProgress(w io.Writer, terminal bool, format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	switch {
	case terminal:
		fmt.Fprint(w, "\r\033[K"+line)
	case line != "":
		fmt.Fprintln(w, strings.TrimSuffix(line, "\n"))
	}
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
