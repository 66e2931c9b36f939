package table

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley/bench/chat"
	"github.com/parley-hq/parley/bench/clone"
	"github.com/parley-hq/parley/bench/core"
	"github.com/parley-hq/parley/bench/gateway"
	"github.com/parley-hq/parley/bench/kit"
	"github.com/parley-hq/parley/bench/load"
	"github.com/parley-hq/parley/bench/mcp"
	"github.com/parley-hq/parley/bench/resources"
)

// storeTargets is how many times the bare SDK's round trip a form may take.
var storeTargets = map[string]float64{"memory": 1, "sqlite": 1.8, "redis": 1.4, "postgres": 2}

// askedTarget is how many times the direct round trip a form may take through the gateway,
// and how many times the bare SDK's one of somebody who is signed in.
const askedTarget = 2

// label is a name within an id.
func label(name string) string { return strings.NewReplacer(", ", "-", " ", "-").Replace(name) }

func mcpRows(r mcp.Result) (rows []kit.Row) {
	for _, era := range r.Eras {
		bare := era.Servers[0]
		for _, s := range era.Servers[1:] {
			trip := kit.Row{
				ID: "mcp.trip." + era.Version + "." + label(s.Name), Name: fmt.Sprintf("form round trip, %s, %s", era.Version, s.Name),
				Figure: s.All[0].RoundTrip.Milliseconds(), Unit: "ms",
			}.Against("bare go-sdk", bare.All[0].RoundTrip.Milliseconds())
			trip.Target.Ratio = storeTargets[s.Name]
			cpu := kit.Row{
				ID: "mcp.cpu." + era.Version + "." + label(s.Name), Name: fmt.Sprintf("server CPU per elicited call, %s, %s", era.Version, s.Name),
				Figure: s.All[0].CPU.Milliseconds(), Unit: "ms",
			}.Against("bare go-sdk", bare.All[0].CPU.Milliseconds())
			if s.Name == "memory" {
				cpu.Target.Ratio = 1
			}
			rows = append(rows, trip, cpu)
		}
	}
	for _, w := range r.Waiting[min(1, len(r.Waiting)):] {
		const collected = 1
		row := kit.Row{
			ID: "mcp.waiting." + label(w.Name), Name: "memory per waiting legacy call after a collection, " + w.Name,
			Figure: w.PerCall()[collected] / 1000, Unit: "kB",
		}.Against("bare go-sdk", r.Waiting[0].PerCall()[collected]/1000)
		if storeTargets[w.Name] > 0 {
			row.Target.Ratio = 1.1
		}
		rows = append(rows, row)
	}
	for _, b := range r.Bursts {
		row := kit.Row{
			ID: "mcp.burst." + label(b.Name), Name: fmt.Sprintf("of %d waiting legacy calls answered at once, not back, %s", b.Back+b.Failed+b.Lost, b.Name),
			Figure: float64(b.Failed + b.Lost), Note: "all back after " + kit.Seconds(b.Took),
		}
		row.Target.Zero = storeTargets[b.Name] > 0
		rows = append(rows, row)
	}
	return rows
}

// signedInRows are of callers with a token, whose calls any process may go on with.
func signedInRows(r mcp.Result) (rows []kit.Row) {
	for _, era := range r.Eras {
		bare := era.Servers[0]
		for _, s := range era.Servers[1:] {
			rows = append(rows, kit.Row{
				ID: "signedin." + era.Version + "." + label(s.Name), Name: fmt.Sprintf("form round trip of somebody signed in, %s, %s", era.Version, s.Name),
				Figure: s.All[0].RoundTrip.Milliseconds(), Unit: "ms", Target: kit.Target{Ratio: askedTarget},
			}.Against("bare go-sdk", bare.All[0].RoundTrip.Milliseconds()))
		}
	}
	return rows
}

func gatewayRows(r gateway.Result) (rows []kit.Row) {
	var direct float64
	for _, c := range r.Calls {
		took := c.Times.Median().Milliseconds()
		if c.Ratio == 0 {
			direct = took // it comes before the others of its kind
			continue
		}
		id, name := "gateway.", "call without a question"
		if c.Result == kit.FormTool {
			id, name = "gateway.form.", "call whose server asks with a form"
		}
		row := kit.Row{
			ID:     fmt.Sprintf("%s%s-%s.%s", id, c.Client[:4], c.Server[:4], label(c.Way)),
			Name:   fmt.Sprintf("%s, client %s, server %s, %s", name, c.Client, c.Server, c.Way),
			Figure: took, Unit: "ms",
		}.Against("the direct call", direct)
		switch ours := strings.HasPrefix(c.Way, "gateway, "); {
		case ours && c.Result == kit.FormTool:
			row.Target.Ratio = askedTarget
		case ours && c.Client == c.Server:
			row.Target.Ratio = 1.3
		case ours:
			row.Target.Ratio = 1.5
		}
		rows = append(rows, row)
	}
	return rows
}

func wakeRows(r core.Result) (rows []kit.Row) {
	for _, b := range r.Backends {
		if len(b.Other) == 0 {
			continue
		}
		rows = append(rows, kit.Row{
			ID: "core.wake." + b.Name, Name: "answer on node A, waiter on node B wakes, p99, " + b.Name, Target: kit.Target{AtMost: 5},
			Figure: b.Other.Percentile(99).Milliseconds(), Unit: "ms", Note: "median " + b.Other.Median().String(),
		})
	}
	return rows
}

// flatRatio is what still counts as flat from the fewest to the most questions.
const flatRatio = 1.3

