package gateway_test

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/interop/kit"
)

// matrixFile is the table that people read. PARLEY_WRITE_MATRIX=1 writes it.
const (
	matrixFile          = "../docs/gateway-matrix.md"
	writeMatrixVariable = "PARLEY_WRITE_MATRIX"
)

// matrixPage is held by whoever reads and writes that file: two tests do, each its part.
var matrixPage sync.Mutex

// tooManyFailures of a client with a server mean that the rest is not worth
// waiting for.
const tooManyFailures = 3

// matrix is what was seen of each client with each server.
type matrix struct {
	servers []*matrixServer
	rows    []*matrixRow
}

// matrixRow is a client with a server; a cell that did not run is empty.
type matrixRow struct {
	client, server string
	cells          map[string]string
}

func TestTheGatewayBetweenEveryClientAndEveryServer(t *testing.T) {
	kit.NeedNode(t)
	t.Parallel()
	program := kit.BuildParley(t)
	m := &matrix{servers: startServers(t)}
	g := startGateway(t, program, m.servers, gatewaySettings{})
	for i, kind := range matrixKinds {
		t.Run(kind.title, func(t *testing.T) {
			client := g.person(t, "p"+strconv.Itoa(i)).connect(t, kind)
			m.play(t, kind.title, nil, func(x *cell) string {
				x.client, x.modern = client, kind.modern
				return x.run()
			})
		})
	}
	m.playExecute(t, startGateway(t, program, m.servers, gatewaySettings{expose: "execute"}))
	for _, fallback := range silentFallbacks {
		m.playSilent(t, startGateway(t, program, m.servers, gatewaySettings{fallback: fallback}))
	}
	m.compare(t)
}

// play runs the cells of one client, and writes down what came of them. reason
// may say why there is no such cell.
func (m *matrix) play(t *testing.T, client string, reason func(name string, play scenario) string, run func(*cell) string) {
	for _, s := range m.servers {
		row := &matrixRow{client: client, server: s.title, cells: map[string]string{}}
		m.rows = append(m.rows, row)
		failures := 0
		for _, name := range matrixCases {
			token := newToken()
			play, why := s.scenario(name, token)
			if why == "" && reason != nil {
				why = reason(name, play)
			}
			if why != "" {
				row.cells[name] = why
				continue
			}
			t.Run(s.name+" "+name, func(t *testing.T) {
				row.cells[name] = "✗"
				if failures >= tooManyFailures {
					t.Fatal("not tried: too much failed before")
				}
				said := run(&cell{
					t: t, server: s, play: play, token: token, before: s.counts(t, token),
					prefix: s.name + "__", from: "[" + s.name + "] ",
				})
				if !t.Failed() {
					row.cells[name] = said
				}
			})
			if row.cells[name] == "✗" {
				failures++
			}
		}
	}
}

// compare holds the table against the one that is committed, or writes it.
func (m *matrix) compare(t *testing.T) {
	t.Helper()
	table, complete := m.table()
	if !complete {
		t.Log("not every cell ran: the table is neither compared nor written")
		return
	}
	if t.Failed() {
		t.Logf("cells failed: the table is neither compared nor written. Seen:\n%s", table)
		return
	}
	matrixPage.Lock()
	defer matrixPage.Unlock()
	page, err := os.ReadFile(matrixFile)
	if err != nil {
		t.Fatalf("%v: write it with %s=1", err, writeMatrixVariable)
	}
	committed, rest, _ := strings.Cut(string(page), "\n"+parityMark) // which another test writes
	if os.Getenv(writeMatrixVariable) == "1" {
		if err := os.WriteFile(matrixFile, []byte(table+"\n"+parityMark+rest), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(committed, "\n"), strings.Split(table, "\n")); diff != "" {
		t.Errorf("the gateway is not as %s says (-file +seen); write it anew with %s=1:\n%s", matrixFile, writeMatrixVariable, diff)
	}
}
