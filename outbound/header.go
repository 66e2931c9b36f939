package outbound

import "golang.org/x/net/http/httpguts"

// ValidHeaderName reports whether requests can have a header of this name.
func ValidHeaderName(name string) bool { return httpguts.ValidHeaderFieldName(name) }
