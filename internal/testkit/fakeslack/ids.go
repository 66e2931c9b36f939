package fakeslack

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// id makes an id as Slack's look. The caller holds the lock.
func (s *Slack) id(kind string) string {
	s.serial++
	return fmt.Sprintf("%s0F%08d", kind, s.serial)
}

// epoch is when messages begin in a Slack that is the same each time.
const epoch = 1_700_000_000_000_000

// ts makes the time of a message, which no other message has. The caller holds the
// lock.
func (s *Slack) ts() string {
	if s.opts.Fixed {
		s.lastTS = max(s.lastTS+100, epoch)
	} else {
		s.lastTS = max(s.lastTS+1, time.Now().UnixMicro())
	}
	return fmt.Sprintf("%d.%06d", s.lastTS/1e6, s.lastTS%1e6)
}

// random makes what nobody guesses, or in a Slack that is the same each time, what is
// next. The caller holds the lock.
func (s *Slack) random(bytes int) string {
	if s.opts.Fixed {
		s.drawn++
		sum := sha256.Sum256(fmt.Append(nil, s.drawn))
		return hex.EncodeToString(sum[:bytes])
	}
	b := make([]byte, bytes)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// uuid makes an id as those of messages and envelopes look. The caller holds the lock.
func (s *Slack) uuid() string {
	h := s.random(16)
	return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-a" + h[17:20] + "-" + h[20:]
}
