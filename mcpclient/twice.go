package mcpclient

import (
	"fmt"

	"github.com/parley-hq/parley/strictjson"
)

// errTwice is for a result that means one thing to one reader and another to the next.
var errTwice = fmt.Errorf("%w: the result has a name twice", ErrProtocol)

// Names are the members of a result that were met, of those that somebody here reads.
type Names uint32

// Again notes a name, as JSON has it, and reports whether one was met before that some
// reader takes for the same.
func (n *Names) Again(quoted []byte) bool {
	one := nameIn(quoted)
	again := *n&one != 0
	*n |= one
	return again
}

// longest is the longest of the names.
const longest = len("structuredContent")

// nameIn is what a reader may take a name for. It costs no memory where that is written
// plainly.
func nameIn(quoted []byte) Names {
	inner := quoted[1 : len(quoted)-1]
	if len(inner) > longest*len(`\u0000`) {
		return 0
	}
	var folded [longest]byte
	for i, c := range inner {
		switch {
		case c >= 0x80 || c == '\\':
			return resultName(strictjson.Fold(text(quoted)))
		case i >= longest:
			continue
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		folded[i] = c
	}
	if len(inner) > longest {
		return 0
	}
	return resultName(string(folded[:len(inner)]))
}

// resultName is a member, folded, that is read at the top of some result.
func resultName(name string) Names {
	switch name {
	case "_meta":
		return 1 << 0
	case "resulttype":
		return 1 << 1
	case "inputrequests":
		return 1 << 2
	case "requeststate":
		return 1 << 3
	case "content":
		return 1 << 4
	case "structuredcontent":
		return 1 << 5
	case "iserror":
		return 1 << 6
	case "task":
		return 1 << 7
	case "taskid":
		return 1 << 8
	case "status":
		return 1 << 9
	case "statusmessage":
		return 1 << 10
	case "pollintervalms":
		return 1 << 11
	case "result":
		return 1 << 12
	case "error":
		return 1 << 13
	case "tools":
		return 1 << 14
	case "prompts":
		return 1 << 15
	case "resources":
		return 1 << 16
	case "resourcetemplates":
		return 1 << 17
	case "nextcursor":
		return 1 << 18
	case "ttlms":
		return 1 << 19
	case "cachescope":
		return 1 << 20
	case "messages":
		return 1 << 21
	case "description":
		return 1 << 22
	case "contents":
		return 1 << 23
	case "completion":
		return 1 << 24
	case "protocolversion":
		return 1 << 25
	case "supportedversions":
		return 1 << 26
	case "capabilities":
		return 1 << 27
	case "serverinfo":
		return 1 << 28
	case "instructions":
		return 1 << 29
	}
	return 0
}

// hasTwice reports whether a result that is JSON has a name twice.
func hasTwice(result []byte) (twice bool) {
	var names Names
	visit(result, func(name, _ []byte) bool {
		twice = names.Again(name)
		return !twice
	})
	return twice
}
