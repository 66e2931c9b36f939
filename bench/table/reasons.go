package table

import (
	"strings"

	"github.com/parley-hq/parley/bench/kit"
)

// reasons say why rows whose ids begin so are not met; the longest beginning counts.
// They are opinions of people who looked, not measurements.
var reasons = []struct{ rows, why string }{
	{"mcp.trip.", "Each message is read once more, strictly, before the SDK reads it, and calls are counted against limits, which the bare SDK has not. With a store every step is written before the next, and the store runs on the same two cores."},
	{"mcp.cpu.", "Each message is read once more, strictly, before the SDK reads it, and calls are counted against limits, which the bare SDK has not."},
	{"core.wake.", "The slowest of a hundred wake-ups waits for its turn on two cores that the store and both nodes share; the median is in the note."},
	{"streams.", "Before a collection; after one it is what the note says."},
	{"turns.", "A turn with an approval takes the server the processor time that its program says below, on two cores that clients, model and tools use too, and each of its steps is on the disk before the next."},
	{"mcp.waiting.", "The call waits deeper in its stack, which is therefore of 16 kB and not 8, and there are the question, its journal and the count of calls. See *Very many that wait* in performance.md."},
	{"signedin.", "A call of somebody signed in can go on in any process, so what it needs for that is written before each step: four commits by 2025-11-25, six by 2026-07-28, one after the other, of which two wait for the disk. In memory it is below the target."},
	{"gateway.form.", "A form through the gateway is two round trips with a person's answer in between, and each step is written down before the next: four writes, or six where the client comes back with the answer, of which one or two wait for the disk. A proxy that looks at nothing (`plain-proxy`) has a third of what is above the direct call. Between eras there are two exchanges more, since one side asks within the call and the other ends it and is called again. See *A form through the gateway* in performance.md."},
	{"gateway.20", "A proxy that looks at nothing (`plain-proxy`) takes nearly as long: the rest is one more hop through the loopback, on two cores that client and server use too. Between eras the gateway goes a part of the way by 2026-07-28, which takes the SDK longer; there is no direct call of that client to that server to compare with. See *What the gateway costs* in performance.md."},
	{"kill.", "Whether a process has ended is looked at twice, 0.4 seconds apart: a connection may break by itself, and is made again."},
	{"clone.demo", "Two cores compile for most of it: the standard library and SQLite take nearly half of the processor time, our own code a sixth. See *Size and cold builds* in performance.md."},
	{"clone.test", "Real servers, browsers and programs of others that are killed and restarted take their time: `make test` takes a quarter of an hour to twenty minutes on two cores, most of it processor time."},
}

// whyNot is why a row is not met, as far as anybody knows.
func whyNot(row kit.Row) string {
	why, most := "Nobody has looked yet.", -1
	for _, r := range reasons {
		if strings.HasPrefix(row.ID, r.rows) && len(r.rows) > most {
			why, most = r.why, len(r.rows)
		}
	}
	return why
}
