package kit

import "testing"

func TestARowIsTheMedianOfItsRunsAndIsJudgedByIt(t *testing.T) {
	run := func(figure, baseline float64) Row {
		return Row{Name: "a", Unit: "ms", Target: Target{Ratio: 1.3}, Figure: figure}.Against("direct", baseline)
	}
	got := Median([]Row{run(12, 10), run(2, 1), run(11, 10)})
	if got.Figure != 11 || got.Ratio != 1.2 || got.Lowest != 1.1 || got.Highest != 2 || got.Runs != 3 {
		t.Errorf("the median row is %+v", got)
	}
	if got.Verdict != Met {
		t.Errorf("a median ratio of 1.2 with an aim of 1.3 is %q", got.Verdict)
	}
	if got := Median([]Row{run(12, 10), run(14, 10), run(15, 10)}); got.Verdict != Missed {
		t.Errorf("a median ratio of 1.4 with an aim of 1.3 is %q", got.Verdict)
	}
}

func TestTargetsOfFigures(t *testing.T) {
	for _, c := range []struct {
		target  Target
		figures []float64
		want    Verdict
	}{
		{Target{}, []float64{7}, ""},
		{Target{AtMost: 80}, []float64{80}, Met},
		{Target{AtMost: 80}, []float64{80.5}, Missed},
		{Target{AtLeast: 150}, []float64{150}, Met},
		{Target{AtLeast: 150}, []float64{149}, Missed},
		{Target{Zero: true}, []float64{0, 0, 0}, Met},
		{Target{Zero: true}, []float64{0, 0, 1}, Missed}, // one lost is one lost
		{Target{Ratio: 2}, []float64{1}, Missed},         // there was no baseline
	} {
		var runs []Row
		for _, f := range c.figures {
			runs = append(runs, Row{Target: c.target, Figure: f})
		}
		if got := Median(runs).Verdict; got != c.want {
			t.Errorf("%+v with %v is %q; want %q", c.target, c.figures, got, c.want)
		}
	}
}

func TestWhatWasNotMeasuredIsNotMet(t *testing.T) {
	missing := Missing("a", "A", Target{Ratio: 1}, "it does not install")
	if got := Median([]Row{missing, missing}); got.Verdict != Unmeasured || got.Note == "" || got.Seen() != "" {
		t.Errorf("nothing was seen, and the row is %+v", got)
	}
}

func TestAmountsHaveTheDigitsThatSaySomething(t *testing.T) {
	for want, got := range map[string]string{
		"1.08×": Amount(1.0849, "×"), "3 ms": Amount(3, "ms"), "12.3 kB": Amount(12.34, "kB"), "1234/s": Amount(1234.4, "/s"), "0": Amount(0, ""),
	} {
		if got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}
