package patience_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley/internal/patience"
)

var (
	errAway  = errors.New("away")
	errFinal = errors.New("never")
	errBusy  = errors.New("somebody else")
)

func plan(d time.Duration) patience.Plan {
	return patience.Plan{
		For:   d,
		Final: func(err error) bool { return errors.Is(err, errFinal) },
		Soon:  func(err error) bool { return errors.Is(err, errBusy) },
	}
}

// failing fails n times, then says last.
func failing(n int, with, last error) (op func() error, calls *int) {
	calls = new(int)
	return func() error {
		if *calls++; *calls <= n {
			return with
		}
		return last
	}, calls
}

func TestWhatFailsIsTriedAgainUntilItSucceeds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		op, calls := failing(5, errAway, nil)
		if err := plan(time.Minute).Do(t.Context(), op); err != nil || *calls != 6 {
			t.Errorf("%v after %d calls", err, *calls)
		}
	})
}

func TestWhatCannotBeHelpedIsNotTriedAgain(t *testing.T) {
	op, calls := failing(5, errFinal, nil)
	if err := plan(time.Minute).Do(t.Context(), op); !errors.Is(err, errFinal) || *calls != 1 {
		t.Errorf("%v after %d calls", err, *calls)
	}
}

func TestPatienceEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		op, calls := failing(1e6, errAway, nil)
		err := plan(10*time.Second).Do(t.Context(), op)
		if took := time.Since(began); !errors.Is(err, errAway) || took < 10*time.Second || took > 11*time.Second || *calls > 100 {
			t.Errorf("%v after %v and %d calls", err, took, *calls)
		}
	})
}

func TestWhereSomebodyElseSucceededItIsTriedSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		op, _ := failing(100, errBusy, nil)
		if err := plan(time.Minute).Do(t.Context(), op); err != nil || time.Since(began) > 3*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

func TestTheEndOfAContextEndsTheWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		op, _ := failing(1e6, errAway, nil)
		began := time.Now()
		if err := plan(time.Hour).Do(ctx, op); !errors.Is(err, errAway) || time.Since(began) != time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		if patience.Sleep(ctx, time.Hour) {
			t.Error("it slept for an hour")
		}
	})
}
