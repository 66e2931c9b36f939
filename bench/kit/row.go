package kit

import (
	"fmt"
	"slices"
)

// Verdict is what became of a target.
type Verdict string

// The verdicts. A row without a target, such as a peer's, has none.
const (
	Met        Verdict = "met"
	Missed     Verdict = "not met"
	Unmeasured Verdict = "not measured"
)

// Target is what a row is to reach. The zero value asks for nothing.
type Target struct {
	Ratio   float64 `json:"ratio,omitempty"`    // at most so many times its baseline
	AtMost  float64 `json:"at_most,omitempty"`  // at most this figure
	AtLeast float64 `json:"at_least,omitempty"` // at least this figure
	Zero    bool    `json:"zero,omitempty"`     // no figure but 0
}

// Row is a line of the table: what was measured, what it is to reach and what was seen.
type Row struct {
	ID       string  `json:"id"`   // "mcp.trip.memory": what -only selects
	Name     string  `json:"name"` // the measure in words
	Target   Target  `json:"target,omitzero"`
	Figure   float64 `json:"figure"`
	Unit     string  `json:"unit,omitempty"`  // "ms", "kB", "/s", "×"
	Ratio    float64 `json:"ratio,omitempty"` // of the figure to the baseline's of the same run; 0: it has none
	Baseline string  `json:"baseline,omitempty"`
	Lowest   float64 `json:"lowest,omitempty"` // of the runs: ratios where there are any, else figures
	Highest  float64 `json:"highest,omitempty"`
	Runs     int     `json:"runs"`
	Verdict  Verdict `json:"verdict,omitempty"`
	Note     string  `json:"note,omitempty"`
}

// Missing is a row of which nothing was seen, and why.
func Missing(id, name string, target Target, why string) Row {
	return Row{ID: id, Name: name, Target: target, Verdict: Unmeasured, Note: why}
}

// Against gives a row its ratio to a baseline.
func (r Row) Against(name string, baseline float64) Row {
	r.Baseline = name
	if baseline > 0 {
		r.Ratio = r.Figure / baseline
	}
	return r
}

// compared is what the target is about.
func (r Row) compared() float64 {
	if r.Ratio > 0 {
		return r.Ratio
	}
	return r.Figure
}

// Median makes one row of the same row of several runs: the median of the figures, and
// of the ratios, each of which is to the baseline of its own run.
func Median(runs []Row) Row {
	seen := slices.DeleteFunc(slices.Clone(runs), func(r Row) bool { return r.Verdict == Unmeasured })
	if len(seen) == 0 {
		return runs[0]
	}
	figures, ratios, compared := make([]float64, len(seen)), make([]float64, len(seen)), make([]float64, len(seen))
	for i, r := range seen {
		figures[i], ratios[i], compared[i] = r.Figure, r.Ratio, r.compared()
	}
	row := seen[len(seen)-1]
	row.Figure, row.Ratio, row.Runs = middle(figures), middle(ratios), len(seen)
	row.Lowest, row.Highest = slices.Min(compared), slices.Max(compared)
	row.Verdict = row.judge()
	return row
}

func middle(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// judge says whether the target was met by what the row has seen. Rows that ask for none
// lost are judged by their worst run.
func (r Row) judge() Verdict {
	t := r.Target
	good := true
	switch {
	case t == Target{}:
		return ""
	case t.Zero:
		good = r.Highest == 0
	case t.Ratio > 0:
		good = r.Ratio > 0 && r.Ratio <= t.Ratio
	case t.AtMost > 0:
		good = r.Figure <= t.AtMost
	case t.AtLeast > 0:
		good = r.Figure >= t.AtLeast
	}
	if good {
		return Met
	}
	return Missed
}

// Aim is the target in words.
func (r Row) Aim() string {
	switch t := r.Target; {
	case t.Zero:
		return "none"
	case t.Ratio > 0:
		return fmt.Sprintf("≤ %s", Amount(t.Ratio, "×"))
	case t.AtMost > 0:
		return fmt.Sprintf("≤ %s", Amount(t.AtMost, r.Unit))
	case t.AtLeast > 0:
		return fmt.Sprintf("≥ %s", Amount(t.AtLeast, r.Unit))
	}
	return ""
}

// Seen is the figure in words.
func (r Row) Seen() string {
	if r.Verdict == Unmeasured {
		return ""
	}
	return Amount(r.Figure, r.Unit)
}

// Times is the ratio in words, with the lowest and the highest of the runs.
func (r Row) Times() string {
	if r.Ratio == 0 || r.Verdict == Unmeasured {
		return ""
	}
	text := Amount(r.Ratio, "×")
	if r.Runs > 1 {
		text += fmt.Sprintf(" (%.2f–%.2f)", r.Lowest, r.Highest)
	}
	return text
}

// Amount prints a figure with its unit, and as many digits as say something.
func Amount(v float64, unit string) string {
	digits := 2
	switch {
	case v == float64(int64(v)) || v >= 1000:
		digits = 0
	case v >= 10:
		digits = 1
	}
	switch text := fmt.Sprintf("%.*f", digits, v); unit {
	case "":
		return text
	case "×", "/s":
		return text + unit
	default:
		return text + " " + unit
	}
}

// Milliseconds is a time as rows have it.
func (d Duration) Milliseconds() float64 { return float64(d) / 1e6 }
