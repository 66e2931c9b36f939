package load

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/parley-hq/parley/bench/kit"
)

// The plot's size, and where its two diagrams are.
const (
	width, height = 720, 420
	left, right   = 80, 20
)

// panel is one diagram: values over time.
type panel struct {
	title     string
	top, tall int
	unit      func(float64) string
	lines     []line
}

type line struct {
	name, colour string
	values       []float64
}

// plot draws times and memory over time, as SVG for light and dark pages.
func plot(rows []Window, o options) []byte {
	p50, p99 := line{name: "p50", colour: "#2a7de1"}, line{name: "p99", colour: "#d1495b"}
	memory := line{name: "memory of the nodes", colour: "#2e8b57"}
	for _, r := range rows {
		p50.values = append(p50.values, float64(r.Told.Median())/float64(time.Millisecond))
		p99.values = append(p99.values, float64(r.Told.Percentile(99))/float64(time.Millisecond))
		memory.values = append(memory.values, float64(r.Memory)/(1<<20))
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" fill="#777">`+"\n", width, height)
	fmt.Fprintf(&b, `<text x="%d" y="18" font-size="14">%s questions parked, %s streams open, %d answers a second, %s, %d nodes</text>`+"\n",
		left, kit.Count(o.parked), kit.Count(o.streams), o.rate, o.store, o.nodes)
	panel{"from the answer to the event of its stream", 40, 150, func(v float64) string { return fmt.Sprintf("%.0f ms", v) }, []line{p50, p99}}.draw(&b, rows)
	panel{"resident", 240, 140, func(v float64) string { return fmt.Sprintf("%.0f MiB", v) }, []line{memory}}.draw(&b, rows)
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func (p panel) draw(b *bytes.Buffer, rows []Window) {
	most, last := 1.0, rows[len(rows)-1].Until.Seconds()
	for _, l := range p.lines {
		for _, v := range l.values {
			most = max(most, v*1.1)
		}
	}
	y := func(v float64) float64 { return float64(p.top+p.tall) - v/most*float64(p.tall-20) }
	for _, share := range []float64{0, 0.5, 1} {
		fmt.Fprintf(b, `<line x1="%d" x2="%d" y1="%.0f" y2="%.0f" stroke="#999" stroke-opacity=".4"/><text x="%d" y="%.0f" text-anchor="end">%s</text>`+"\n",
			left, width-right, y(share*most), y(share*most), left-6, y(share*most)+4, p.unit(share*most))
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="end">%.0f s</text>`+"\n", width-right, p.top+p.tall+16, last)
	at := left
	for _, l := range p.lines {
		var points []string
		for i, v := range l.values {
			points = append(points, fmt.Sprintf("%.1f,%.1f", float64(left)+rows[i].Until.Seconds()/last*float64(width-left-right), y(v)))
		}
		fmt.Fprintf(b, `<polyline fill="none" stroke="%s" stroke-width="2" points="%s"/>`+"\n", l.colour, strings.Join(points, " "))
		fmt.Fprintf(b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", at, p.top+p.tall+16, l.colour, l.name)
		at += 40 + 7*len(l.name)
	}
	fmt.Fprintf(b, `<text x="%d" y="%d">%s</text>`+"\n", left, p.top+10, p.title)
}
