// Package interop holds tests across processes, and against clients and servers
// that we did not write, in folders: gateway, serve, chat, typescript, oidc, stores,
// apps, inspector and newcomer, with kit for what they share. It has no code of its
// own.
package interop
