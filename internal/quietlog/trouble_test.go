package quietlog_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley/internal/quietlog"
)

func TestTroubleThatLastsIsToldOnceAMinuteAndWhenItIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		log := slog.New(slog.NewTextHandler(&out, nil))
		var trouble quietlog.Trouble
		note := func(err error) { trouble.Note(t.Context(), log, "questions not read", err) }
		note(nil)
		for range 150 {
			note(errors.New("refused"))
			time.Sleep(time.Second)
		}
		note(nil)
		note(nil)
		note(errors.New("refused again"))
		ended, end := context.WithCancel(t.Context())
		end()
		trouble.Note(ended, log, "nothing", nil) // the trouble lasts
		var other quietlog.Trouble
		other.Note(ended, log, "nothing", ended.Err())
		got := out.String()
		for text, times := range map[string]int{
			"level=WARN msg=\"questions not read\"": 4, "failures=1 err=refused\n": 1, "failures=61 err=refused\n": 1, "failures=121 err=refused\n": 1,
			"level=INFO msg=\"trouble over\" was=\"questions not read\" failures=150 lasted=2m30s\n": 1, "failures=1 err=\"refused again\"": 1, "nothing": 0,
		} {
			if strings.Count(got, text) != times {
				t.Errorf("%q is not there %d times:\n%s", text, times, got)
			}
		}
	})
}
