-- compatible: an index and a function by the same names, which return the same.
-- Two migrations were changed after databases had been migrated by them (prisma/migrate.ts): `events_of_an_object` and
-- `external_ids`. Here their databases become as all others are. Nothing is done where the index is right already.
SET LOCAL lock_timeout = '500ms';
DO $$
BEGIN
  IF EXISTS (
    SELECT FROM pg_index WHERE indexrelid = to_regclass('event_workspace_id_resource_id_sequence_idx') AND indpred IS NULL
  ) THEN
    DROP INDEX "event_workspace_id_resource_id_sequence_idx";
    CREATE INDEX "event_workspace_id_resource_id_sequence_idx" ON "event"("workspace_id", "resource_id", "sequence")
    WHERE "resource_id" IS NOT NULL;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION "keep_external_ids"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM external_id e USING jsonb_to_recordset(external_ids(OLD.external_source, OLD.external_id, OLD.other_external_ids)) AS o (source text, id text)
      WHERE e.workspace_id = OLD.workspace_id AND e.object = TG_TABLE_NAME AND e.source = o.source AND e.external_id = o.id AND e.object_id = OLD.id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    IF NEW.external_source IS NOT NULL THEN
      INSERT INTO external_id (workspace_id, object, source, external_id, object_id)
        VALUES (NEW.workspace_id, TG_TABLE_NAME, NEW.external_source, NEW.external_id, NEW.id);
    END IF;
    IF NEW.other_external_ids <> '[]' THEN
      INSERT INTO external_id (workspace_id, object, source, external_id, object_id)
        SELECT NEW.workspace_id, TG_TABLE_NAME, n.source, n.id, NEW.id
        FROM jsonb_to_recordset(NEW.other_external_ids) AS n (source text, id text);
    END IF;
  END IF;
  RETURN NULL;
END $$;
