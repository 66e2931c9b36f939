-- The one source of increasing numbers. A settlement and a saved record each
-- take the next one; the triggers below move it in the statement that took it.
CREATE TABLE counter (last INTEGER NOT NULL) STRICT;
INSERT INTO counter (last) VALUES (0);

-- Times are unix milliseconds. A request is pending while action is null; the
-- columns below it are null until then.
CREATE TABLE requests (
	id          TEXT PRIMARY KEY NOT NULL,
	tenant      TEXT NOT NULL,
	recipient   TEXT NOT NULL,
	sender      TEXT NOT NULL,
	mode        TEXT NOT NULL,
	message     TEXT NOT NULL,
	schema      BLOB,
	url         TEXT NOT NULL,
	trigger     TEXT NOT NULL,
	session     TEXT NOT NULL,
	labels      TEXT, -- a JSON object, null when empty
	created     INTEGER NOT NULL,
	expires     INTEGER NOT NULL,
	action      TEXT,
	content     BLOB,
	settled_by  TEXT,
	via         TEXT,
	reason      TEXT,
	settled_at  INTEGER,
	claim       TEXT,
	settled_seq INTEGER -- grows in the order of commits, so that "what was settled after n" has an answer
) STRICT;

-- Those of pending requests shrink as requests settle: what a person was asked
-- in the past never slows the question of today. Each ends in the id, so that
-- a list comes out in its order. A request without a session is in no index of
-- sessions.
CREATE INDEX requests_pending_person  ON requests (tenant, recipient, id) WHERE action IS NULL;
CREATE INDEX requests_pending_session ON requests (tenant, session, id)   WHERE action IS NULL AND session <> '';
CREATE INDEX requests_pending_expires ON requests (expires, id)           WHERE action IS NULL;

CREATE INDEX requests_tenant  ON requests (tenant, id);
CREATE INDEX requests_person  ON requests (tenant, recipient, id);
CREATE INDEX requests_session ON requests (tenant, session, id) WHERE session <> '';

CREATE INDEX requests_settled_at         ON requests (settled_at)  WHERE settled_at IS NOT NULL;
CREATE UNIQUE INDEX requests_settled_seq ON requests (settled_seq) WHERE settled_seq IS NOT NULL;

CREATE TRIGGER requests_settle AFTER UPDATE OF settled_seq ON requests BEGIN
	UPDATE counter SET last = NEW.settled_seq;
END;

CREATE TABLE records (
	tenant  TEXT NOT NULL,
	kind    TEXT NOT NULL,
	key     TEXT NOT NULL,
	owner   TEXT NOT NULL,
	data    BLOB,
	version INTEGER NOT NULL,
	expires INTEGER, -- null: never
	PRIMARY KEY (tenant, kind, key)
) STRICT;

CREATE INDEX records_expires ON records (expires) WHERE expires IS NOT NULL;

CREATE TRIGGER records_create AFTER INSERT ON records BEGIN
	UPDATE counter SET last = NEW.version;
END;

CREATE TRIGGER records_replace AFTER UPDATE OF version ON records BEGIN
	UPDATE counter SET last = NEW.version;
END;
