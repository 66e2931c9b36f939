// Package askapp is the user interface that shows a question inside an MCP host
// (the extension io.modelcontextprotocol/ui): one HTML file for all questions,
// without a secret in it, that loads nothing. What it shows it gets by calling the
// tools of package mcptool.
package askapp

import _ "embed"

// HTML is the document.
//
//go:embed ask.html
var HTML string
