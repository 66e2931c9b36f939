package storetest

import "time"

// SetPatience shortens what the suite waits for a store that is known to be
// broken.
func SetPatience(d time.Duration) { patience = d }
