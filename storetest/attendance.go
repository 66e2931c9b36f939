package storetest

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley"
)

// RunAttendance checks a store that has the ability parley.Attendance. Handles
// stand for processes here; that a process which is killed is absent, its own
// tests show.
func RunAttendance(t *testing.T, open Opener) {
	runAll(t, open, []subtest{
		{"a node that attends is not absent", attends},
		{"a node that leaves is absent", leaves},
		{"a node whose handle is closed is absent", closes},
		{"nodes are told apart", toldApart},
	})
}

// attendance is a handle, and the nodes that attend by it.
type attendance struct {
	parley.Attendance
	t *testing.T
}

func attendanceOf(t *testing.T, b Backend) attendance {
	t.Helper()
	a, ok := b.(parley.Attendance)
	if !ok {
		t.Fatalf("%T has no attendance", b)
	}
	return attendance{a, t}
}

// attend has a node attend until leave is called; ended gets the reason.
func (a attendance) attend(node string) (leave context.CancelFunc, ended <-chan error) {
	a.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	there, over := make(chan struct{}), make(chan error, 1)
	go func() { over <- a.Attend(ctx, node, sync.OnceFunc(func() { close(there) })) }()
	a.t.Cleanup(cancel)
	select {
	case <-there:
	case err := <-over:
		a.t.Fatalf("it does not attend: %v", err)
	}
	return cancel, over
}

// present checks that a node is not taken for absent.
func (a attendance) present(node string) {
	a.t.Helper()
	if absent, err := a.Absent(a.t.Context(), node); err != nil || absent {
		a.t.Errorf("absent: %v, %v; want false", absent, err)
	}
}

// missed waits until a node is absent: the store may have started just now.
func (a attendance) missed(node string) {
	a.t.Helper()
	for deadline := time.Now().Add(patience); ; {
		absent, err := a.Absent(a.t.Context(), node)
		if err == nil && absent {
			return
		}
		if time.Now().After(deadline) {
			a.t.Fatalf("absent: %v, %v; want true", absent, err)
		}
	}
}

func attends(t *testing.T, a, b Backend) {
	here, there := attendanceOf(t, a), attendanceOf(t, b)
	node := rand.Text()
	leave, ended := here.attend(node)
	here.present(node)
	there.present(node)
	leave()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
}

func leaves(t *testing.T, a, b Backend) {
	here, there := attendanceOf(t, a), attendanceOf(t, b)
	node := rand.Text()
	leave, ended := here.attend(node)
	leave()
	<-ended
	there.missed(node)
	again, ended := here.attend(node)
	there.present(node)
	again()
	<-ended
}

func closes(t *testing.T, a, b Backend) {
	here, there := attendanceOf(t, a), attendanceOf(t, b)
	node := rand.Text()
	_, ended := here.attend(node)
	closer, ok := a.(interface{ Close() error })
	if !ok {
		t.Fatalf("%T cannot be closed", a)
	}
	if err := closer.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err == nil {
		t.Error("it ended without a reason")
	}
	there.missed(node)
}

func toldApart(t *testing.T, a, b Backend) {
	here, there := attendanceOf(t, a), attendanceOf(t, b)
	one, other := rand.Text(), rand.Text()
	leaveOne, endedOne := here.attend(one)
	leaveOther, endedOther := there.attend(other)
	leaveOne()
	<-endedOne
	here.missed(one)
	here.present(other)
	leaveOther()
	<-endedOther
}
