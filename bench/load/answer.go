package load

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/bench/kit"
)

// Window is what happened in a window of time.
type Window struct {
	Until    time.Duration // since the first answer
	Answered int
	Told     kit.Samples // from the answer to the event
	Memory   int64
	CPU      float64 // cores of the nodes
}

// patience is how long a stream is waited for before it counts as lost.
const patience = 30 * time.Second

// answer answers the questions of streams at a steady rate, each at another node than
// its stream's, and notes when the streams are told.
func (s *site) answer(ctx context.Context, c *clients) (rows []Window, lost int, err error) {
	var (
		mu     sync.Mutex
		given  = map[parley.ID]time.Time{}
		failed error
		client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
		hands  sync.WaitGroup
		began  = time.Now()
		used   = s.cpu()
		total  = int(float64(s.rate) * s.lasting.Seconds())
		now    Window
		heard  int
	)
	defer client.CloseIdleConnections()
	ticks := time.NewTicker(time.Second / time.Duration(s.rate))
	defer ticks.Stop()
	windows := time.NewTicker(s.window)
	defer windows.Stop()
	end := time.NewTimer(s.lasting + patience)
	defer end.Stop()
	for sent := 0; heard < total; {
		select {
		case <-ticks.C:
			if sent == total {
				continue
			}
			node := sent % len(s.nodes)
			one, at := c.streams[node][sent/len(s.nodes)], s.nodes[(node+1)%len(s.nodes)].URL
			sent++
			mu.Lock()
			given[one.ID] = time.Now()
			mu.Unlock()
			hands.Go(func() {
				if err := say(ctx, client, at, one); err != nil {
					mu.Lock()
					failed = err
					mu.Unlock()
				}
			})
		case t := <-c.news:
			if t.Err != "" {
				return rows, 0, fmt.Errorf("a stream: %s", t.Err)
			}
			heard++
			mu.Lock()
			now.Told.Add(time.Unix(0, t.At).Sub(given[t.ID]))
			mu.Unlock()
		case <-windows.C:
			now.Until, now.Answered, now.Memory = time.Since(began), sent, s.memory()
			now.CPU = float64(s.cpu()-used) / float64(s.window)
			used = s.cpu()
			rows = append(rows, now)
			kit.Progress("%d of %d answered", sent, total)
			now = Window{}
		case <-end.C:
			return rows, total - heard, failed
		case <-ctx.Done():
			return rows, 0, ctx.Err()
		}
	}
	hands.Wait()
	if len(now.Told) > 0 {
		now.Until, now.Answered, now.Memory = time.Since(began), total, s.memory()
		rows = append(rows, now)
	}
	return rows, 0, failed
}

// say answers a question as its page does.
func say(ctx context.Context, client *http.Client, base string, one stream) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/answer/"+string(one.ID),
		strings.NewReader(fmt.Sprintf(`{"elicitationId":%q,"action":"accept","content":{"boxes":3}}`, one.ID)))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Cookie", one.Cookie)
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	raw, _ := io.ReadAll(io.LimitReader(answer.Body, 4096))
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("answering: status %d: %.200s", answer.StatusCode, raw)
	}
	return nil
}

func printWindows(out io.Writer, rows []Window) {
	var table [][]string
	for _, r := range rows {
		table = append(table, []string{
			kit.Seconds(r.Until), fmt.Sprint(r.Answered), r.Told.Median().String(), r.Told.Percentile(99).String(), kit.Size(r.Memory), fmt.Sprintf("%.2f", r.CPU),
		})
	}
	kit.Table{"after", "answered", "told after, p50", "p99", "memory of the nodes", "cores of the nodes"}.Print(out, table)
}
