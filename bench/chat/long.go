package chat

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/parley-hq/parley/bench/kit"
)

// few is how many turns are measured at a time.
const few = 20

// longBench measures what a turn costs in a conversation that becomes long.
func longBench(ctx context.Context, o options, dir, fakes string) error {
	var rows [][]string
	for _, store := range o.stores {
		all, err := longOn(ctx, o, store, dir, fakes)
		if err != nil {
			return fmt.Errorf("%s, a long conversation: %w", store, err)
		}
		rows = append(rows, all...)
	}
	kit.Progress("")
	fmt.Printf("\nTurns of one conversation, one after the other; means of %d:\n", few)
	kit.Table{"store", "turns before", "CPU per turn", "median"}.Print(os.Stdout, rows)
	return nil
}

func longOn(ctx context.Context, o options, store, dir, fakes string) (rows [][]string, err error) {
	s, err := kit.NewSite(ctx, store)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	v, err := kit.StartServe(ctx, []string{o.parley, "serve"}, 6<<30, dir, func(listen string) string { return config(listen, s.URL("long"), fakes) })
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
				rows = append(rows, longRow(store, k-few, v.CPU()-cpu, took))
			}
			cpu, took = v.CPU(), nil
		}
		began := time.Now()
		if status, said, err := converse(ctx, client, v.URL, "alice", "long", fmt.Sprint("m", k)); err != nil || status != http.StatusOK {
			return nil, fmt.Errorf("turn %d: %d %s %w", k, status, said, err)
		}
		took.Add(time.Since(began))
	}
	return append(rows, longRow(store, o.long-few, v.CPU()-cpu, took)), nil
}

func longRow(store string, before int, cpu time.Duration, took kit.Samples) []string {
	return []string{store, fmt.Sprint(before), fmt.Sprintf("%.1f ms", float64(cpu)/float64(len(took))/float64(time.Millisecond)), took.Median().String()}
}
