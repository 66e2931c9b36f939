package notify

import (
	"testing"
	"time"
)

func TestHowFarTheOutboxIsBehindIsTheFirstThatIsDue(t *testing.T) {
	var s schedule
	s.prepare()
	now := time.Now()
	s.at("late", now.Add(-time.Minute))
	s.at("later", now.Add(-time.Second))
	s.at("soon", now.Add(time.Hour))
	if id, _ := s.take(now); id != "late" {
		t.Fatalf("took %s", id)
	}
	if size, since := s.state(now); size != 3 || now.Sub(since) != time.Minute { // it is worked on, and still not done
		t.Errorf("%d questions, since %v", size, now.Sub(since))
	}
	s.done("late", time.Time{})
	if size, since := s.state(now); size != 2 || now.Sub(since) != time.Second {
		t.Errorf("%d questions, since %v", size, now.Sub(since))
	}
}
