// Package mcptool lets an MCP tool ask the person it works for, whatever the
// client can do.
//
//	asker, err := mcptool.New(hub, nil)
//	mcptool.AddTool(asker, server, &mcp.Tool{Name: "delete-account"},
//		func(ctx context.Context, call *mcptool.Call, in Input) (Output, error) {
//			answer, err := mcptool.Elicit[Confirm](ctx, call, "Delete account "+in.UserID+"?", nil)
//			if err != nil {
//				return Output{}, err // not supported, timed out, or suspended: always return it
//			}
//			…
//		})
//
// A [Call] is one tool call in progress with its journal: the questions it has
// asked and the work it has done [Once]. Asked again with the answer in the
// journal, [Elicit] returns at once. So the same handler
//
//   - blocks while the client is asked in line (MCP up to 2025-11-25),
//   - or is suspended, and runs again from its start when the client comes back
//     with the answer (2026-07-28, and clients that cannot be asked),
//   - or is taken up by another node after its own died.
//
// What a handler does before a question may therefore happen several times.
// Work that must not repeat belongs into [Call.Once]. A handler that swallows the
// suspension is suspended all the same.
//
// A question belongs to the person of the verified token, or else to the
// session. A call that its client gave up on is not lost: the same call by the
// same person takes up its questions and answers for as long as they are valid.
package mcptool
