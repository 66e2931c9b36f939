package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"github.com/parley-hq/parley"
)

// Bounds of one survey. There is no list of runs by time: those of a tenant are gone
// through, person by person.
const (
	surveyRuns  = 5000
	surveyBytes = 64 << 20
	surveyTime  = 10 * time.Second
	surveyPage  = 50 // runs that are in memory at once
	surveyFirst = 4  // as long as it is not known how large they are
	surveyHeld  = 4 << 20
)

// Survey is which runs of a tenant are looked at.
type Survey struct {
	User         string    // whose: parley.Principal.Owner; empty: everybody's
	Prefix       string    // of the names of their conversations; only with User
	Since, Until time.Time // when they began, the second excluded; zero: at any time
	Heads        bool      // of each where it is, how it stands and how it ended, and nothing that was said or done in it
}

// Surveyed is how far a survey came.
type Surveyed struct {
	Runs     int  // that were looked at
	Complete bool // there are no others
}

// Survey goes through the runs of a tenant, in no order of time, and calls each with
// those that are meant. It stops where it has looked at much, and says so; of large
// ones few are in memory at once. The caller has verified that whoever asks may know of all of them.
func (rt *Runtime) Survey(ctx context.Context, tenant string, q Survey, each func(*Run)) (Surveyed, error) {
	ctx, stop := context.WithTimeout(ctx, surveyTime)
	defer stop()
	from := parley.Address{Tenant: cmp.Or(tenant, parley.DefaultTenant), Kind: runKind}
	if q.User != "" {
		from.Key = url.PathEscape(q.User) + "/" + url.PathEscape(q.Prefix)
	}
	var so Surveyed
	bytes, after := 0, ""
	for most := surveyFirst; ; {
		page, err := rt.records.Scan(ctx, from, after, most)
		if err != nil && so.Runs > 0 && ctx.Err() == context.DeadlineExceeded {
			return so, nil
		}
		if err != nil {
			return so, err
		}
		largest := 1
		for _, record := range page {
			largest = max(largest, len(record.Data))
			if bytes += len(record.Data); so.Runs >= surveyRuns || so.Runs > 0 && bytes > surveyBytes {
				return so, nil
			}
			so.Runs++
			r, err := q.read(record)
			if err != nil {
				return so, err
			}
			if q.means(r) {
				each(r)
			}
			after = record.Key
		}
		if len(page) < most {
			so.Complete = true
			return so, nil
		}
		most = max(1, min(2*most, surveyHeld/largest, surveyPage))
	}
}

// read is a run as far as it is wanted. What is not is not made anything of.
func (q Survey) read(record parley.Record) (*Run, error) {
	if !q.Heads {
		return decode(record)
	}
	var head struct {
		Ref     Ref       `json:"ref"`
		Method  string    `json:"method"`
		Agent   string    `json:"agent"`
		Message string    `json:"message"`
		Status  Status    `json:"status"`
		Reason  Reason    `json:"reason"`
		Created time.Time `json:"created"`
		Updated time.Time `json:"updated"`
	}
	if err := json.Unmarshal(record.Data, &head); err != nil {
		return nil, fmt.Errorf("run %s: %w", record.Key, err)
	}
	return &Run{
		Ref: head.Ref, Method: head.Method, Agent: head.Agent, Message: head.Message,
		Status: head.Status, Reason: head.Reason, Created: head.Created, Updated: head.Updated, version: record.Version,
	}, nil
}

func (q Survey) means(r *Run) bool {
	return (q.Since.IsZero() || !r.Created.Before(q.Since)) && (q.Until.IsZero() || r.Created.Before(q.Until))
}
