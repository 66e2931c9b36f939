package gateway

import (
	"cmp"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// requester is who makes a request that the SDK has read.
func requester(req mcp.Request) person {
	who, _ := principalOf(cmp.Or(req.GetExtra(), &mcp.RequestExtra{}))
	return person{Principal: who}
}
