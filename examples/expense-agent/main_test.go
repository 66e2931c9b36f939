package main

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/parley-hq/parley"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestTheAgentAsksBeforeDuringAndAfterItsWork(t *testing.T) {
	const flight, taxi = "Flight to Oslo, $1,450", "Taxi to the airport, $48"
	for _, c := range []struct {
		name, expense, in string
		yes               bool
		want              []string // in this order
		not               string
	}{
		{
			name: "a small expense needs no approval", expense: taxi, in: "R\nR-7\ny\n",
			want: []string{"(expenses__categorise", "[expenses] Which receipt", "at least 3 characters", "$48.00, travel, receipt R-7.", "[expense-processor] File this? $48.00", "Filed."},
			not:  "[finance]",
		},
		{
			name: "a receipt that is there is not asked for", expense: taxi + ", receipt R-12", in: "n\n",
			want: []string{"receipt R-12.", "File this?", "Kept as a draft."}, not: "Which receipt",
		},
		{
			name: "a large one is approved first", expense: flight, yes: true,
			want: []string{"[finance] An expense of $1450.00 needs a manager's approval", "Approved by the manager.", "(expenses__categorise", "Which receipt", "$1450.00, travel, receipt R-1001.", "Filed."},
		},
		{
			name: "nothing is done without the approval", expense: flight, in: "n\ntoo much\n",
			want: []string{"[finance]", "Rejected: not approved. too much"}, not: "(expenses__",
		},
		{
			name: "nothing is done when it is declined", expense: flight, in: "",
			want: []string{"[finance]", "Rejected: the manager's answer was decline."}, not: "(expenses__",
		},
		{
			name: "a declined receipt is no receipt", expense: "Lunch, $20", in: "",
			want: []string{"Which receipt", "$20.00, meals, no receipt.", "Kept as a draft."},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := newApp()
			if err != nil {
				t.Fatal(err)
			}
			defer a.start(t.Context())()
			var out bytes.Buffer
			screen := &terminal{bufio.NewScanner(strings.NewReader(c.in)), &out, c.yes}
			if err := a.process(t.Context(), parley.Principal{User: "alice"}, c.expense, screen); err != nil {
				t.Fatalf("%v\n%s", err, out.String())
			}
			rest := out.String()
			for _, want := range c.want {
				_, after, ok := strings.Cut(rest, want)
				if !ok {
					t.Fatalf("no %q, in its place, in\n%s", want, out.String())
				}
				rest = after
			}
			if c.not != "" && strings.Contains(out.String(), c.not) {
				t.Errorf("%q is in\n%s", c.not, out.String())
			}
		})
	}
}
