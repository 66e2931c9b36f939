package lately

import (
	"slices"
	"testing"
)

func TestTheLastAreKept(t *testing.T) {
	var m Map[string, int]
	keeps := func(want ...int) {
		t.Helper()
		if got := slices.Sorted(m.All()); !slices.Equal(got, want) {
			t.Errorf("it has %v, want %v", got, want)
		}
	}
	keeps()
	m.Delete("a")
	m.Put("a", 1, 3)
	m.Put("b", 2, 3)
	m.Put("a", 3, 3) // in its own place
	m.Put("c", 4, 3)
	keeps(2, 3, 4)
	m.Put("d", 5, 3)
	keeps(2, 4, 5)
	m.Delete("c")
	m.Put("c", 6, 3) // in the place of b
	keeps(5, 6)
	m.Put("e", 7, 3) // in the place that c had before
	keeps(5, 6, 7)
	if v, there := m.Get("c"); v != 6 || !there {
		t.Errorf("%d, %t", v, there)
	}
	if _, there := m.Get("b"); there {
		t.Error("b is there")
	}
}
