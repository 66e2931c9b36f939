package agent

import (
	"cmp"
	"context"
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
)

// Survey is which runs of a tenant are looked at.
type Survey struct {
	User         string    // whose: parley.Principal.Owner; empty: everybody's
	Prefix       string    // of the names of their conversations; only with User
	Since, Until time.Time // when they began, the second excluded; zero: at any time
}

// Surveyed is how far a survey came.
type Surveyed struct {
	Runs     int  // that were looked at
	Complete bool // there are no others
}

// Survey goes through the runs of a tenant, in no order of time, and calls each with
// those that are meant. It stops where it has looked at much, and says so. The
// caller has verified that whoever asks may know of all of them.
func (rt *Runtime) Survey(ctx context.Context, tenant string, q Survey, each func(*Run)) (Surveyed, error) {
	ctx, stop := context.WithTimeout(ctx, surveyTime)
	defer stop()
	from := parley.Address{Tenant: cmp.Or(tenant, parley.DefaultTenant), Kind: runKind}
	if q.User != "" {
		from.Key = url.PathEscape(q.User) + "/" + url.PathEscape(q.Prefix)
	}
	var so Surveyed
	bytes, after := 0, ""
	for {
		page, err := rt.records.Scan(ctx, from, after, surveyPage)
		if err != nil && so.Runs > 0 && ctx.Err() == context.DeadlineExceeded {
			return so, nil
		}
		if err != nil {
			return so, err
		}
		for _, record := range page {
			if bytes += len(record.Data); so.Runs >= surveyRuns || so.Runs > 0 && bytes > surveyBytes {
				return so, nil
			}
			so.Runs++
			r, err := decode(record)
			if err != nil {
				return so, err
			}
			if q.means(r) {
				each(r)
			}
			after = record.Key
		}
		if len(page) < surveyPage {
			so.Complete = true
			return so, nil
		}
	}
}

func (q Survey) means(r *Run) bool {
	return (q.Since.IsZero() || !r.Created.Before(q.Since)) && (q.Until.IsZero() || r.Created.Before(q.Until))
}
