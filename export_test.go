package parley

const (
	FoundFor  = foundFor
	FoundMax  = foundMax
	NodeLease = nodeLease
	SeenTime  = seenTime
)

// Remembered is how many other nodes a node remembers.
func (n *Node) Remembered() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.cache)
}
