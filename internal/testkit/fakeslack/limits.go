package fakeslack

import (
	"math"
	"strconv"
	"time"
)

// Limits is how much is let through. What is over it is answered with 429 and
// Retry-After, and not done. The zero value limits nothing.
type Limits struct {
	// Channel is for chat.postMessage, for each channel.
	Channel Rate
	// Methods are for each workspace, by the method's name.
	Methods map[string]Rate
}

// Rate is a bucket: Burst at once, then one for each Every. Zero: no limit.
type Rate struct {
	Every time.Duration
	Burst int
}

// SlackLimits are about those of Slack: a message a second for each channel with
// short bursts, some hundred a minute for a workspace, and 1, 20, 50 or 100 calls a
// minute of the other methods.
func SlackLimits() Limits {
	perMinute := []int{300, 1, 20, 50, 100}
	l := Limits{Channel: Rate{Every: time.Second, Burst: 4}, Methods: map[string]Rate{}}
	for name, m := range methods {
		n := perMinute[m.tier]
		l.Methods[name] = Rate{Every: time.Minute / time.Duration(n), Burst: n}
	}
	return l
}

// SetLimits changes the limits from now on; all begin with full bursts.
func (s *Slack) SetLimits(l Limits) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limits, s.buckets = l, map[string]*bucket{}
}

// bucket is how much of a rate is left.
type bucket struct {
	left float64
	at   time.Time
}

// limited takes from the buckets of a call and returns how long to wait; 0: it may
// go on. The caller holds the lock.
func (s *Slack) limited(team, method, channel string) time.Duration {
	wait := s.take(team+" "+method, s.limits.Methods[method])
	if method == "chat.postMessage" && wait == 0 {
		wait = s.take(team+" "+method+" "+channel, s.limits.Channel)
	}
	return wait
}

func (s *Slack) take(key string, rate Rate) time.Duration {
	if rate.Every <= 0 {
		return 0
	}
	now, burst := s.now(), float64(max(1, rate.Burst))
	b := s.buckets[key]
	if b == nil {
		b = &bucket{left: burst, at: now}
		s.buckets[key] = b
	}
	b.left = min(burst, b.left+float64(now.Sub(b.at))/float64(rate.Every))
	b.at = now
	if b.left < 1 {
		return time.Duration((1 - b.left) * float64(rate.Every))
	}
	b.left--
	return 0
}

// seconds is Retry-After, which is whole seconds, at least one.
func seconds(d time.Duration) string {
	return strconv.Itoa(max(1, int(math.Ceil(d.Seconds()))))
}
