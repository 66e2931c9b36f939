package mcpclient_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley/mcpclient"
)

// However much a program says.
func TestWhatAProgramSaysOnStderrDoesNotFillTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		w, end := mcpclient.Stderr(slog.New(slog.NewTextHandler(&log, nil)))
		count := func(what string) int { return strings.Count(log.String(), what) }
		for range 600 { // a minute
			for range 100 {
				fmt.Fprintln(w, "still here")
			}
			time.Sleep(100 * time.Millisecond)
		}
		if said, told := count("still here"), count(`level=WARN msg="server stderr left out" lines=9900`); said != 600 || told != 5 {
			t.Errorf("%d lines of 60,000, and %d times how many are left out", said, told)
		}
		log.Reset()
		fmt.Fprint(w, strings.Repeat("x", 1<<20)+"\n"+"last words")
		end()
		if n := count("left out\" lines=9900"); n != 1 {
			t.Errorf("%d times how many were left out before", n)
		}
		if log.Len() > 10_000 || count("last words") != 1 {
			t.Errorf("%d bytes: %.200s", log.Len(), log.String())
		}
		log.Reset()
		fmt.Fprint(w, strings.Repeat("again\n", 150))
		end()
		if said := count("again"); said+50 > 150 || count(fmt.Sprint("left out\" lines=", 150-said)) != 1 {
			t.Errorf("%d lines of 150: %s", said, log.String()[max(0, log.Len()-200):])
		}
	})
}
