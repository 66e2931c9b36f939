package mcpcall

// A caller who is nobody in particular has a session of a server for one call.
// Where the server asks by its answer, the call is made again, and the server
// would not know it: so the session goes on with the call, which has a name once
// it is in a journal.

// Adoptable is a Conn that may be for one call alone, of nobody in particular.
type Adoptable interface {
	Alone() bool
	// Adopt gives it to who makes that call again.
	Adopt(who Person)
}

// retain keeps the request of a call that is made again, if its connection is for
// that call alone. All others are over.
func (c *Call) retain(f *Request, r Reply) {
	f.mu.Lock()
	conn, _ := f.conn.(Adoptable)
	f.mu.Unlock()
	if conn != nil && conn.Alone() && r.asks() {
		c.retained = f
		return
	}
	f.Close()
}

// adopt gives the connection that was retained to the call by its name.
func (c *Call) adopt() {
	f := c.retained
	if f == nil {
		return
	}
	c.retained = nil
	if c.Renamed != nil {
		if who := c.Renamed(); who.User != "" {
			c.Who = who
			f.mu.Lock()
			if conn, ok := f.conn.(Adoptable); ok {
				conn.Adopt(who)
			}
			f.mu.Unlock()
		}
	}
	f.Close()
}

// leave ends the session of a call of nobody in particular when that is over.
func (c *Call) leave() {
	if c.Who.User == "" || c.Who.IsPerson() || c.Who.Session != "" || c.calls.opts.Left == nil {
		return
	}
	c.calls.opts.Left(c.Who, c.Target.Server)
}
