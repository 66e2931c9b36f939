package mcp

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/bench/kit"
)

// Speeds are those of one server, one for each repetition.
type Speeds struct {
	Name string
	All  []Speed
}

// Speed is what one repetition found out about one server.
type Speed struct {
	RoundTrip kit.Duration
	PerSecond float64
	CPU       kit.Duration // of the server, per call under load
}

// batch is how many calls one server gets before it is the next one's turn:
// few, so that noise hits all alike.
const batch = 10

// loadSessions is how many sessions call at once for the throughput.
const loadSessions = 64

// compareSpeed finds the speed of every server in one era.
func compareSpeed(ctx context.Context, g *guests, era string, o options) ([]Speeds, error) {
	all, stop, err := startAll(ctx, g, era, "speed"+era[:4], o.profiles)
	if err != nil {
		return nil, err
	}
	defer stop()
	found := make([]Speeds, len(all))
	for repetition := range o.repetitions {
		kit.Progress("%s: repetition %d of %d", era, repetition+1, o.repetitions)
		round, err := repeatSpeed(ctx, all, era, o)
		if err != nil {
			return nil, err
		}
		for i, p := range all {
			found[i].Name, found[i].All = p.Name, append(found[i].All, round[i])
		}
	}
	kit.Progress("")
	return found, nil
}

func repeatSpeed(ctx context.Context, all []*kit.Subject, era string, o options) ([]Speed, error) {
	clients := kit.NewClients(era, o.signedIn)
	defer clients.Close()
	found := make([]Speed, len(all))
	callers := make([][]*mcp.ClientSession, len(all))
	defer func() {
		for _, c := range callers {
			kit.CloseAll(c)
		}
	}()
	for i, p := range all {
		var err error
		if callers[i], err = clients.ConnectAll(ctx, p.URL, loadSessions, kit.AtOnce); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	if err := roundTrips(ctx, callers, found, o.rounds); err != nil {
		return nil, err
	}
	return found, throughput(ctx, all, callers, found, o.rounds)
}

// roundTrips times one call at a time, in turns.
func roundTrips(ctx context.Context, callers [][]*mcp.ClientSession, found []Speed, rounds int) error {
	times := make([]kit.Samples, len(callers))
	for n := 0; n < rounds+batch; n += batch { // the first batch only warms up
		for i := range callers {
			for range batch {
				took, err := timed(ctx, callers[i][0])
				if err != nil {
					return err
				}
				if n > 0 {
					times[i].Add(took)
				}
			}
		}
	}
	for i := range times {
		found[i].RoundTrip = times[i].Median()
	}
	return nil
}

// throughput lets all sessions of a server call at once, in turns.
func throughput(ctx context.Context, all []*kit.Subject, callers [][]*mcp.ClientSession, found []Speed, rounds int) error {
	const turns = 4
	share := max(1, rounds/turns/8) // calls per session and turn
	took, cpu := make([]time.Duration, len(all)), make([]time.Duration, len(all))
	for range turns {
		for i, p := range all {
			before, err := p.Consumption(false)
			if err != nil {
				return err
			}
			began := time.Now()
			err = kit.InParallel(loadSessions, loadSessions, func(n int) error {
				for range share {
					if err := call(ctx, callers[i][n]); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return fmt.Errorf("%s: %w", p.Name, err)
			}
			took[i] += time.Since(began)
			after, err := p.Consumption(false)
			if err != nil {
				return err
			}
			cpu[i] += after.CPU - before.CPU
		}
	}
	calls := turns * share * loadSessions
	for i := range all {
		found[i].PerSecond = float64(calls) / took[i].Seconds()
		found[i].CPU = kit.Duration(cpu[i] / time.Duration(calls))
	}
	return nil
}

// row gives medians over the repetitions, and medians of the ratios to the
// bare server of the same repetition.
func (s Speeds) row(bare Speeds) []string {
	trip := func(s Speed) float64 { return float64(s.RoundTrip) }
	rate := func(s Speed) float64 { return s.PerSecond }
	cpu := func(s Speed) float64 { return float64(s.CPU) }
	return []string{
		s.Name,
		kit.Duration(s.middle(trip)).String(), s.ratio(bare, trip),
		fmt.Sprintf("%.0f", s.middle(rate)), s.ratio(bare, rate),
		kit.Duration(s.middle(cpu)).String(), s.ratio(bare, cpu),
	}
}

func (s Speeds) middle(of func(Speed) float64) float64 {
	values := make([]float64, len(s.All))
	for i, one := range s.All {
		values[i] = of(one)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// ratio is the median of the repetitions' ratios, with the lowest and highest.
func (s Speeds) ratio(bare Speeds, of func(Speed) float64) string {
	ratios := make([]float64, len(s.All))
	for i := range s.All {
		ratios[i] = of(s.All[i]) / of(bare.All[i])
	}
	slices.Sort(ratios)
	return fmt.Sprintf("%.2f× (%.2f–%.2f)", ratios[len(ratios)/2], ratios[0], ratios[len(ratios)-1])
}
