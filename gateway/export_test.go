package gateway

import "time"

// Backoff is how long a server is left alone after so many failures.
var Backoff = backoff

// SetPatience makes the shortcut wait no longer than d.
func (g *Gateway) SetPatience(d time.Duration) { g.patience = d }

// PublicReason is what people are told of an error.
var PublicReason = publicReason
