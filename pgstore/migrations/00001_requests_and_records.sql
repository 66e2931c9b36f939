-- Times are milliseconds since 1970. A request is pending while action is null.
-- What the program does not look into (schema, content, data) is bytea, so that
-- it comes back byte for byte.
CREATE TABLE requests (
    id         text COLLATE "C" PRIMARY KEY,
    tenant     text COLLATE "C" NOT NULL,
    recipient  text COLLATE "C" NOT NULL,
    service    text NOT NULL,
    mode       text NOT NULL,
    message    text NOT NULL,
    schema     bytea,
    url        text NOT NULL,
    trigger    text NOT NULL,
    session    text COLLATE "C" NOT NULL,
    labels     json,
    created    bigint NOT NULL,
    expires    bigint NOT NULL,
    action     text,
    content    bytea,
    settled_by text NOT NULL DEFAULT '',
    via        text NOT NULL DEFAULT '',
    reason     text NOT NULL DEFAULT '',
    settled_at bigint,
    claim      text NOT NULL DEFAULT '',
    CONSTRAINT requests_settled_whole CHECK ((action IS NULL) = (settled_at IS NULL))
) WITH (
    -- Every request is updated once, and its old entries stay in the indexes
    -- of what is pending until a vacuum. The default waits for a fifth of the
    -- table, which is long when a million requests wait.
    autovacuum_vacuum_scale_factor = 0.05,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_analyze_scale_factor = 0.05
);

-- Settling writes to three indexes: the primary key, requests_history and
-- requests_settled. No two of the others could serve the same statement: while
-- the tables are small the planner is indifferent, and what it then chose for a
-- prepared statement would stay when they grow.
CREATE INDEX requests_pending_recipient ON requests (tenant, recipient, id) WHERE action IS NULL;
CREATE INDEX requests_pending_session ON requests (tenant, session, id) WHERE action IS NULL;
-- The id makes it an index-only scan to find out what is due.
CREATE INDEX requests_pending_expires ON requests (expires, id) WHERE action IS NULL;
CREATE INDEX requests_history ON requests (tenant, recipient, id) WHERE action IS NOT NULL;
CREATE INDEX requests_settled ON requests (settled_at) WHERE settled_at IS NOT NULL;

-- One sequence for all records: a version never returns, not even when a record
-- is deleted and created anew.
CREATE SEQUENCE record_versions;

CREATE TABLE records (
    tenant  text COLLATE "C" NOT NULL,
    kind    text COLLATE "C" NOT NULL,
    key     text COLLATE "C" NOT NULL,
    owner   text NOT NULL,
    data    bytea,
    version bigint NOT NULL,
    expires bigint,
    PRIMARY KEY (tenant, kind, key)
) WITH (
    -- Records are replaced often. With room on the page an update that keeps
    -- the expiry leaves the indexes alone.
    fillfactor = 85,
    autovacuum_vacuum_scale_factor = 0.05,
    autovacuum_vacuum_threshold = 1000
);

CREATE INDEX records_expires ON records (expires) WHERE expires IS NOT NULL;
