/**
 * The database's versions: the first statement leads to version 1, and so on. A statement that was released does not
 * change any more; what follows is a further one.
 */
export const MIGRATIONS: readonly string[] = [
  `
-- The processes that work on this database. Leases of keys are good as long as their owner's row is.
CREATE TABLE node (
  id text PRIMARY KEY,
  name text NOT NULL,
  url text,
  version text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  -- The last entry of the journal that it has read.
  read bigint NOT NULL DEFAULT 0
);

-- Who may append entries of a key. Written with the row of head 'journal' locked: no append is under way meanwhile.
CREATE TABLE lease (
  key text PRIMARY KEY,
  owner text REFERENCES node ON DELETE SET NULL,
  epoch bigint NOT NULL DEFAULT 0,
  -- What the owner shows of it, as JSON.
  state text,
  version bigint NOT NULL
);
CREATE INDEX ON lease (version);
INSERT INTO lease (key, version) VALUES ('site', 0);

-- The last number of each journal. Its row lock makes commits visible in the order of their numbers.
CREATE TABLE head (
  journal text PRIMARY KEY,
  last bigint NOT NULL DEFAULT 0,
  -- The oldest entry that is kept.
  first bigint NOT NULL DEFAULT 1,
  -- The day of the newest partition: never goes back.
  day date NOT NULL DEFAULT '-infinity'
);
INSERT INTO head (journal) VALUES ('journal'), ('audit');

-- The last batch that each process has committed, or may not commit any more, and the number of its first entry.
CREATE TABLE writer (
  journal text NOT NULL REFERENCES head,
  node text NOT NULL REFERENCES node ON DELETE CASCADE,
  batch bigint NOT NULL,
  first bigint,
  PRIMARY KEY (journal, node)
);

CREATE TABLE entry (
  journal text NOT NULL,
  day date NOT NULL,
  seq bigint NOT NULL,
  key text NOT NULL,
  type text NOT NULL,
  name text NOT NULL,
  topic text NOT NULL,
  -- Milliseconds since 1970.
  at bigint NOT NULL,
  data text NOT NULL
) PARTITION BY LIST (journal);
CREATE TABLE entry_journal PARTITION OF entry FOR VALUES IN ('journal') PARTITION BY RANGE (day);
CREATE TABLE entry_audit PARTITION OF entry FOR VALUES IN ('audit') PARTITION BY RANGE (day);
CREATE UNIQUE INDEX ON entry (seq, day, journal);
CREATE INDEX ON entry (key, seq);
CREATE INDEX ON entry (type, seq);
CREATE INDEX ON entry (topic, seq);

-- The days of a journal that have a partition, each with its first number.
CREATE TABLE portion (
  journal text NOT NULL REFERENCES head,
  day date NOT NULL,
  first bigint NOT NULL,
  PRIMARY KEY (journal, day)
);

-- Entries of partitions that were dropped, which a view still needs.
CREATE TABLE pinned (LIKE entry);
ALTER TABLE pinned ADD PRIMARY KEY (journal, seq);

-- Snapshots of views: lines of JSON.
CREATE TABLE snapshot (
  journal text NOT NULL REFERENCES head,
  view text NOT NULL,
  version integer NOT NULL,
  seq bigint NOT NULL,
  lines text[] NOT NULL,
  PRIMARY KEY (journal, view)
);

-- Gives each change of documents and leases its version. Its row lock makes them visible in the order of their versions.
CREATE TABLE change_head (version bigint NOT NULL);
INSERT INTO change_head VALUES (0);

-- Records of collections, as JSON; those that were removed have none. form: the version of the records.
CREATE TABLE collection (name text PRIMARY KEY, form integer NOT NULL);
CREATE TABLE document (
  collection text NOT NULL REFERENCES collection,
  id text NOT NULL,
  record text,
  version bigint NOT NULL,
  -- The process that made the change.
  changed_by text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The change that added it: the order of the records.
  added bigint NOT NULL,
  PRIMARY KEY (collection, id)
);
CREATE INDEX ON document (version);

CREATE TABLE secret (name text PRIMARY KEY, sealed boolean NOT NULL, content bytea NOT NULL);

CREATE FUNCTION next_version() RETURNS bigint LANGUAGE sql AS
  'UPDATE change_head SET version = version + 1 RETURNING version';

-- What became of a batch whose answer was lost: the number of its first entry, or nothing, and then it is given up.
CREATE FUNCTION look_up(the_journal text, the_node text, the_batch bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  known writer;
BEGIN
  PERFORM FROM head WHERE journal = the_journal FOR UPDATE;
  SELECT * INTO known FROM writer WHERE journal = the_journal AND node = the_node;
  IF known.batch >= the_batch THEN RETURN CASE WHEN known.batch = the_batch THEN known.first END; END IF;
  INSERT INTO writer VALUES (the_journal, the_node, the_batch, NULL)
  ON CONFLICT (journal, node) DO UPDATE SET batch = excluded.batch, first = NULL;
  RETURN NULL;
END $$;
`,
  `
-- Functions of versions 1 and 2 are made anew by version 3.
`,
  `
-- The only place where the database is asked for the time. Tests replace it.
CREATE FUNCTION secsctl_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT clock_timestamp()';
ALTER TABLE node ALTER started_at SET DEFAULT secsctl_now();
ALTER TABLE document ALTER changed_at SET DEFAULT secsctl_now();

-- The time by which history gets old, which does not follow a clock that jumps ahead until a day later; saved_at: by the
-- clock of the database.
CREATE TABLE trusted_time (believed timestamptz NOT NULL, saved_at timestamptz NOT NULL);

-- The days of which a journal has a partition. Those after the day of its newest entry were made ahead; those that are no
-- row of portion and before it are about to be dropped.
CREATE TABLE partition (journal text NOT NULL REFERENCES head, day date NOT NULL, PRIMARY KEY (journal, day));
INSERT INTO partition SELECT journal, day FROM portion;

-- Marks the batch that an entry was appended with, and the last one of the journal: where a process finds another mark
-- at the last entry that it has read, the journal has gone back in time.
ALTER TABLE entry ADD COLUMN mark bigint;
ALTER TABLE pinned ADD COLUMN mark bigint;
ALTER TABLE head ADD COLUMN mark bigint;

-- Makes the partition of a day. It is attached, since that waits for nobody who reads or appends.
CREATE FUNCTION add_partition(the_journal text, the_day date) RETURNS void LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
DECLARE
  name text := 'entry_' || the_journal || '_' || to_char(the_day, 'YYYYMMDD');
BEGIN
  INSERT INTO partition VALUES (the_journal, the_day) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE entry)', name);
  EXECUTE format(
    'ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
    'entry_' || the_journal, name, the_day, the_day + 1);
END $$;

CREATE OR REPLACE FUNCTION add_portion(the_journal text, the_day date, the_first bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_partition(the_journal, the_day);
  INSERT INTO portion VALUES (the_journal, the_day, the_first);
END $$;

-- Changes a record, or removes it where there is no new one. Gives the version of the change; or why it was refused.
-- known: the version of the record that the process has seen, 0 for none. owned: the record has an owner, who is the only
-- one to change it, and the one who adds it.
CREATE OR REPLACE FUNCTION change_document(
  the_collection text, the_id text, the_record text, known bigint, the_node text, owned boolean,
  OUT version bigint, OUT refused text
) LANGUAGE plpgsql AS $$
DECLARE
  before document;
  owner_now text;
BEGIN
  version := next_version();
  SELECT * INTO before FROM document WHERE collection = the_collection AND id = the_id;
  IF (CASE WHEN before.record IS NULL THEN 0 ELSE before.version END) <> known
    AND before.record IS DISTINCT FROM the_record THEN
    refused := 'changed';
    RETURN;
  END IF;
  IF owned THEN
    SELECT lease.owner INTO owner_now FROM lease WHERE key = the_id;
    IF FOUND AND (owner_now IS DISTINCT FROM the_node
      OR NOT EXISTS (SELECT FROM node WHERE id = the_node AND expires_at > secsctl_now())) THEN
      refused := 'owner';
      RETURN;
    ELSIF NOT FOUND AND the_record IS NOT NULL THEN
      INSERT INTO lease (key, owner, epoch, version) VALUES (the_id, the_node, 1, version);
    ELSIF the_record IS NULL THEN
      DELETE FROM lease WHERE key = the_id;
    END IF;
  END IF;
  INSERT INTO document (collection, id, record, version, changed_by, added)
  VALUES (the_collection, the_id, the_record, version, the_node, version)
  ON CONFLICT (collection, id) DO UPDATE SET record = excluded.record, version = excluded.version,
    changed_by = excluded.changed_by, changed_at = secsctl_now(),
    added = CASE WHEN document.record IS NULL THEN excluded.added ELSE document.added END;
END $$;

-- Leases that nobody has, or whose owner is gone, for this process; those in kept it has already.
CREATE OR REPLACE FUNCTION claim_leases(the_node text, kept text[], most integer)
RETURNS TABLE (key text, epoch bigint) LANGUAGE plpgsql AS $$
DECLARE
  the_version bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM node WHERE id = the_node AND expires_at > secsctl_now()) THEN RETURN; END IF;
  PERFORM FROM head WHERE journal = 'journal' FOR UPDATE;
  the_version := next_version();
  RETURN QUERY UPDATE lease SET owner = the_node, epoch = lease.epoch + 1, version = the_version
  WHERE lease.key IN (
    SELECT free.key FROM lease AS free LEFT JOIN node ON node.id = free.owner
    WHERE free.owner IS NULL OR node.expires_at <= secsctl_now()
      OR (free.owner = the_node AND NOT free.key = ANY (kept))
    ORDER BY free.owner IS DISTINCT FROM the_node, free.key LIMIT most)
  RETURNING lease.key, lease.epoch;
END $$;

-- Appends a batch, and gives the number of its first entry. A batch with an entry of a key
-- that another process owns appends nothing, and gives those keys. Batches of a process have rising numbers: one that is
-- not above the last is refused, so that an attempt whose answer was lost cannot be carried out after it was given up.
-- refers: the entries (from 1) with further members of data; members: their names; referred: the entry (from 1) whose
-- number is the value, or, negative, the number.
-- Entries go into the newest partition whose day has come.
DROP FUNCTION IF EXISTS append;
CREATE FUNCTION append(
  the_journal text, the_node text, the_batch bigint, owned text[], epochs bigint[],
  keys text[], types text[], names text[], topics text[], ats bigint[], datas text[],
  refers integer[], members text[], referred bigint[],
  OUT first bigint, OUT stale text[], OUT mark bigint, OUT mark_before bigint
) LANGUAGE plpgsql AS $$
DECLARE
  newest head;
  next_day date;
  today date := (secsctl_now() AT TIME ZONE 'UTC')::date;
BEGIN
  SELECT * INTO STRICT newest FROM head WHERE journal = the_journal FOR UPDATE;
  IF EXISTS (SELECT FROM writer WHERE journal = the_journal AND node = the_node AND batch >= the_batch) THEN
    RAISE EXCEPTION 'batch % was given up', the_batch USING ERRCODE = 'SE001';
  END IF;
  IF cardinality(owned) > 0 THEN
    IF EXISTS (SELECT FROM node WHERE id = the_node AND expires_at > secsctl_now()) THEN
      SELECT array_agg(o.key) INTO stale FROM unnest(owned, epochs) AS o (key, epoch) JOIN lease USING (key)
      WHERE lease.owner IS DISTINCT FROM the_node OR lease.epoch <> o.epoch;
    ELSE
      stale := owned;
    END IF;
    IF stale IS NOT NULL THEN RETURN; END IF;
  END IF;
  first := newest.last + 1;
  mark_before := newest.mark;
  mark := hashtextextended(the_node || ' ' || the_batch, 0);
  IF today > newest.day THEN
    SELECT coalesce(max(day) FILTER (WHERE day <= today), min(day)) INTO next_day
    FROM partition WHERE journal = the_journal AND day >= newest.day;
    IF next_day IS NULL THEN RAISE EXCEPTION 'the journal % has no partition', the_journal; END IF;
    IF next_day > newest.day THEN
      INSERT INTO portion VALUES (the_journal, next_day, first);
      newest.day := next_day;
    END IF;
  END IF;
  IF cardinality(refers) = 0 THEN
    INSERT INTO entry (journal, day, seq, key, type, name, topic, at, data, mark)
    SELECT the_journal, newest.day, newest.last + e.place, e.key, e.type, e.name, e.topic, e.at, e.data, append.mark
    FROM unnest(keys, types, names, topics, ats, datas) WITH ORDINALITY AS e (key, type, name, topic, at, data, place);
  ELSE
    INSERT INTO entry (journal, day, seq, key, type, name, topic, at, data, mark)
    SELECT the_journal, newest.day, newest.last + e.place, e.key, e.type, e.name, e.topic, e.at,
      CASE WHEN r.more IS NULL THEN e.data
      WHEN e.data = '{}' THEN '{' || substr(r.more, 2) || '}'
      ELSE left(e.data, -1) || r.more || '}' END, append.mark
    FROM unnest(keys, types, names, topics, ats, datas) WITH ORDINALITY AS e (key, type, name, topic, at, data, place)
    LEFT JOIN (
      SELECT n.entry AS place, string_agg(format(',"%s":"%s"', n.member, CASE WHEN n.number < 0 THEN -n.number ELSE newest.last + n.number END), '') AS more
      FROM unnest(refers, members, referred) AS n (entry, member, number) GROUP BY n.entry
    ) AS r USING (place);
  END IF;
  UPDATE head SET last = newest.last + cardinality(keys), day = newest.day, mark = append.mark WHERE journal = the_journal;
  INSERT INTO writer VALUES (the_journal, the_node, the_batch, first)
  ON CONFLICT (journal, node) DO UPDATE SET batch = excluded.batch, first = excluded.first;
END $$;

-- Appends a batch with decisions, unless one was overtaken: then it gives the number of the later entry of its key, type
-- and name, and nothing is appended.
DROP FUNCTION IF EXISTS append_unless;
CREATE FUNCTION append_unless(
  the_journal text, the_node text, the_batch bigint, owned text[], epochs bigint[],
  keys text[], types text[], names text[], topics text[], ats bigint[], datas text[],
  refers integer[], members text[], referred bigint[],
  decided_keys text[], decided_types text[], decided_names text[], lasts bigint[],
  OUT first bigint, OUT stale text[], OUT overtaken bigint, OUT mark bigint, OUT mark_before bigint
) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM head WHERE journal = the_journal FOR UPDATE;
  SELECT max(later.seq) INTO overtaken
  FROM unnest(decided_keys, decided_types, decided_names, lasts) AS d (key, type, name, last)
  JOIN entry AS later ON later.journal = the_journal AND later.key = d.key AND later.seq > d.last
    AND later.type = d.type AND later.name = d.name;
  IF overtaken IS NOT NULL THEN RETURN; END IF;
  SELECT a.first, a.stale, a.mark, a.mark_before INTO first, stale, mark, mark_before FROM append(
    the_journal, the_node, the_batch, owned, epochs, keys, types, names, topics, ats, datas, refers, members, referred
  ) AS a;
END $$;
`,
  `
-- The leases of a process last as long as its count of renewals rises. Others who see it stand still for lease_ms, by their
-- own clocks, end them: they set ended_at, and expires_at to a time that has passed by any clock.
ALTER TABLE node ADD COLUMN renewal bigint NOT NULL DEFAULT 0;
ALTER TABLE node ADD COLUMN lease_ms integer;
ALTER TABLE node ADD COLUMN ended_at timestamptz;
-- It gives what it has to others, and takes nothing.
ALTER TABLE node ADD COLUMN draining boolean NOT NULL DEFAULT false;
`,
  `
-- Names the history of the database: another one after a failover, a restore or a copy. A server that does not say so
-- (some services that only look like PostgreSQL) is known by the number of its table alone.
CREATE FUNCTION secsctl_history() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT system_identifier FROM pg_control_system()) || ' ' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    || ' ' || 'head'::regclass::oid;
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_function OR object_not_in_prerequisite_state THEN
  RETURN 'head'::regclass::oid;
END $$;
ALTER TABLE head ADD COLUMN history text;

-- Where the history is another one, entries may have been lost whose numbers somebody knows: as many numbers are left out as
-- can have been given since (NUMBERS_LEFT_OUT), so that none means two entries.
DO $do$
DECLARE
  was text := pg_get_functiondef('append'::regproc);
  now_is text := replace(replace(was, 'first := newest.last + 1;', $new$
  IF newest.history IS DISTINCT FROM secsctl_history() THEN
    IF newest.history IS NOT NULL THEN newest.last := newest.last + 100000000000; END IF;
    newest.history := secsctl_history();
  END IF;
  first := newest.last + 1;$new$), 'UPDATE head SET last =', 'UPDATE head SET history = newest.history, last =');
BEGIN
  EXECUTE now_is;
END $do$;
`,
  `
-- How often a process has begun to change a collection while others may not. Whoever is cut off loses its turn, and a
-- statement of it that the database has held up may still run: it is refused once another turn has begun.
CREATE TABLE turn (collection text PRIMARY KEY, number bigint NOT NULL);

-- Begins a turn, once all changes before it are over.
CREATE FUNCTION take_turn(the_collection text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  taken bigint;
BEGIN
  PERFORM FROM change_head FOR UPDATE;
  INSERT INTO turn VALUES (the_collection, 1)
  ON CONFLICT (collection) DO UPDATE SET number = turn.number + 1 RETURNING number INTO taken;
  RETURN taken;
END $$;

-- change_document, in a turn; without one where that is null.
CREATE FUNCTION change_in_turn(
  the_collection text, the_id text, the_record text, known bigint, the_node text, owned boolean, the_turn bigint,
  OUT refused text
) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM change_head FOR UPDATE;
  IF the_turn <> (SELECT number FROM turn WHERE collection = the_collection) THEN
    refused := 'changed';
    RETURN;
  END IF;
  SELECT change.refused INTO refused
  FROM change_document(the_collection, the_id, the_record, known, the_node, owned) AS change;
END $$;
`,
  `
-- The history as before, but each session reads only once what its server says of itself, which is in a file: a server that
-- takes writes stays what it is until it ends. A standby does not say it, so nothing is kept before it is a primary.
CREATE OR REPLACE FUNCTION secsctl_history() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  known text := current_setting('secsctl.history', true);
BEGIN
  IF coalesce(known, '') = '' THEN
    BEGIN
      known := (SELECT system_identifier FROM pg_control_system()) || ' ' || left(pg_walfile_name(pg_current_wal_lsn()), 8) || ' ';
      PERFORM set_config('secsctl.history', known, false);
    EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_function OR object_not_in_prerequisite_state THEN
      known := '';
    END;
  END IF;
  RETURN known || 'head'::regclass::oid;
END $$;
`,
]
