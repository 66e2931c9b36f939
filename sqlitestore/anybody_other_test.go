//go:build !linux

package sqlitestore_test

import (
	"os"
	"testing"
)

// asAnybody calls do as this user, unless permissions do not stop it.
func asAnybody(t *testing.T, do func()) {
	t.Helper()
	if os.Geteuid() <= 0 {
		t.Skip("permissions stop nobody here")
	}
	do()
}