func flatRows(r core.Result) (rows []kit.Row) {
	for _, b := range r.Backends {
		if len(b.Resolved) == 0 {
			continue
		}
		rows = append(rows, kit.Row{
			ID: "flat." + b.Name, Name: "resolve time with the most questions pending, " + b.Name, Target: kit.Target{Ratio: flatRatio},
			Figure: b.Resolved[len(b.Resolved)-1].Milliseconds(), Unit: "ms",
			Note: "flat is taken to be at most " + kit.Amount(flatRatio, "×"),
		}.Against("the fewest pending", b.Resolved[0].Milliseconds()))
	}
	return rows
}

func loadRows(r load.Result) []kit.Row {
	if len(r.Windows) == 0 {
		return nil
	}
	note := fmt.Sprintf("with %s questions parked and %s streams open", kit.Count(r.Questions()), kit.Count(r.Streams()))
	const gib = 1 << 30
	rows := []kit.Row{
		{ID: "load.lost", Name: "streams that were not told of their answer", Target: kit.Target{Zero: true}, Figure: float64(r.Lost), Note: note},
		{ID: "load.memory", Name: "memory of all nodes with the streams open", Target: kit.Target{AtMost: 4}, Figure: float64(r.Open) / gib, Unit: "GiB", Note: note},
		{ID: "load.told", Name: "from the answer to the event of its stream, p99", Figure: r.Told().Percentile(99).Milliseconds(), Unit: "ms", Note: note},
	}
	if r.Due() > 0 {
		rows = append(rows, kit.Row{
			ID: "load.due", Name: kit.Count(r.Due()) + " questions that fall due at once, until all have expired", Figure: r.Expired.Seconds(), Unit: "s",
			Note: kit.Seconds(r.Expiry) + " of the nodes' processor time",
		})
	}
	return rows
}

func streamRows(r chat.Result) (rows []kit.Row) {
	for _, s := range r.Streams {
		resident, collected := s.PerStream()
		rows = append(rows, kit.Row{
			ID: "streams.resident." + s.Store, Name: "a waiting chat, resident, " + s.Store, Target: kit.Target{AtMost: 80},
			Figure: resident / 1000, Unit: "kB", Note: fmt.Sprintf("%s streams; after a collection %s", kit.Count(s.Open), kit.Amount(collected/1000, "kB")),
		})
	}
	return rows
}

// keepsUp is how many turns a second are to be done.
const keepsUp = 150

func turnRows(r chat.Result) (rows []kit.Row) {
	for i, a := range r.Arrivals {
		row := kit.Row{
			ID: fmt.Sprintf("turns.%s.%d", a.Store, a.Rate), Name: fmt.Sprintf("chat turns with a question, %s, of %d/s that arrive", a.Store, a.Rate),
			Figure: float64(a.Done) / (r.Lasting() + a.Drained).Seconds(), Unit: "/s",
			Note: fmt.Sprintf("p50 %v, p99 %v, refused %d, failed %d", a.Took.Median(), a.Took.Percentile(99), a.Refused, a.Wrong),
		}
		if i == 0 {
			row.Target.AtLeast = keepsUp
			rows = append(rows, row)
			continue
		}
		rows = append(rows, row, kit.Row{
			ID: fmt.Sprintf("turns.%s.%d.failed", a.Store, a.Rate), Name: fmt.Sprintf("turns that ended otherwise than done or refused with 429, %s, of %d/s", a.Store, a.Rate),
			Target: kit.Target{Zero: true}, Figure: float64(a.Wrong),
		})
	}
	return rows
}

func killRows(resumed map[string]map[string][]time.Duration) (rows []kit.Row) {
	for _, store := range slices.Sorted(maps.Keys(resumed)) {
		var all kit.Samples
		for _, times := range resumed[store] {
			all = append(all, times...)
		}
		how := "the other of two nodes goes on"
		if store == "sqlite" {
			how = "the node is started again"
		}
		rows = append(rows, kit.Row{
			ID: "kill." + store, Name: "after kill -9 until the turn goes on, p99, " + store, Target: kit.Target{AtMost: 1},
			Figure: time.Duration(all.Percentile(99)).Seconds(), Unit: "s",
			Note: fmt.Sprintf("median %v of %d turns in five phases; %s", all.Median(), len(all), how),
		})
	}
	return rows
}

func hostileRows(r resources.Result) []kit.Row {
	worst := func(of func(resources.Case) float64) (most float64, name string) {
		for _, c := range r.Cases {
			if v := of(c); !c.Idle && v >= most {
				most, name = v, c.Name
			}
		}
		return most, name
	}
	memory, inMemory := worst(func(c resources.Case) float64 { m, _ := c.PerByte(); return m })
	written, inStore := worst(func(c resources.Case) float64 { _, w := c.PerByte(); return w })
	return []kit.Row{
		{ID: "hostile.memory", Name: "memory per hostile byte, the worst case", Target: kit.Target{AtMost: 10}, Figure: memory, Unit: "×", Note: inMemory},
		{ID: "hostile.written", Name: "bytes to the store per hostile byte, the worst case", Target: kit.Target{AtMost: 3}, Figure: written, Unit: "×", Note: inStore},
	}
}

func cloneRows(r clone.Result) []kit.Row {
	tests := kit.Missing("clone.test", "clone to `make test`, with empty caches", kit.Target{AtMost: 12}, "`go run ./bench clone -test` takes it; it wants a machine for itself")
	tests.Unit = "min"
	if r.Test > 0 {
		tests.Verdict, tests.Note, tests.Figure = "", "", r.Test.Minutes()
	}
	demo := kit.Row{ID: "clone.demo", Name: "clone to the end of the demo's story", Target: kit.Target{AtMost: 2}, Figure: r.Demo.Minutes(), Unit: "min", Note: r.Caches()}
	return []kit.Row{demo, tests}
}
