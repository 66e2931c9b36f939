package gateway

import (
	"errors"
	"slices"

	"github.com/parley-hq/parley/mcpclient"
)

// faults are what servers list and clients would not take. Who looks after the
// server is told of the first ones.
type faults struct {
	first []mcpclient.Fault
	count int
}

// maxFaults is how many are told of.
const maxFaults = 50

func (f *faults) add(all ...error) {
	for _, err := range all {
		var one mcpclient.Fault
		if f.count++; len(f.first) < maxFaults && errors.As(err, &one) {
			f.first = append(f.first, one)
		}
	}
}

func (f faults) same(other faults) bool {
	return f.count == other.count && slices.Equal(f.first, other.first)
}

// names are for a log.
func (f faults) names() []string {
	var all []string
	for _, one := range f.first {
		all = append(all, one.Error())
	}
	return all
}

func asErrors(all []mcpclient.Fault) []error {
	var errs []error
	for _, one := range all {
		errs = append(errs, one)
	}
	return errs
}
