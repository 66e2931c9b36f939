package mcpclient

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/parley-hq/parley/strictjson"
)

// hints checks the annotations of a tool. If one of the hints cannot be read for sure,
// none says anything, and what is not said counts as the worse: of a tool that says in one
// way that it only reads, the other may say that it destroys.
func hints(raw json.RawMessage) (json.RawMessage, string) {
	o, reason := parts(raw, map[string]checker{"title": aTitle})
	if o == nil {
		return nil, reason
	}
	var unsure []string
	for _, member := range slices.Clone(o.names) {
		hint := hintNames[strictjson.Fold(member)]
		if hint == "" {
			continue
		}
		if hint != member {
			unsure = append(unsure, hint+": it is given in other letters")
		} else if value := o.get(member); isNull(value) {
			o.set(member, nil)
		} else if _, wrong := aTruth(value); wrong != "" {
			unsure = append(unsure, hint+": "+wrong)
		}
	}
	if len(unsure) == 0 {
		return o.json(), reason
	}
	for _, member := range slices.Clone(o.names) {
		if hintNames[strictjson.Fold(member)] != "" {
			o.set(member, nil)
		}
	}
	if reason != "" {
		unsure = append(unsure, reason)
	}
	return o.json(), strings.Join(unsure, "; ")
}

// hintNames are the hints of a tool, by their folded names.
var hintNames = map[string]string{
	"readonlyhint": "readOnlyHint", "destructivehint": "destructiveHint", "idempotenthint": "idempotentHint", "openworldhint": "openWorldHint",
}

// annotations checks those of a tool. Beside another member that some programs take for
// them they say nothing, and neither does that.
func (m *mender) annotations() {
	const member = "annotations"
	var others []string
	for _, name := range m.object.names {
		if name != member && strictjson.Fold(name) == member {
			others = append(others, name)
		}
	}
	if len(others) == 0 {
		m.part(member, hints)
		return
	}
	m.leaveOut(member, "they are given in other letters")
	for _, name := range append(others, member) {
		m.object.set(name, nil)
	}
}
