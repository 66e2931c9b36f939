package gateway_test

import (
	"fmt"
	"strings"
)

const matrixHead = `# The gateway between clients and servers

What works when a client calls the tools of a server through the gateway of ` + "`parley serve`" + `: real clients, real servers, and both
protocol eras on either side. There is a table for each client. Its rows are the servers, and its columns what the server's tool
does:

| column | the tool |
|---|---|
| plain | asks nothing |
| form | asks with a form; server-everything's has every kind of field |
| defaults | asks with a form that somebody who says yes to everything need not fill in |
| url | sends the person to a page |
| -32042 | fails with that error until the person has been at a page: the way of servers up to 2025-11-25 |
| -32042, no | the same, and the person does not want to go: the call fails with -32001, and the tool is not called again |
| two rounds | asks, and asks again |
| decline, cancel | asks with a form, and the answer is no, or none |
| time-out | asks, and does not wait for ever; server-everything waits for ten minutes, so there the client gives up |

The marks:

- **✓** The client has the server's result, word for word. It was asked each question once: with ` + "`[server]`" + ` in front of the server's
  words, the server's form with its fields in their order, and the server's own URL. The tool came to its end once, or not at all
  after a no. An answer that came too late changed nothing.
- **✓ as url** The client is asked to send the person to the page, and the gateway calls the server again. No client has to know
  -32042.
- **✓ denied** The client cannot ask, and the call fails: with -32021 in 2026-07-28, and before with a result that has the code
  ` + "`ELICITATION_NOT_SUPPORTED`" + `. The tool does not come to its end.
- **✓ by itself** The client cannot ask, and the gateway said yes for the person.
- Other words say why there is no such case.

To see for yourself, with Go and Node 20 or newer: ` + "`make install-npm`" + `, then ` + "`go test ./interop/gateway`" + `. The test fails where
this page is wrong. ` + "`PARLEY_WRITE_MATRIX=1`" + ` writes it anew.
`

// matrixParts begin with the table of a client.
var matrixParts = map[string]string{
	matrixKinds[0].title: `
## Clients that can ask

They declare elicitation, forms and URLs.
`,
	executeKinds[0].title + ", `expose: execute`": `
## Clients that call by execute_tool

With ` + "`expose: execute`" + ` the gateway lists ` + "`find_tools`" + ` and ` + "`execute_tool`" + ` instead of the servers' tools.
`,
	silentKinds[0].title + ", `fallback: " + silentFallbacks[0] + "`": `
## Clients that cannot ask

They declare no elicitation, and get what the gateway's ` + "`fallback`" + ` is: the call is denied (` + "`deny`" + `), the gateway says yes where no more is
needed (` + "`allow`" + `), the person answers on a page (` + "`page`" + `), or the model asks them (` + "`model`" + `).
`,
}

// table returns the page, and whether every cell ran.
func (m *matrix) table() (page string, complete bool) {
	var b strings.Builder
	b.WriteString(matrixHead)
	complete = len(m.rows) == len(m.servers)*(len(matrixKinds)+len(executeKinds)+len(silentFallbacks)*len(silentKinds))
	client := ""
	for _, row := range m.rows {
		if row.client != client {
			client = row.client
			b.WriteString(matrixParts[client])
			fmt.Fprintf(&b, "\n### %s\n\n| server | %s |\n", client, strings.Join(matrixCases, " | "))
			b.WriteString(strings.Repeat("|---", len(matrixCases)+1) + "|\n")
		}
		fmt.Fprintf(&b, "| %s |", row.server)
		for _, name := range matrixCases {
			complete = complete && row.cells[name] != ""
			fmt.Fprintf(&b, " %s |", row.cells[name])
		}
		b.WriteString("\n")
	}
	return b.String(), complete
}
