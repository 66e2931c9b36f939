package audit_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/audit"
)

func TestWhatIsOlderThanTheRetentionGoesAndTheRestCanBeVerified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := options()
		opts.Retention = 48 * time.Hour
		s := open(t, parley.NewMemoryStore(), opts)
		var asked []parley.Request
		for day := range 5 {
			for i := range 7 {
				asked = append(asked, s.decided(fmt.Sprint("call", day, i)))
			}
			if err := s.log.Keep(t.Context()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(24 * time.Hour)
		}
		if err := s.log.Keep(t.Context()); err != nil {
			t.Fatal(err)
		}
		out := s.export("default")
		v, err := audit.VerifyExport(strings.NewReader(out), s.key())
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if v.Start != 4*21 || v.Checkpoint.Size != 5*21 {
			t.Errorf("the chain is from %d to %d", v.Start, v.Checkpoint.Size)
		}
		if _, err := s.log.Receipt(t.Context(), "default", asked[0].ID, nil); err == nil {
			t.Error("there is a receipt for what was forgotten")
		}
		for _, q := range asked[len(asked)-7:] {
			if _, err := audit.Verify(s.receipt(q), s.key()); err != nil {
				t.Errorf("a receipt of what is kept: %v", err)
			}
		}
		// It goes on from there.
		if _, err := audit.Verify(s.receipt(s.decided("later")), s.key()); err != nil {
			t.Error(err)
		}
		changed := strings.Replace(s.export("default"), `"size":84`, `"size":83`, 1)
		if _, err := audit.VerifyExport(strings.NewReader(changed), s.key()); err == nil {
			t.Error("another beginning was taken")
		}
		if all, more, err := s.log.List(t.Context(), "default", -1, 1000); err != nil || more || len(all) != 24 || all[0].Index != 107 || all[23].Index != 84 {
			t.Errorf("%d entries, more %v: %v", len(all), more, err)
		}
	})
}
