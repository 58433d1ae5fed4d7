-- compatible: older versions neither read nor write the columns; triggers keep the counts right whoever writes. Tables of
-- objects take no changes while theirs are counted: seconds for a million rows.
ALTER TABLE "workspace" ADD COLUMN     "quotas" JSONB NOT NULL DEFAULT '{}';

ALTER TABLE "event_sequence" ADD COLUMN     "before_day" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "day" DATE,
ADD COLUMN     "document_bytes" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "objects" BIGINT NOT NULL DEFAULT 0;

CREATE FUNCTION count_objects() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_sequence s
  SET objects = s.objects + CASE TG_OP WHEN 'INSERT' THEN c.count ELSE -c.count END
  FROM (SELECT workspace_id, count(*) FROM changed GROUP BY workspace_id) c
  WHERE s.workspace_id = c.workspace_id;
  RETURN NULL;
END $$;

CREATE FUNCTION count_document_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_sequence
  SET document_bytes = document_bytes
    + CASE WHEN TG_OP = 'DELETE' THEN 0 ELSE octet_length(NEW.content) END
    - CASE WHEN TG_OP = 'INSERT' THEN 0 ELSE octet_length(OLD.content) END
  WHERE workspace_id = CASE WHEN TG_OP = 'DELETE' THEN OLD.workspace_id ELSE NEW.workspace_id END;
  RETURN NULL;
END $$;

-- The triggers come first: each waits for changes that are under way, so that none is missed by both.
CREATE TRIGGER project_added AFTER INSERT ON project REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_objects();
CREATE TRIGGER project_removed AFTER DELETE ON project REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_objects();
CREATE TRIGGER task_added AFTER INSERT ON task REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_objects();
CREATE TRIGGER task_removed AFTER DELETE ON task REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_objects();
CREATE TRIGGER crm_entity_added AFTER INSERT ON crm_entity REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_objects();
CREATE TRIGGER crm_entity_removed AFTER DELETE ON crm_entity REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_objects();
CREATE TRIGGER document_added AFTER INSERT ON document REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_objects();
CREATE TRIGGER document_removed AFTER DELETE ON document REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_objects();
CREATE TRIGGER comment_added AFTER INSERT ON comment REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_objects();
CREATE TRIGGER comment_removed AFTER DELETE ON comment REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_objects();
CREATE TRIGGER document_sized AFTER INSERT OR DELETE ON document FOR EACH ROW EXECUTE FUNCTION count_document_bytes();
CREATE TRIGGER document_resized AFTER UPDATE ON document FOR EACH ROW
  WHEN (octet_length(OLD.content) <> octet_length(NEW.content)) EXECUTE FUNCTION count_document_bytes();

UPDATE event_sequence s SET
  objects = (SELECT count(*) FROM project o WHERE o.workspace_id = s.workspace_id)
    + (SELECT count(*) FROM task o WHERE o.workspace_id = s.workspace_id)
    + (SELECT count(*) FROM crm_entity o WHERE o.workspace_id = s.workspace_id)
    + (SELECT count(*) FROM document o WHERE o.workspace_id = s.workspace_id)
    + (SELECT count(*) FROM comment o WHERE o.workspace_id = s.workspace_id),
  document_bytes = (SELECT coalesce(sum(octet_length(content)), 0) FROM document o WHERE o.workspace_id = s.workspace_id);
