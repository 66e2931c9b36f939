package collector

import (
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
	"time"
)

// Mark is something that happened to the processes meanwhile.
type Mark struct {
	At   time.Time
	Says string
}

// The picture's measures.
const (
	drawRow    = 30
	drawLabel  = 390
	drawWidth  = 1180
	drawTop    = 96
	drawBar    = 12
	drawMargin = 24
)

var drawColours = []string{"#2f6fb0", "#c2571a", "#3d8b4f", "#7a4fa3"}

// Draw draws the spans of a trace as a picture in SVG: a row each, below what it is a
// part of, in the colour of the process that did it. Dashes lead from what went on to what
// it went on with. Long times are drawn shorter than they were.
func Draw(title string, all []Span, marks ...Mark) []byte {
	rows := asTree(all)
	x := scale(rows, marks)
	nodes, names := map[string]string{}, []string{}
	for _, s := range rows {
		if name := doneBy(s); nodes[name] == "" {
			nodes[name] = drawColours[len(nodes)%len(drawColours)]
			names = append(names, name)
		}
	}
	height := drawTop + len(rows)*drawRow + drawMargin
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="%s">`, drawWidth, height, html.EscapeString(title))
	p(`<rect width="%d" height="%d" fill="#ffffff"/>`, drawWidth, height)
	p(`<text x="%d" y="28" font-size="17" font-weight="600" fill="#1b1b1f">%s</text>`, drawMargin, html.EscapeString(title))
	left := drawMargin
	for i, name := range names {
		says := fmt.Sprintf("node %c, %.8s", 'A'+i, name)
		p(`<rect x="%d" y="44" width="14" height="12" rx="2" fill="%s"/><text x="%d" y="55" fill="#44464f">%s</text>`, left, nodes[name], left+20, html.EscapeString(says))
		left += 190
	}
	p(`<path d="M%d 50h22" stroke="#1b1b1f" stroke-dasharray="3 3" fill="none"/><text x="%d" y="55" fill="#44464f">goes on with</text>`, left, left+28)
	p(`<text x="%d" y="55" fill="#44464f">Long times are drawn shorter than they were.</text>`, left+130)
	places := map[string]int{}
	for i, s := range rows {
		y := drawTop + i*drawRow
		places[s.ID] = y
		p(`<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`, drawMargin/2, y-4, drawWidth-drawMargin, drawRow-2, []string{"#f5f5f8", "#ffffff"}[i%2])
		indent := drawMargin + 14*depth(s, rows)
		p(`<text x="%d" y="%d" fill="#1b1b1f">%s <tspan fill="#5f616b">%s</tspan></text>`, indent, y+14, html.EscapeString(s.Name), html.EscapeString(what(s)))
		from, to := x(s.Start), x(s.End)
		fill := nodes[doneBy(s)]
		switch {
		case strings.HasPrefix(s.Name, "elicitation.") && s.Name != "elicitation.requested":
			p(`<rect x="%.1f" y="%d" width="%.1f" height="%d" rx="2" fill="%s" fill-opacity="0.25" stroke="%s"/>`, from, y+3, math.Max(3, to-from), drawBar, fill, fill)
		default:
			p(`<rect x="%.1f" y="%d" width="%.1f" height="%d" rx="2" fill="%s"/>`, from, y+3, math.Max(3, to-from), drawBar, fill)
		}
		p(`<text x="%.1f" y="%d" font-size="11" fill="#5f616b">%s</text>`, math.Min(to+6, drawWidth-70), y+14, lasted(s.End.Sub(s.Start)))
	}
	for _, s := range rows {
		for _, l := range s.Links {
			if y, ok := places[l]; ok {
				at := slices.IndexFunc(rows, func(o Span) bool { return o.ID == l })
				p(`<path d="M%.1f %dL%.1f %d" stroke="#1b1b1f" stroke-width="1.2" stroke-dasharray="3 3" fill="none"/>`, x(s.Start), places[s.ID]+9, x(rows[at].End), y+9)
			}
		}
	}
	for _, m := range marks {
		p(`<path d="M%.1f %dV%d" stroke="#b3261e" stroke-width="1.5"/><text x="%.1f" y="%d" text-anchor="middle" fill="#b3261e" font-weight="600">%s</text>`, x(m.At), drawTop-14, height-drawMargin+6, x(m.At), drawTop-20, html.EscapeString(m.Says))
	}
	p(`</svg>`)
	return []byte(b.String())
}

// doneBy is the process that did what a span is of.
func doneBy(s Span) string {
	if node, ok := s.Attributes["parley.node"].(string); ok {
		return node
	}
	return s.Node
}

// what is what a span is of, beside its name.
func what(s Span) string {
	var all []string
	for _, key := range []string{"gen_ai.agent.name", "toolId", "toolName", "trigger", "outcome"} {
		if v, ok := s.Attributes[key].(string); ok && v != "" && !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return strings.Join(all, " · ")
}

// asTree puts each span below what it is a part of, in the order in which they began.
func asTree(all []Span) (rows []Span) {
	known := map[string]bool{}
	for _, s := range all {
		known[s.ID] = true
	}
	var below func(parent string)
	below = func(parent string) {
		var here []Span
		for _, s := range all {
			if s.Parent == parent || parent == "" && !known[s.Parent] {
				here = append(here, s)
			}
		}
		slices.SortStableFunc(here, func(a, b Span) int {
			return cmp.Or(a.Start.Compare(b.Start), a.End.Compare(b.End), strings.Compare(b.Name, a.Name))
		})
		for _, s := range here {
			rows = append(rows, s)
			below(s.ID)
		}
	}
	below("")
	return rows
}

func depth(s Span, rows []Span) (n int) {
	for at := 0; at >= 0; n++ {
		at = slices.IndexFunc(rows, func(o Span) bool { return o.ID == s.Parent })
		if at >= 0 {
			s = rows[at]
		}
	}
	return n - 1
}

// scale places moments so that their order is kept and long times between two of them
// take little more room than short ones.
func scale(rows []Span, marks []Mark) func(time.Time) float64 {
	var moments []time.Time
	for _, s := range rows {
		moments = append(moments, s.Start, s.End)
	}
	for _, m := range marks {
		moments = append(moments, m.At)
	}
	slices.SortFunc(moments, time.Time.Compare)
	places, total := map[int64]float64{}, 0.0
	for i, m := range moments {
		if i > 0 {
			total += math.Log1p(float64(m.Sub(moments[i-1])) / float64(20*time.Millisecond))
		}
		places[m.UnixNano()] = total
	}
	return func(t time.Time) float64 {
		return drawLabel + drawMargin + places[t.UnixNano()]/math.Max(total, 1e-9)*(drawWidth-drawLabel-3*drawMargin-60)
	}
}

func lasted(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return ""
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}
