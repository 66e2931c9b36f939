package demoprovider

// The stores that the library reads from and writes back to: what happens in
// between, by another request, can be told only there.
var (
	NewGrants = newGrants
	NewFlows  = newFlows
)
