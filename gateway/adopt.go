package gateway

// A caller who is nobody in particular has a session of a server for one call.
// Where the server asks by its answer, the call is made again, and the server
// would not know it: so the session goes on with the call, which has a name once
// it is in a journal.

// retain keeps the flight of a call that is made again, if its line is for that
// call alone. All others are over.
func (c *crossing) retain(f *flight, r reply) {
	f.mu.Lock()
	alone := f.line != nil && f.line.isAlone()
	f.mu.Unlock()
	if alone && r.asks() {
		c.retained = f
		return
	}
	f.close()
}

// adopt gives the line that was retained to the call by its name.
func (c *crossing) adopt() {
	f := c.retained
	if f == nil {
		return
	}
	c.retained = nil
	who := c.gateway.callerOfCall(c.call)
	if who.User != "" {
		c.who = who
		f.mu.Lock()
		f.line.rename(keyOfLine(who, c.target.server))
		f.mu.Unlock()
	}
	f.close()
}

// leave ends the session of a call of nobody in particular when that is over.
func (c *crossing) leave() {
	if c.who.User == "" || c.who.IsPerson() || c.who.session != "" {
		return
	}
	c.gateway.lines.end(keyOfLine(c.who, c.target.server))
}

// whose is whose line it is now.
func (l *line) whose() lineKey {
	l.all.mu.Lock()
	defer l.all.mu.Unlock()
	return l.key
}

func (l *line) isAlone() bool {
	l.all.mu.Lock()
	defer l.all.mu.Unlock()
	return l.alone
}

// rename gives a line for one call to who makes that call again.
func (l *line) rename(key lineKey) {
	l.all.mu.Lock()
	defer l.all.mu.Unlock()
	if !l.alone || l.gone || l.all.open[key] != nil {
		return
	}
	delete(l.all.open, l.key)
	l.key, l.alone = key, false
	l.all.open[key] = l
}

// end closes a line as soon as nobody uses it.
func (a *lines) end(key lineKey) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if l := a.open[key]; l != nil && !l.alone {
		l.drop()
	}
}
