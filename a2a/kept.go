package a2a

import (
	"context"
	"encoding/json"
	"net/url"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// keptKind are the records of how much is kept of the messages to somebody's tasks.
const keptKind = "a2a.kept"

// kept is how many bytes of messages to somebody's tasks were stored, by the day: what is
// forgotten is so by its age. What was forgotten before that still counts.
type kept struct {
	Days map[string]int64 `json:"days"`
}

// countFor is for how long what was stored counts, where it is kept for ever.
const countFor = 30 * 24 * time.Hour

// hold counts bytes that are about to be stored for somebody, and returns how many that makes
// in all.
func (a *Agents) hold(ctx context.Context, ref agent.Ref, bytes int) (int64, error) {
	window := a.opts.Keep
	if window < 0 {
		window = countFor
	}
	now := time.Now().UTC()
	oldest := now.Add(-window).Format(time.DateOnly)
	var sum int64
	at := parley.Address{Tenant: ref.Tenant, Kind: keptKind, Key: url.PathEscape(ref.User)}
	_, err := parley.Update(ctx, a.records, at, func(r *parley.Record) (bool, error) {
		k := kept{}
		if len(r.Data) > 0 {
			if err := json.Unmarshal(r.Data, &k); err != nil {
				return false, err
			}
		}
		sum = int64(bytes)
		days := map[string]int64{now.Format(time.DateOnly): int64(bytes)}
		for day, n := range k.Days {
			if day >= oldest {
				days[day] += n
				sum += n
			}
		}
		var err error
		r.Owner, r.Expires = ref.User, now.Add(window+24*time.Hour).Truncate(time.Millisecond)
		r.Data, err = json.Marshal(kept{days})
		return true, err
	})
	return sum, err
}
