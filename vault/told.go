package vault

import "context"

// logged is what the log says of a connection: whose it is, never what it holds.
func (k Key) logged() []any {
	attrs := []any{"service", k.Server, "scope", k.Scope, "tenant", k.Tenant}
	switch k.Scope {
	case User:
		attrs = append(attrs, "user", k.Owner)
	case Mentor:
		attrs = append(attrs, "agent", k.Owner)
	}
	return attrs
}

// logConnected tells the operator of a connection that was made, and how.
func (v *Vault) logConnected(ctx context.Context, key Key, how ...any) {
	v.opts.Logger.InfoContext(ctx, "account connected", append(key.logged(), how...)...)
}

// logDisconnected tells the operator of one that ended, and whether its provider
// knows.
func (v *Vault) logDisconnected(ctx context.Context, key Key, told bool) {
	v.opts.Logger.InfoContext(ctx, "account disconnected", append(key.logged(), "revoked", told)...)
}
