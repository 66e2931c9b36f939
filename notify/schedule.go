package notify

import (
	"container/heap"
	"slices"
	"sync"
	"time"

	"github.com/parley-hq/parley"
)

// schedule is what this process is to look at, and when. It is a memory of what
// the store says: who loses it reads it again.
type schedule struct {
	mu    sync.Mutex
	items map[parley.ID]*item
	queue queue
	told  map[parley.ID]bool     // questions that have a notice; true: somebody was told, and the notice says what comes next
	of    map[string][]parley.ID // questions that were told, by the round that they are of
	wake  chan struct{}          // something is due sooner than before; made by prepare
}

type item struct {
	id    parley.ID
	due   time.Time
	busy  bool      // somebody looks at it just now
	again bool      // and shall do so once more
	index int       // in the queue; -1: not there
	tries int       // that ended at something that does not open
	until time.Time // the next is not before; zero: whenever it is due
}

func (s *schedule) prepare() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items, s.queue, s.told, s.of, s.wake = map[parley.ID]*item{}, nil, map[parley.ID]bool{}, map[string][]parley.ID{}, make(chan struct{}, 1)
}

// at sees to it that a question is looked at by then, or sooner.
func (s *schedule) at(id parley.ID, due time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.items == nil { // nobody runs this outbox
		return
	}
	i, ok := s.items[id]
	switch {
	case !ok:
		i = &item{id: id, due: due}
		s.items[id] = i
		heap.Push(&s.queue, i)
	case i.busy:
		i.again = true
	case due.Before(i.due) && i.until.Before(i.due):
		i.due = due
		if due.Before(i.until) {
			i.due = i.until
		}
		heap.Fix(&s.queue, i.index)
	default:
		return
	}
	s.rouse()
}

// rouse has Run look when the next is due.
func (s *schedule) rouse() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// hint is for a question that was settled: it is looked at now if it has a notice,
// and else forgotten.
func (s *schedule) hint(id parley.ID) {
	s.mu.Lock()
	_, told := s.told[id]
	i, known := s.items[id]
	switch {
	case told || !known:
	case i.busy:
		i.again = true
	default:
		heap.Remove(&s.queue, i.index)
		delete(s.items, id)
	}
	s.mu.Unlock()
	if told {
		s.at(id, time.Now())
	}
}

// knows reports whether a question will be looked at without being scheduled.
func (s *schedule) knows(id parley.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, known := s.items[id]
	return known || s.told[id]
}

// noticed remembers that a question has a notice.
func (s *schedule) noticed(n notice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.told != nil {
		s.told[n.id] = len(n.Started) > 0
		if n.Round != "" && !slices.Contains(s.of[n.Round], n.id) {
			s.of[n.Round] = append(s.of[n.Round], n.id)
		}
	}
}

// rounds reports whether any question was told that others are asked, too.
func (s *schedule) rounds() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.of) > 0
}

// round are the questions of a round that were told.
func (s *schedule) round(of string) []parley.ID {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.of[of])
}

func (s *schedule) forget(n notice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.told, n.id)
	if n.Round == "" || s.of == nil {
		return
	}
	s.of[n.Round] = slices.DeleteFunc(s.of[n.Round], func(one parley.ID) bool { return one == n.id })
	if len(s.of[n.Round]) == 0 {
		delete(s.of, n.Round)
	}
}

// take returns a question that is due, and when the next is; zero: there is none.
func (s *schedule) take(now time.Time) (id parley.ID, next time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 {
		return "", time.Time{}
	}
	first := s.queue[0]
	if first.due.After(now) {
		return "", first.due
	}
	heap.Pop(&s.queue)
	first.busy = true
	return first.id, time.Time{}
}

// done puts a question back that was taken, or forgets it when next is zero.
func (s *schedule) done(id parley.ID, next time.Time) {
	s.mu.Lock()
	i := s.items[id]
	if i.again {
		next = time.Now()
	}
	delete(s.items, id)
	s.mu.Unlock()
	if !next.IsZero() {
		s.at(id, next)
	}
}

// mostTries bounds the pause of what does not open: ten minutes.
const mostTries = 3

// shut puts a question back that was taken, of which something does not open here: it is
// left alone for longer each time, whatever happens meanwhile. Another process may have
// what opens it.
func (s *schedule) shut(id parley.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.items[id]
	i.until = time.Now().Add(backoff(min(i.tries, mostTries)))
	i.due, i.busy, i.again = i.until, false, false
	i.tries++
	heap.Push(&s.queue, i)
	s.rouse()
}

// queue is a heap by due.
type queue []*item

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].due.Before(q[j].due) }
func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

func (q *queue) Push(x any) {
	i := x.(*item)
	i.index = len(*q)
	*q = append(*q, i)
}

func (q *queue) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q, last.index = old[:len(old)-1], -1
	return last
}

// state is how many questions will be looked at, and since when the first of those is
// due that are; zero: none is.
func (s *schedule) state(now time.Time) (size int, since time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.items {
		if !i.due.After(now) && (since.IsZero() || i.due.Before(since)) {
			since = i.due
		}
	}
	return len(s.items), since
}
