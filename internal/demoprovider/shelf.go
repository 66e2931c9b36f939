package demoprovider

import "container/list"

// shelf keeps values by key and forgets the oldest beyond its limit, so that
// nobody fills the memory of a demo that runs for long. Its owner locks it.
type shelf[T any] struct {
	limit int
	books map[string]*list.Element
	order *list.List // oldest first
}

type book[T any] struct {
	key   string
	value T
}

func newShelf[T any](limit int) *shelf[T] {
	return &shelf[T]{limit: limit, books: map[string]*list.Element{}, order: list.New()}
}

func (s *shelf[T]) get(key string) (T, bool) {
	if at, ok := s.books[key]; ok {
		return at.Value.(book[T]).value, true
	}
	var none T
	return none, false
}

// put keeps the value and returns what had to go for it.
func (s *shelf[T]) put(key string, value T) (gone T, full bool) {
	if at, ok := s.books[key]; ok {
		at.Value = book[T]{key, value}
		return gone, false
	}
	s.books[key] = s.order.PushBack(book[T]{key, value})
	if s.order.Len() <= s.limit {
		return gone, false
	}
	oldest := s.order.Front().Value.(book[T])
	s.drop(oldest.key)
	return oldest.value, true
}

func (s *shelf[T]) drop(key string) {
	if at, ok := s.books[key]; ok {
		s.order.Remove(at)
		delete(s.books, key)
	}
}

// all yields every value, oldest first. The loop may put values of keys that
// are there already.
func (s *shelf[T]) all(yield func(T) bool) {
	for at := s.order.Front(); at != nil; at = at.Next() {
		if !yield(at.Value.(book[T]).value) {
			return
		}
	}
}
