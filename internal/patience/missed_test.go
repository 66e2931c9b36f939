package patience_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley/internal/patience"
)

func TestWhoIsMissedTwiceIsAbsent(t *testing.T) {
	for name, c := range map[string]struct {
		looks  []bool // whether it was absent
		failed error  // of the look after these
		absent bool
		took   time.Duration
	}{
		"there":                   {looks: []bool{false}},
		"missed once":             {looks: []bool{true, false}, took: 400 * time.Millisecond},
		"missed twice":            {looks: []bool{true, true}, absent: true, took: 400 * time.Millisecond},
		"not seen":                {failed: errAway},
		"missed once, and unseen": {looks: []bool{true}, failed: errAway, took: 400 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began, n := time.Now(), 0
				absent, err := patience.Missed(t.Context(), func(context.Context) (bool, error) {
					if n++; n > len(c.looks) {
						return true, c.failed
					}
					return c.looks[n-1], nil
				})
				if took := time.Since(began); absent != c.absent || !errors.Is(err, c.failed) || took != c.took {
					t.Errorf("%v, %v after %v", absent, err, took)
				}
			})
		})
	}
}

func TestWhoLooksForSomebodyMayStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		absent, err := patience.Missed(ctx, func(context.Context) (bool, error) {
			stop()
			return true, nil
		})
		if absent || !errors.Is(err, context.Canceled) {
			t.Errorf("%v, %v", absent, err)
		}
	})
}
