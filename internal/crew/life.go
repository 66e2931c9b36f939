package crew

import "context"

// Life is how long something lasts that outlives the requests it serves: a server, a
// connection, a call that waits for somebody. End ends it. What is done in it gets
// its context from there, as a parameter: no other struct keeps one.
type Life struct {
	ctx context.Context
	end context.CancelFunc
}

// Begin begins a life. It ends with within, if not before.
func Begin(within context.Context) Life {
	ctx, end := context.WithCancel(within)
	return Life{ctx, end}
}

// Context is for what is done in this life. It is done when the life is over.
func (l Life) Context() context.Context { return l.ctx }

// Done is closed when the life is over.
func (l Life) Done() <-chan struct{} { return l.ctx.Done() }

// Over reports whether the life is.
func (l Life) Over() bool { return l.ctx.Err() != nil }

// End ends the life, and those within it.
func (l Life) End() { l.end() }
