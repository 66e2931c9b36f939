package sqlitestore_test

import (
	"os"
	"runtime"
	"syscall"
	"testing"
)

// asAnybody calls do as a user whom permissions stop: root is not. The thread that was
// that user ends with it.
func asAnybody(t *testing.T, do func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		do()
		return
	}
	const nobody = 65534
	var failed syscall.Errno
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // for ever
		if _, _, failed = syscall.RawSyscall(syscall.SYS_SETRESUID, nobody, nobody, nobody); failed == 0 {
			do()
		}
	}()
	<-done
	if failed != 0 {
		t.Fatal(failed)
	}
}
