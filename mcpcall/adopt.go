package mcpcall

// A caller who is nobody in particular has a session of a server for one call.
// Where the server asks by its answer, the call is made again, and the server
// would not know it: so the session goes on with the call, which has a name once
// it is in a journal.

// adoptable reports whether the connection is for one call alone.
func (c *Conn) adoptable() bool {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	return c.alone
}

// adopt gives the connection to who makes that call again.
func (c *Conn) adopt(who Person) {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	if c.alone {
		c.rename(c.all.opts.Key(who, c.Server))
	}
}

// retain keeps the request of a call that is made again, if its connection is for
// that call alone. All others are over.
func (c *Call) retain(f *Request, r Reply) {
	f.mu.Lock()
	conn := f.conn
	f.mu.Unlock()
	if conn != nil && conn.adoptable() && r.asks() {
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
			if f.conn != nil {
				f.conn.adopt(who)
			}
			f.mu.Unlock()
		}
	}
	f.Close()
}

// leave ends the session of a call of nobody in particular when that is over.
func (c *Call) leave() {
	if c.Who.User != "" && !c.Who.IsPerson() && c.Who.Session == "" {
		c.calls.Conns.end(c.Who, c.Target.Server)
	}
}

// rename gives the connection to another key, unless that has one. mu is held.
func (c *Conn) rename(key ConnKey) {
	a := c.all
	if c.gone || len(a.open[key]) > 0 {
		return
	}
	a.remove(c)
	c.key, c.alone = key, false
	a.open[key] = []*Conn{c}
}
