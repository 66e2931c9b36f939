// Package table makes one table of all measurements: what the design asks for row by row,
// what was seen, and whether that is enough. Each row comes from the results of a
// benchmark of its own; this package measures nothing itself.
package table

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
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
	"github.com/parley-hq/parley/bench/peers"
	"github.com/parley-hq/parley/bench/resources"
)

// measurement is one run of a benchmark, from which some rows come.
type measurement struct {
	name  string   // how the ids of its rows begin
	args  []string // what is run is go run ./bench ARGS, or another program
	quick []string // the short form
	once  bool     // it takes too long to be repeated
	run   func(ctx context.Context, args []string) (found, error)
}

// found is what one run of a measurement says.
type found struct {
	rows   []kit.Row
	absent []peers.Absent
	text   func(io.Writer) // all that it found out
}

// command is what makes the same measurement alone.
func (m measurement) command(args []string) string {
	words := append([]string{"go", "run"}, args...)
	if !strings.HasPrefix(args[0], "./") {
		words = append([]string{"go", "run", "./bench"}, args...)
	}
	return strings.Join(words, " ")
}

// measurements are all, in the order of the table.
func measurements() []measurement {
	return []measurement{
		{
			name: "mcp", run: measureMCP,
			args:  []string{"mcp", "-repetitions", "1"},
			quick: []string{"mcp", "-repetitions", "1", "-stores", "memory", "-rounds", "10", "-waiting", "10", "-burst", "10"},
		},
		{
			name: "signedin", run: measureSignedIn,
			args:  []string{"mcp", "-signed-in", "-stores", "sqlite", "-peers", "none", "-repetitions", "1", "-waiting", "0", "-burst", "0"},
			quick: []string{"mcp", "-signed-in", "-stores", "sqlite", "-peers", "none", "-repetitions", "1", "-rounds", "10", "-waiting", "0", "-burst", "0"},
		},
		{
			name: "gateway", run: measureGateway,
			args:  []string{"gateway", "-results", "small,form", "-servers", "0", "-sessions", "0", "-peers", "all"},
			quick: []string{"gateway", "-results", "small,form", "-servers", "0", "-sessions", "0", "-stores", "memory", "-batches", "1"},
		},
		{
			name: "core", run: measureCore,
			args:  []string{"core", "-pending", ""},
			quick: []string{"core", "-pending", "", "-backends", "sqlite", "-rounds", "5", "-footprint", "10"},
		},
		{
			name: "flat", run: measureFlat, once: true,
			args:  []string{"core", "-backends", "memory,sqlite,postgres", "-pending", "1000,1000000"},
			quick: []string{"core", "-backends", "memory", "-pending", "10,100", "-rounds", "5", "-footprint", "10"},
		},
		{
			name: "load", run: measureLoad, once: true,
			args:  []string{"load", "-plot", "docs/screens/load.svg"},
			quick: []string{"load", "-store", "sqlite", "-nodes", "1", "-parked", "50", "-streams", "20", "-rate", "10", "-for", "1s", "-window", "500ms", "-due", "0"},
		},
		{
			name: "streams", run: measureStreams,
			args:  []string{"chat", "-stores", "sqlite", "-arrivals", "", "-long", "0", "-rounds", "1"},
			quick: []string{"chat", "-stores", "sqlite", "-arrivals", "", "-long", "0", "-n", "20", "-answers", "5", "-burst", "5", "-rounds", "1", "-calm", "10ms"},
		},
		{
			name: "turns", run: measureTurns,
			args:  []string{"chat", "-stores", "sqlite", "-arrivals", "160,1000", "-ask", "-long", "0", "-n", "0"},
			quick: []string{"chat", "-stores", "sqlite", "-arrivals", "5", "-lasting", "1s", "-ask", "-long", "0", "-n", "0"},
		},
		{
			name: "kill", run: measureKill, once: true,
			args:  []string{"./interop/chatkill", "-rounds", "20"},
			quick: []string{"./interop/chatkill", "-rounds", "1", "-stores", "sqlite"},
		},
		{
			name: "hostile", run: measureHostile, once: true,
			args:  []string{"resources"},
			quick: []string{"resources", "-store", "sqlite", "-cases", "gateway: 2"},
		},
		{
			name: "clone", run: measureClone, once: true,
			args:  []string{"clone"},
			quick: []string{"clone", "-warm"},
		},
	}
}

func measureMCP(ctx context.Context, args []string) (found, error) {
	r, err := mcp.Measure(ctx, args[1:])
	return found{mcpRows(r), r.Absent, r.Print}, err
}

func measureSignedIn(ctx context.Context, args []string) (found, error) {
	r, err := mcp.Measure(ctx, args[1:])
	return found{signedInRows(r), r.Absent, r.Print}, err
}

func measureGateway(ctx context.Context, args []string) (found, error) {
	r, err := gateway.Measure(ctx, args[1:])
	return found{gatewayRows(r), r.Absent, r.Print}, err
}

func measureCore(ctx context.Context, args []string) (found, error) {
	r, err := core.Measure(ctx, args[1:])
	return found{wakeRows(r), nil, r.Print}, err
}

func measureFlat(ctx context.Context, args []string) (found, error) {
	r, err := core.Measure(ctx, args[1:])
	return found{flatRows(r), nil, r.Print}, err
}

func measureLoad(ctx context.Context, args []string) (found, error) {
	r, err := load.Measure(ctx, args[1:], os.Stderr)
	return found{loadRows(r), nil, r.Print}, err
}

func measureStreams(ctx context.Context, args []string) (found, error) {
	r, err := chat.Measure(ctx, args[1:])
	return found{streamRows(r), nil, r.Print}, err
}

func measureTurns(ctx context.Context, args []string) (found, error) {
	r, err := chat.Measure(ctx, args[1:])
	return found{turnRows(r), nil, r.Print}, err
}

func measureHostile(ctx context.Context, args []string) (found, error) {
	r, err := resources.Measure(ctx, args[1:])
	return found{hostileRows(r), nil, r.Print}, err
}

func measureClone(ctx context.Context, args []string) (found, error) {
	r, err := clone.Measure(ctx, args[1:])
	return found{cloneRows(r), nil, r.Print}, err
}

// measureKill runs the campaign of chatkill, a program of its own, and reads what it found.
func measureKill(ctx context.Context, args []string) (f found, err error) {
	dir, err := os.MkdirTemp("", "parley-kill-")
	if err != nil {
		return f, err
	}
	defer os.RemoveAll(dir)
	program, err := kit.Build(ctx, dir, "github.com/parley-hq/parley/interop/chatkill")
	if err != nil {
		return f, err
	}
	file := filepath.Join(dir, "resumed.json")
	cmd := exec.CommandContext(ctx, program, append(slices.Clone(args[1:]), "-json", file)...)
	cmd.Stderr = os.Stderr
	said, err := cmd.Output()
	if err != nil {
		return f, fmt.Errorf("chatkill: %w\n%s", err, said)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return f, err
	}
	var resumed map[string]map[string][]time.Duration // by store and phase
	if err := json.Unmarshal(raw, &resumed); err != nil {
		return f, err
	}
	return found{killRows(resumed), nil, func(w io.Writer) { _, _ = w.Write(said) }}, nil
}
