package agent

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
)

// ChainName is the name of an agent of this installation in Caller.Chain. Others cannot
// tell from it whose it is; here it is the same in every process and after every start.
func (rt *Runtime) ChainName(agent string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "chain of agents\x00%s\x00%s\x00%s", rt.keyID, rt.opts.Site, agent))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// joined is a chain with an agent of ours at its end.
func (rt *Runtime) joined(chain []string, agent string) []string {
	return append(slices.Clone(chain), rt.ChainName(agent))
}
