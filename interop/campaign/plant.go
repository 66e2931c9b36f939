package main

// clockVariable says by how much the clock of a process is ahead, where it was built
// with clockPatches.
const clockVariable = "PARLEY_CHAOS_CLOCK"

// clockPatches give a process a clock of its own: of package time, so that it is that
// of everything in the process. What is measured with the monotonic clock is as long
// as ever.
var clockPatches = []patch{
	{"GOROOT/time/time.go", "func Now() Time {\n", "func Now() Time { return shiftedNow() }\n\nfunc systemNow() Time {\n"},
	{"GOROOT/time/shifted.go", "", `package time

import "syscall"

var shift = func() Duration {
	text, _ := syscall.Getenv("` + clockVariable + `")
	d, _ := ParseDuration(text)
	return d
}()

func shiftedNow() Time {
	t := systemNow()
	if t.wall&hasMonotonic == 0 {
		return t.Add(shift)
	}
	mono := t.ext
	t = t.Add(shift)
	t.ext = mono
	return t
}
`},
}

// plants are bugs that chaos must find.
var plants = map[string][]patch{
	// A question that is settled is settled again.
	"settle": {
		{"pgstore/statements.go", "\nWHERE id = $1 AND settled_at IS NULL`", "\nWHERE id = $1`"},
		{"redisstore/scripts/settle.lua", "\treturn -1\n", "\treturn 1\n"},
	},
	// What allows a call is used up when the call was made.
	"consume": {
		{"mcpcall/call.go", "\t\tif err := c.Admit(ctx); err != nil {\n", "\t\tif err := c.Clear(ctx); err != nil {\n"},
		{"mcpcall/send.go", "\t\terr := c.Past.Begin(ctx, sentName)\n", "\t\tvar err error\n"},
		{"mcpcall/send.go", "\treturn c.patiently(ctx, c.Params)\n}\n", `	r, err := c.patiently(ctx, c.Params)
	if err == nil {
		if err = c.Past.Begin(ctx, sentName); err == nil {
			err = c.consume(ctx)
		}
	}
	return r, err
}
`},
	},
	// A run that another process has is taken.
	"lease": {
		{"agent/lease.go", "case h.Node != rt.node.ID() && time.Now().Before(h.Until) && !rt.orphaned(ref, record.Version):", "case h.Node == \"\":"},
	},
}
