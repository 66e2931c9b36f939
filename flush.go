package parley

import "context"

type flushKey struct{}

// FlushLater lets a store report a write under ctx done before the disk has it. It
// survives the death of every process at once, and a power cut as soon as the store
// has done a later write without it, or a moment after; of writes that a power cut
// takes none that came later stays. It is for what nobody outside of the machine
// relies on before something else is written: a question whose asker waits for the
// answer. Only a store that its users' power cut ends too does so, which is SQLite;
// the others flush as always.
func FlushLater(ctx context.Context) context.Context {
	return context.WithValue(ctx, flushKey{}, true)
}

// FlushesLater reports whether ctx is of [FlushLater]. It is for stores.
func FlushesLater(ctx context.Context) bool {
	later, _ := ctx.Value(flushKey{}).(bool)
	return later
}
