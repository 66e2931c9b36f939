package history

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/parley-hq/parley/seal"
)

// Leases says what CheckLeases needs to know of the processes.
type Leases struct {
	Keys *seal.Keyring // that opens the records
	// Ahead is by how much the clock of a process is before that of the history.
	Ahead func(process string) time.Duration
	// Missed reports whether others could take a process for dead at some time: it was,
	// or it stood still, or the store could not be reached by it.
	Missed func(process string, at int64) bool
}

// holder is who has a run.
type holder struct {
	Node  string    `json:"node"`
	Until time.Time `json:"until"`
}

// CheckLeases looks for runs that a process took while another one had them: whose
// lease was not over by the taker's clock, and whom nobody could miss.
func CheckLeases(ops []Op, by Leases) (taken int, found []Violation) {
	for _, of := range byKey(ops) {
		if of[0].At.Kind != leaseKind {
			continue
		}
		holds := map[int64]holder{} // by version
		wrote := map[string]string{}
		for _, o := range of {
			if o.Do != "save" || o.End != Ok {
				continue
			}
			h, err := by.holder(o)
			if err != nil {
				found = append(found, Violation{fmt.Sprintf("%s: %v", o.Key(), err), of})
				break
			}
			holds[o.Got] = h
			if _, known := wrote[h.Node]; h.Node != "" && !known {
				wrote[h.Node] = o.Process // others only write that it is to stop
			}
		}
		for _, o := range of {
			before, known := holds[o.Version]
			now := holds[o.Got]
			if o.Do != "save" || o.End != Ok || !known || before.Node == "" || now.Node == "" || before.Node == now.Node {
				continue
			}
			taken++
			over := !time.Unix(0, o.Return).Add(by.Ahead(o.Process)).Before(before.Until)
			if !over && !by.Missed(wrote[before.Node], o.Return) {
				found = append(found, Violation{fmt.Sprintf("%s: %s took it at %s from %s, which had it and was there", o.Key(), o.Process, clock(o.Return), wrote[before.Node]), of})
				break
			}
		}
	}
	return taken, found
}

// holder opens what was written.
func (l Leases) holder(o Op) (h holder, err error) {
	plain := o.Data
	if l.Keys != nil {
		if plain, err = l.Keys.Open(o.Data, seal.RecordBinding(o.At, o.Owner)); err != nil {
			return h, err
		}
	}
	return h, json.Unmarshal(plain, &h)
}
