package pgstore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Rehearse finds out whether Open would succeed, and whether its store could be used, and
// changes nothing: where there are no tables they are made in a transaction that is taken
// back. Tables that are there may be in use: they are not locked, and the rights in them
// are looked at.
func Rehearse(ctx context.Context, url string, opts *Options) error {
	o, err := opts.normal()
	if err != nil {
		return err
	}
	config, err := parseURL(url, o)
	if err != nil {
		return err
	}
	steps, err := readSteps()
	if err != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return explained("connect", err)
	}
	defer conn.Close(context.WithoutCancel(ctx)) // and with its session goes the lock
	// Nodes that start meanwhile wait for a moment, as for each other.
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", lockKey(o.Schema)); err != nil {
		return explained("rehearse", err)
	}
	have, err := schemaVersion(ctx, conn, o.Schema)
	if err != nil {
		return explained("read the version of schema "+o.Schema, err)
	}
	var reads bool
	if err := conn.QueryRow(ctx, "SELECT current_setting('transaction_read_only')::boolean").Scan(&reads); err != nil {
		return explained("rehearse", err)
	}
	switch {
	case reads:
		return errors.New("pgstore: the database takes no writes: it is a standby, or default_transaction_read_only is on. Name the primary")
	case have > 0:
		return lacks(ctx, conn, o.Schema, have < len(steps))
	}
	tx, err := conn.Begin(ctx)
	if err != nil {
		return explained("rehearse", err)
	}
	defer tx.Rollback(context.WithoutCancel(ctx))
	if err := apply(ctx, tx, o.Schema, steps, 0); err != nil {
		return refused(o.Schema, config.ConnConfig.User, err)
	}
	return nil
}

// lacking are the rights that the role has not. Only an owner brings tables up to date.
const lacking = `WITH needed (name, must) AS (
	SELECT name, must FROM unnest(ARRAY['requests', 'records']) AS name, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS must
	UNION ALL VALUES ('record_versions', 'USAGE'), ('` + versionTable + `', 'SELECT')
	UNION ALL SELECT name, 'OWN' FROM unnest(ARRAY['requests', 'records', '` + versionTable + `']) AS name WHERE $2
), found AS (
	SELECT needed.*, c.oid, c.relowner FROM needed
	LEFT JOIN pg_class AS c ON c.relname = name AND c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1)
)
SELECT name, coalesce(string_agg(must, ', ' ORDER BY must) FILTER (WHERE oid IS NOT NULL), '') FROM found
WHERE CASE
	WHEN oid IS NULL THEN true
	WHEN must = 'OWN' THEN NOT pg_has_role(relowner, 'USAGE')
	WHEN name = 'record_versions' THEN NOT has_sequence_privilege(oid, must)
	ELSE NOT has_table_privilege(oid, must) END
GROUP BY name ORDER BY name`

// lacks says which tables are missing, or what the role may not do with them.
func lacks(ctx context.Context, conn *pgx.Conn, schema string, upgrade bool) error {
	rows, err := conn.Query(ctx, lacking, schema, upgrade)
	if err != nil {
		return explained("look at the rights in schema "+schema, err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
		var name, rights string
		err := row.Scan(&name, &rights)
		if rights == "" {
			return schema + "." + name + " is not there", err
		}
		return rights + " on " + schema + "." + name, err
	})
	if err != nil {
		return explained("look at the rights in schema "+schema, err)
	}
	if len(all) == 0 {
		return nil
	}
	return fmt.Errorf("pgstore: the role %s lacks in schema %s: %s", conn.Config().User, schema, strings.Join(all, "; "))
}
