package permit

import "context"

// Sweep is one look of Run's.
func (p *Permits) Sweep(ctx context.Context) { _ = p.sweep(ctx) }
