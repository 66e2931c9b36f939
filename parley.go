// Package parley lets a program that acts for a person stop, ask that person,
// and go on: exactly where it stopped, exactly once.
//
// A question is data, not a goroutine. A [Request] is a row with an id, an
// owner and an expiry. [Store.Settle] is its only transition: a
// compare-and-swap that exactly one caller wins, be it an answer, a
// cancellation, an expiry or a newer question. Blocking is a convenience on
// top: [Hub.Wait] may leave and come back, in another process, after a crash.
//
// The nouns:
//
//   - Request: one question, a form or a URL, for one person, from one service.
//   - Outcome: accept, decline, cancel or expire; what was answered, by whom,
//     through which surface, when.
//   - Hub: opens requests, waits, takes answers, expires; runs the hooks.
//   - Store: remembers requests. Records remembers everything else.
//   - Principal: who acts, and how we know. Never taken from a request's body.
//
// A Hub and every Store of this module may be used by many goroutines and,
// where the backend allows it, by many processes at once. The hub keeps no
// state that a restart could lose.
package parley
