#!/usr/bin/env bash
# An operator's day, on one machine: install, configure, start two nodes, rotate the secret, back up, upgrade, lose a node, restore.
# docs/day.md explains it line by line; what it says there is what happens here.
#
#   RELEASES      where releases are, such as https://github.com/parley-hq/parley/releases/download
#   FIRST, NEXT   two of them: v1.2.3 v1.3.0
#   DATABASE_URL  an empty database, whose user may make another one
#   ONE, TWO      ports for the nodes
#   OIDC_ISSUER, OIDC_KEYS, OIDC_SECRET, MODEL_URL, MODEL_KEY, TRACKER_URL, TRACKER_KEY: who is there already (deploy/parley.env)
#
# It works in the directory where it is called, and ends what it started.
set -euo pipefail
: "${RELEASES:?}" "${FIRST:?}" "${NEXT:?}" "${DATABASE_URL:?}" "${TRACKER_KEY:?}" "${ONE:=8420}" "${TWO:=8421}"
export PATH="$PWD/bin:$PATH"
mkdir -p bin
step() { printf '\n== %s\n' "$*"; }
# A supervisor, such as systemd: docs/day.md says which of its commands these stand for.
start() { PARLEY_LISTEN=127.0.0.1:$1 PARLEY_ADVERTISE=http://127.0.0.1:$1 parley serve -c parley.yaml >>"$1.log" 2>&1 & echo $! >"$1.pid"; parley ready --server "http://127.0.0.1:$1" --wait 2m; }
stop() { kill -s "${2:-TERM}" "$(cat "$1.pid")"; wait "$(cat "$1.pid")" || true; rm "$1.pid"; }
load() { set -a; . ./parley.env; set +a; }
trap 'for f in *.pid; do [ ! -e "$f" ] || kill "$(cat "$f")" || true; done' EXIT

step install
# begin
archive=parley_${FIRST#v}_linux_amd64.tar.gz
curl --fail --silent --show-error --location --remote-name-all "$RELEASES/$FIRST/$archive" "$RELEASES/$FIRST/checksums.txt"
sha256sum --check --ignore-missing checksums.txt
tar -xzf "$archive"
install -m 755 parley bin/parley
parley version
# end

step configure
# begin
install -m 644 deploy/parley.env deploy/parley.yaml .
mkdir -m 700 secrets
secret() { install -m 600 /dev/null "secrets/$1" && printf %s "$2" >"secrets/$1"; }
secret DATABASE_URL "$DATABASE_URL"
secret PARLEY_SECRET "base64:$(openssl rand -base64 32)"
secret OIDC_SECRET "$OIDC_SECRET"
secret MODEL_KEY "$MODEL_KEY"
secret SMTP_PASSWORD from-your-mail-server
secret METRICS_TOKEN "$(openssl rand -hex 32)"
SETUP_KEY=$(openssl rand -hex 32)
RELEASE_KEY=$(openssl rand -hex 32)
digest() { printf %s "$1" | sha256sum | cut -d ' ' -f 1; }
cat >>parley.env <<END
PARLEY_SECRETS=$PWD/secrets
OIDC_ISSUER=$OIDC_ISSUER
OIDC_KEYS=$OIDC_KEYS
MODEL_URL=$MODEL_URL
TRACKER_URL=$TRACKER_URL
SETUP_KEY_SHA256=$(digest "$SETUP_KEY")
RELEASE_KEY_SHA256=$(digest "$RELEASE_KEY")
END
load
parley check -c parley.yaml
# end

step start two nodes
# begin
start "$ONE"
start "$TWO"
# end

step an account and a question, to see that nothing is lost
# begin
api() { curl --fail-with-body --silent --show-error -H "Authorization: Bearer $2" "http://127.0.0.1:$1/$3" "${@:4}"; }
api "$ONE" "$SETUP_KEY" api/connections/tracker -X PUT --json '{"value": "'"$TRACKER_KEY"'"}'
api "$TWO" "$RELEASE_KEY" api/elicitations --json '{"to": "alice", "message": "May 1.3 be released?", "ttl": "7d"}' >question.json
QUESTION=$(sed 's/.*"id":"\([^"]*\)".*/\1/' question.json)
meta='{"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientInfo": {"name": "day", "version": "1"}, "io.modelcontextprotocol/clientCapabilities": {}}'
all_there() {
	api "$1" "$RELEASE_KEY" "api/elicitations/$QUESTION" | grep --only-matching '"state":"pending"'
	api "$1" "$SETUP_KEY" mcp -H 'Accept: application/json, text/event-stream' -H 'Mcp-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: tracker__list_issues' \
		--json '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "tracker__list_issues", "arguments": {}, "_meta": '"$meta"'}}' | grep --only-matching 'two issues'
}
all_there "$ONE"
all_there "$TWO"
# end

step rotate the secret
# begin
secret PARLEY_SECRET_NEW "base64:$(openssl rand -base64 32)"
sed -i 's|^secrets: .*|secrets: ["file:${PARLEY_SECRETS}/PARLEY_SECRET", "file:${PARLEY_SECRETS}/PARLEY_SECRET_NEW"]|' parley.yaml   # first, everybody can open what the new one seals
for node in "$ONE" "$TWO"; do stop "$node"; start "$node"; done
sed -i 's|^secrets: .*|secrets: ["file:${PARLEY_SECRETS}/PARLEY_SECRET_NEW", "file:${PARLEY_SECRETS}/PARLEY_SECRET"]|' parley.yaml   # then it seals
for node in "$ONE" "$TWO"; do stop "$node"; start "$node"; done
parley secrets -c parley.yaml --reseal                   # what the old one sealed, the new one seals
all_there "$ONE"
# end

step back up
# begin
(umask 077 && pg_dump --format=custom --file=parley.dump "$DATABASE_URL")
pg_restore --list parley.dump | grep --count 'TABLE DATA parley'
# end

step upgrade
# begin
archive=parley_${NEXT#v}_linux_amd64.tar.gz
curl --fail --silent --show-error --location --remote-name-all "$RELEASES/$NEXT/$archive" "$RELEASES/$NEXT/checksums.txt"
sha256sum --check --ignore-missing checksums.txt
tar -xzf "$archive"
./parley check -c parley.yaml >/dev/null                # the new one reads the old configuration
install -m 755 parley bin/parley
for node in "$ONE" "$TWO"; do stop "$node"; start "$node"; all_there "$node"; done
parley version
# end

step lose a node
# begin
stop "$ONE" KILL
all_there "$TWO"
start "$ONE"
all_there "$ONE"
# end

step lose the database, and restore the backup
# begin
stop "$ONE"
stop "$TWO"
psql --quiet "$DATABASE_URL" --command 'DROP SCHEMA parley CASCADE'
createdb --maintenance-db="$DATABASE_URL" restored
RESTORED=$(sed 's|^\([^?]*\)/[^/?]*|\1/restored|' <<<"$DATABASE_URL")
pg_restore --no-owner --exit-on-error --dbname="$RESTORED" parley.dump
secret DATABASE_URL "$RESTORED"
start "$ONE"
start "$TWO"
all_there "$ONE"
all_there "$TWO"
# end

step the end: nothing was lost
