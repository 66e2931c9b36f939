package fakeslack

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"time"
)

// id makes an id as Slack's look. The caller holds the lock.
func (s *Slack) id(kind string) string {
	s.serial++
	return fmt.Sprintf("%s0F%08d", kind, s.serial)
}

// ts makes the time of a message, which no other message has. The caller holds the
// lock.
func (s *Slack) ts() string {
	s.lastTS = max(s.lastTS+1, time.Now().UnixMicro())
	return fmt.Sprintf("%d.%06d", s.lastTS/1e6, s.lastTS%1e6)
}

func random(bytes int) string {
	b := make([]byte, bytes)
	rand.Read(b)
	return hex.EncodeToString(b)
}
