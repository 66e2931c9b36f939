package chat

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/parley-hq/parley/bench/kit"
)

// few is how many turns are measured at a time.
const few = 20

// Long is what a turn costs in a conversation that has become long: means of few.
type Long struct {
	Store  string
	Before int // turns
	CPU    time.Duration
	Took   kit.Duration // the median
}

// longBench measures a long conversation on each store.
func longBench(ctx context.Context, o options, dir, fakes string) (found []Long, err error) {
	for _, store := range o.stores {
		all, err := longOn(ctx, o, store, dir, fakes)
		if err != nil {
			return found, fmt.Errorf("%s, a long conversation: %w", store, err)
		}
		found = append(found, all...)
	}
	kit.Progress("")
	return found, nil
}

func (r Result) printLong(out io.Writer) {
	if len(r.Long) == 0 {
		return
	}
	var rows [][]string
	for _, l := range r.Long {
		rows = append(rows, []string{l.Store, fmt.Sprint(l.Before), fmt.Sprintf("%.1f ms", float64(l.CPU)/float64(time.Millisecond)), l.Took.String()})
	}
	fmt.Fprintf(out, "\nTurns of one conversation, one after the other; means of %d:\n", few)
	kit.Table{"store", "turns before", "CPU per turn", "median"}.Print(out, rows)
}

func longOn(ctx context.Context, o options, store, dir, fakes string) (found []Long, err error) {
	s, err := kit.NewSite(ctx, store)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	v, err := kit.StartServe(ctx, []string{o.parley, "serve"}, 6<<30, dir, func(listen string) string { return config(listen, s.URL("long"), fakes, o.approve()) })
	if err != nil {
		return nil, err
	}
	defer v.Stop()
	client := &http.Client{}
	defer client.CloseIdleConnections()
	var took kit.Samples
	cpu := v.CPU()
	for k := range o.long {
		if k%few == 0 {
			kit.Progress("%s: turn %d of %d", store, k, o.long)
			if k == 60 || k == o.long/2 || k == o.long-o.long%few {
				found = append(found, longTurns(store, k-few, v.CPU()-cpu, took))
			}
			cpu, took = v.CPU(), nil
		}
		began := time.Now()
		if status, said, err := converse(ctx, client, v.URL, "alice", "long", fmt.Sprint("m", k)); err != nil || status != http.StatusOK {
			return nil, fmt.Errorf("turn %d: %d %s %w", k, status, said, err)
		}
		took.Add(time.Since(began))
	}
	return append(found, longTurns(store, o.long-few, v.CPU()-cpu, took)), nil
}

func longTurns(store string, before int, cpu time.Duration, took kit.Samples) Long {
	return Long{store, before, cpu / time.Duration(len(took)), took.Median()}
}
