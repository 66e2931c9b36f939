package outbound

import (
	"cmp"
	"net/http"
)

// Namer is who wrote a URL down. It decides which hosts may be reached with it.
type Namer int

const (
	// Stranger is anybody but the operator: a tenant and its administrators, a
	// server, whoever a document was got from. It is the zero value, so what
	// nobody thought of is not trusted.
	Stranger Namer = iota
	// Operator is who wrote the configuration.
	Operator
)

// Clients are the ways out of a program that reaches URLs of its operator and of
// others. Whoever sends a request says who wrote its URL and gets the client for
// that; there is no other way to one. Make it with NewClients or Choose.
type Clients struct {
	operator *http.Client
	stranger *http.Client
}

// NewClients returns clients that differ in one thing: the operator's reaches
// Options.Trusted. Close their idle connections when they are no longer used.
func NewClients(opts *Options) *Clients {
	o := Options{}
	if opts != nil {
		o = *opts
	}
	public := o
	public.Trusted = nil
	return &Clients{operator: Client(&o), stranger: Client(&public)}
}

// Choose returns clients of one's own making. Nil stands for the outbound client,
// to public addresses only.
func Choose(operator, stranger *http.Client) *Clients {
	public := Client(nil)
	return &Clients{operator: cmp.Or(operator, public), stranger: cmp.Or(stranger, public)}
}

// For returns the client for URLs that were written by whom.
func (c *Clients) For(whom Namer) *http.Client {
	if whom == Operator {
		return c.operator
	}
	return c.stranger
}

// CloseIdleConnections closes those of both.
func (c *Clients) CloseIdleConnections() {
	c.operator.CloseIdleConnections()
	c.stranger.CloseIdleConnections()
}
