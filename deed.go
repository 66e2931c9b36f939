package parley

import (
	"context"
	"time"
)

// Deed is something that somebody decided, or that was done because of it, for a
// record that can be checked later (package audit). It has names, times and digests:
// no secret, nothing that anybody wrote or was shown. What is empty does not apply.
type Deed struct {
	Tenant   string // empty: "default"
	At       time.Time
	What     string // "question", "call.sent", "call.ended", "call.refused", "sign_in", …
	Outcome  string // how it ended: "accept", "ok", "failed", "unknown", …
	Decision string // of an approval: what was chosen
	Reason   string // a code, never a sentence
	By       string // who decided or did it
	For      string // whose call it is, where that is somebody else
	Via      string // the surface, or how we know who it is

	Question ID
	Trigger  string // of the question
	Server   string
	Tool     string
	Agent    string
	Target   string // what was changed: the path of an operation, the name of a program
	Call     string // the very call, by its id: one deed of each What is kept of it
	Grant    string // the kept permission that allowed or refused it
	Digest   string // of the call with the arguments that were shown, or that were sent
	Was      string // of the call as it was before whoever allowed it changed it
	Changes  string // of the arguments that were changed: those that somebody allowed, or with which the call was sent

	Shown  string  // the digest of what was shown, where somebody signed it
	Signed *Signed // what the person's passkey says of it, if they were asked for that
}

// Recorder keeps deeds. It is called before what it tells of can be noticed by
// anybody else, and what it tells of is not done when it returns an error.
type Recorder func(ctx context.Context, d Deed) error

// Record calls r, if there is one.
func (r Recorder) Record(ctx context.Context, d Deed) error {
	if r == nil {
		return nil
	}
	return r(ctx, d)
}

// Beginner keeps deeds of which it is not known yet whether they will be done. What it
// tells of is not done when it returns an error; else whoever does it calls end.
type Beginner func(ctx context.Context, d Deed) (end DeedEnd, err error)

// DeedEnd says how something ended that was begun: with done, and the deed is kept, or
// without, and it never was. Where it is not called nobody knows, and that is what is kept.
// target takes the place of the deed's, if it is not empty.
type DeedEnd func(ctx context.Context, target string, done bool) error

// Begin calls b, if there is one.
func (b Beginner) Begin(ctx context.Context, d Deed) (end DeedEnd, err error) {
	if b == nil {
		return func(context.Context, string, bool) error { return nil }, nil
	}
	return b(ctx, d)
}
