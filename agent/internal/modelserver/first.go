package modelserver

import (
	"bytes"
	"encoding/json"
	"strings"
)

// mostFirst is how much of an answer is shown, to see what it is.
const mostFirst = 80

// remember keeps how an answer begins: of a document as much as is read of one,
// and otherwise what is shown and as much as a key has, so that no part of one is.
func (x *Exchange) remember(piece []byte) {
	if len(x.first) == 0 {
		piece = bytes.TrimLeft(piece, "\ufeff \t\r\n")
	}
	most := mostFirst + len(x.server.key)
	if x.document() || len(x.first) == 0 && isDocument(piece) {
		most = mostRefusal
	}
	x.first = append(x.first, piece[:max(0, min(len(piece), most-len(x.first)))]...)
}

// document reports whether the answer is a page or a JSON text. No stream begins
// so.
func (x *Exchange) document() bool { return isDocument(x.first) }

func isDocument(began []byte) bool {
	return len(began) > 0 && (began[0] == '<' || began[0] == '{' || began[0] == '[')
}

// streams reports whether what came of an answer may be the beginning of a stream
// of events.
func (x *Exchange) streams() bool {
	if len(x.first) == 0 {
		return strings.HasPrefix(strings.ToLower(x.kind), "text/event-stream")
	}
	for _, field := range []string{":", "data:", "event:", "id:", "retry:"} {
		if n := min(len(field), len(x.first)); string(x.first[:n]) == field[:n] {
			return true
		}
	}
	return false
}

// shown is how the answer begins, for the log.
func (x *Exchange) shown() string {
	began := x.server.hide(string(x.first))
	return strings.ToValidUTF8(began[:min(len(began), mostFirst)], "")
}

// isWhole reports whether an event that ended with the stream is all there.
func isWhole(data []byte) bool { return json.Valid(data) || string(data) == "[DONE]" }
