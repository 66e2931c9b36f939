package config

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Retention is how long what people did is remembered.
type Retention struct {
	Runs  string `yaml:"runs"`  // turns of conversations, after their last change: 30d, 12h, forever; default 30d
	Audit string `yaml:"audit"` // decisions; default forever

	Questions string `yaml:"questions"` // with their answers, after they were settled; default 7d
}

const (
	forever      = "forever"
	minRetention = time.Hour
	day          = 24 * time.Hour
)

// RunsFor is how long runs are kept: zero for the default, negative for ever.
func (r Retention) RunsFor() (time.Duration, error) { return retained(r.Runs) }

// AuditFor is how long decisions are kept: zero for the default, which is for ever, as
// is what is negative.
func (r Retention) AuditFor() (time.Duration, error) { return retained(r.Audit) }

// QuestionsFor is how long questions are kept after they were settled: zero for the
// default.
func (r Retention) QuestionsFor() (time.Duration, error) {
	d, err := retained(r.Questions)
	switch {
	case err == nil && d < 0:
		return 0, fmt.Errorf("%q is not possible: say how long, such as 365d; decisions are kept by retention.audit", forever)
	case err == nil && d > 0 && d < day: // who waits must find the answer after a night without nodes
		return 0, fmt.Errorf("%.40q is less than 1d, in which whoever asked may not have seen the answer", r.Questions)
	}
	return d, err
}

func retained(said string) (time.Duration, error) {
	if said == "" {
		return 0, nil
	}
	if said == forever {
		return -1, nil
	}
	d, err := parseDays(said)
	if err != nil || d < minRetention {
		return 0, fmt.Errorf("%.40q is neither %s nor a time of an hour or more, such as 30d or 12h", said, forever)
	}
	return d, nil
}

// parseDays reads a time such as 30d or 12h.
func parseDays(s string) (time.Duration, error) {
	days, ok := strings.CutSuffix(s, "d")
	if !ok {
		return time.ParseDuration(s)
	}
	n, err := strconv.Atoi(days)
	if n < 0 || n > 36500 {
		err = strconv.ErrRange
	}
	return time.Duration(n) * day, err
}
