package pgstore

import (
	"strings"

	"github.com/jackc/pgx/v5"
)

// statements are the texts that do not depend on a call's arguments, with the
// schema's name in them. List makes its own.
type statements struct {
	put, putLimited, exists string
	countPending            string
	get                     string
	settle, hint            string
	list, listBoth, listDue string
	listSoonest             string

	load, create, replace string
	remove, removeVersion string
	alive                 string
	scan, scanBelow       string

	sweepRequests, sweepRecords string

	walk, rewriteRecord, rewriteRequest string
}

const requestColumns = `id, tenant, recipient, service, mode, message, schema, url, trigger, session, labels,
	created, expires, action, content, settled_by, via, reason, settled_at, claim`

// insertRequest has its types spelled out: in a SELECT nothing else tells them.
const insertRequest = `
INSERT INTO {schema}.requests (id, tenant, recipient, service, mode, message, schema, url, trigger, session, labels, created, expires)
SELECT $1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::bytea, $8::text, $9::text, $10::text, $11::json, $12::bigint, $13::bigint`

const (
	ifNew = ` ON CONFLICT (id) DO NOTHING`

	// ifRoom looks for the pending request that would be one too many. It reads
	// no more of the index than the limit.
	ifRoom = `
WHERE NOT EXISTS (
	SELECT 1 FROM {schema}.requests WHERE tenant = $2 AND recipient = $3 AND action IS NULL
	ORDER BY id OFFSET $14::bigint LIMIT 1)`

	// settleRequest is the one transition. A rival waits for the row, sees that
	// it is settled and updates nothing. The condition says settled_at, not
	// action, so that no index of what is pending seems fit for it.
	settleRequest = `
UPDATE {schema}.requests
SET action = $2, content = $3, settled_by = $4, via = $5, reason = $6, settled_at = $7, claim = $8
WHERE id = $1 AND settled_at IS NULL`

	sendHints = `SELECT pg_notify($1, id) FROM unnest($2::text[]) AS told (id)`

	listAny = `SELECT ` + requestColumns + ` FROM {schema}.requests WHERE {conditions} ORDER BY id {direction} {limit}`

	listSoonest = `SELECT ` + requestColumns + ` FROM {schema}.requests WHERE {conditions} ORDER BY expires, id {limit}`

	// listBoth merges what is pending and what is settled, each from its index.
	listBoth = `
SELECT ` + requestColumns + ` FROM (
	(SELECT ` + requestColumns + ` FROM {schema}.requests WHERE {conditions} AND action IS NULL ORDER BY id {direction} {limit})
	UNION ALL
	(SELECT ` + requestColumns + ` FROM {schema}.requests WHERE {conditions} AND action IS NOT NULL ORDER BY id {direction} {limit})
) AS both_kinds ORDER BY id {direction} {limit}`

	// listDue finds what is due by its expiry and sorts it by an expression,
	// for which there is no index. Otherwise the planner may walk all requests
	// in the order of their ids, in the hope to meet some soon that are due.
	listDue = `
SELECT ` + requestColumns + ` FROM {schema}.requests WHERE id = ANY (ARRAY(
	SELECT id FROM {schema}.requests WHERE {conditions} ORDER BY id || '' {direction} {limit})) ORDER BY id {direction}`
)

const (
	live = `(expires IS NULL OR expires > $4)`

	// createRecord takes the place of a record that has expired, and only of such.
	createRecord = `
INSERT INTO {schema}.records AS old (tenant, kind, key, owner, data, expires, version)
VALUES ($1, $2, $3, $5, $6, $7, nextval('{schema}.record_versions'))
ON CONFLICT (tenant, kind, key) DO UPDATE
	SET owner = excluded.owner, data = excluded.data, expires = excluded.expires, version = excluded.version
	WHERE old.expires <= $4
RETURNING version`

	replaceRecord = `
UPDATE {schema}.records SET owner = $5, data = $6, expires = $7, version = nextval('{schema}.record_versions')
WHERE tenant = $1 AND kind = $2 AND key = $3 AND ` + live + ` AND version = $8
RETURNING version`

	scanRecords = `
SELECT tenant, kind, key, owner, data, version, expires FROM {schema}.records
WHERE tenant = $1 AND kind = $2 AND key >= $3 AND ` + live + ` AND key > $5`

	inOrder  = ` ORDER BY key LIMIT $6`
	upToNext = ` AND key < $7`
)

const (
	// Rows that another node is just sweeping are left to it.
	sweepRequests = `
DELETE FROM {schema}.requests WHERE id = ANY (ARRAY(
	SELECT id FROM {schema}.requests WHERE settled_at < $1 ORDER BY settled_at LIMIT $2 FOR UPDATE SKIP LOCKED))`

	// A row's place is good for as long as the statement holds its lock, and
	// leaves the planner no other way to find it.
	sweepRecords = `
DELETE FROM {schema}.records WHERE ctid = ANY (ARRAY(
	SELECT ctid FROM {schema}.records WHERE expires <= $1 ORDER BY expires LIMIT $2 FOR UPDATE SKIP LOCKED))`
)

func newStatements(schema string) statements {
	named := strings.NewReplacer("{schema}", pgx.Identifier{schema}.Sanitize()).Replace
	const at = ` FROM {schema}.records WHERE tenant = $1 AND kind = $2 AND key = $3 AND ` + live
	return statements{
		put:          named(insertRequest + ifNew),
		putLimited:   named(insertRequest + ifRoom + ifNew),
		countPending: named(`SELECT count(*) FROM {schema}.requests WHERE action IS NULL`),
		exists:       named(`SELECT EXISTS (SELECT 1 FROM {schema}.requests WHERE id = $1)`),
		get:          named(`SELECT ` + requestColumns + ` FROM {schema}.requests WHERE id = $1`),
		settle:       named(settleRequest),
		hint:         sendHints,
		list:         named(listAny),
		listBoth:     named(listBoth),
		listDue:      named(listDue),
		listSoonest:  named(listSoonest),

		load:          named(`SELECT tenant, kind, key, owner, data, version, expires` + at),
		create:        named(createRecord),
		replace:       named(replaceRecord),
		remove:        named(`DELETE` + at),
		removeVersion: named(`DELETE` + at + ` AND version = $5`),
		alive:         named(`SELECT EXISTS (SELECT 1` + at + `)`),
		scan:          named(scanRecords + inOrder),
		scanBelow:     named(scanRecords + upToNext + inOrder),

		sweepRequests: named(sweepRequests),
		sweepRecords:  named(sweepRecords),

		walk:           named(walkRecords),
		rewriteRecord:  named(rewriteRecord),
		rewriteRequest: named(rewriteRequest),
	}
}
