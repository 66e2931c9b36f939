// Package newcomer does what somebody does who has nothing but the documents:
// it takes every command, configuration and piece of code from README.md and
// docs/*.md and tries it.
//
// The line before a block says how it is tried:
//
//	<!-- try: shell -->                 commands, after "$ " where output follows; what they print is in the block
//	<!-- try: shell alice connects -->  the same, and a person follows the link that is printed
//	<!-- try: shell with the demo -->   the same, beside parley demo
//	<!-- try: shell with PostgreSQL -->  the same, and the page has an empty database at $DATABASE_URL
//	<!-- try: shell fails -->           the same, and the last one ends with an error
//	<!-- try: shell that stays -->      one command, which listens where tools do until the page ends
//	<!-- try: file NAME -->             a file, saved for the commands that follow
//	<!-- try: file NAME, as PATH -->    the same, and PATH of this module is no different
//	<!-- try: check -->                 a configuration: parley check takes it, and the page's next commands use it
//	<!-- try: check, after FILE -->     a part of one, behind testdata/FILE
//	<!-- try: go in FILE -->            Go, compiled at the mark BLOCK of testdata/FILE
//	<!-- try: go in FILE, prints -->    and run: the frame's last comment says what it prints
//	<!-- try: answer -->                JSON that the command before has printed
//	<!-- try: event TYPE -->            JSON of a chat stream
//	<!-- try: clients -->               the configuration of an MCP client: every server in it is reached
//	<!-- try: claude -->                commands of Claude Code that add such servers
//	<!-- try: page -->                  HTML or JavaScript, in a browser
//	<!-- try: page shows WORDS -->      and what is to be seen then
//	<!-- try: policy -->                a Content-Security-Policy under which the page before works
//	<!-- try: quoted from FILE -->      stands in FILE, line by line, which something else compiles and runs
//	<!-- try: no, REASON -->            nothing that could be tried
//
// A block without such a line fails, so that none is forgotten. Where pages say
// https://parley.example or one of the default ports, a server that was started
// for the test stands in; where they get this module, or a package of interop/npm,
// from the network, they get what is here.
package newcomer
