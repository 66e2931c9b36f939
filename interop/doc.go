// Package interop holds tests across processes, and against clients and servers
// that we did not write. It has no code of its own.
package interop
