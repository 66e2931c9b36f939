// Package lately remembers what this process has just done, in bounded room.
package lately

import (
	"iter"
	"maps"
)

// Map has the values that were put last. Its zero value is empty. It is not safe for
// concurrent use.
type Map[K comparable, V any] struct {
	known map[K]place[V]
	order []K // whose place is taken next: that of next
	next  int
}

type place[V any] struct {
	value V
	at    int // in the order
}

// Put adds or replaces a value. Of more than most, the one whose key was put first goes.
func (m *Map[K, V]) Put(key K, value V, most int) {
	if old, there := m.known[key]; there {
		m.known[key] = place[V]{value, old.at}
		return
	}
	if m.known == nil {
		m.known = map[K]place[V]{}
	}
	if len(m.order) < most {
		m.known[key] = place[V]{value, len(m.order)}
		m.order = append(m.order, key)
		return
	}
	if first := m.order[m.next]; m.known[first].at == m.next { // else it was deleted, and put again elsewhere
		delete(m.known, first)
	}
	m.order[m.next], m.known[key] = key, place[V]{value, m.next}
	m.next = (m.next + 1) % most
}

// Get returns the value of a key, if it is there.
func (m *Map[K, V]) Get(key K) (value V, there bool) {
	found, there := m.known[key]
	return found.value, there
}

// Delete takes a key out.
func (m *Map[K, V]) Delete(key K) { delete(m.known, key) }

// All yields the values, in no order.
func (m *Map[K, V]) All() iter.Seq[V] {
	return func(yield func(V) bool) {
		for found := range maps.Values(m.known) {
			if !yield(found.value) {
				return
			}
		}
	}
}
