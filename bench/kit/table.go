package kit

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Table is the headings of a table.
type Table []string

// Print aligns the rows under the headings.
func (t Table) Print(w io.Writer, rows [][]string) {
	tw := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	fmt.Fprintln(tw, strings.Join(t, "\t"))
	for _, row := range rows {
		fmt.Fprintln(tw, strings.Join(row, "\t"))
	}
	tw.Flush()
}

// Samples are the times of one operation.
type Samples []time.Duration

// Add notes another time.
func (s *Samples) Add(d time.Duration) { *s = append(*s, d) }

// Median is the middle time.
func (s Samples) Median() Duration { return s.Percentile(50) }

// Percentile is the time that so many of a hundred do not exceed; 0 without any.
func (s Samples) Percentile(p int) Duration {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	return Duration(sorted[min(len(sorted)-1, len(sorted)*p/100)])
}

// Duration prints in microseconds or milliseconds, whichever reads better.
type Duration time.Duration

func (d Duration) String() string {
	us := float64(d) / float64(time.Microsecond)
	if us < 1000 {
		return fmt.Sprintf("%.0f µs", us)
	}
	return fmt.Sprintf("%.2f ms", us/1000)
}

// Count prints 1000 as "1 k" and 1000000 as "1 M".
func Count(n int) string {
	switch {
	case n >= 1_000_000 && n%1_000_000 == 0:
		return fmt.Sprintf("%d M", n/1_000_000)
	case n >= 1000 && n%1000 == 0:
		return fmt.Sprintf("%d k", n/1000)
	}
	return fmt.Sprint(n)
}

// Seconds prints a time that is long.
func Seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

// Size prints bytes in the unit that reads best.
func Size(n int64) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 10<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}

// Fields are the parts of a flag's value with commas.
func Fields(s string) []string {
	return strings.FieldsFunc(s, func(c rune) bool { return c == ',' })
}
