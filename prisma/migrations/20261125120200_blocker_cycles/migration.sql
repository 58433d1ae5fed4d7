-- compatible: older versions are refused the same circles, in the same words as circles of parents.
-- Tasks that block each other in a circle can never begin. Whoever writes the link that would close one is refused, by
-- whichever way. Circles from before stay until somebody changes them, and keep nothing else back. A task may have at most
-- 10,000 before it, so that no write looks through more.
CREATE FUNCTION refuse_blocker_cycle() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before_max constant int := TG_ARGV[0];
  changed record;
  closes boolean;
  many boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('task_blocker' || workspace_id::text, 0))
    FROM (SELECT DISTINCT workspace_id FROM added ORDER BY workspace_id) w;
  FOR changed IN SELECT DISTINCT workspace_id, task_id FROM added LOOP
    WITH RECURSIVE up (id) AS (
      SELECT a.blocked_by_id FROM added a WHERE a.workspace_id = changed.workspace_id AND a.task_id = changed.task_id
      UNION
      SELECT b.blocked_by_id FROM up
      JOIN task_blocker b ON b.workspace_id = changed.workspace_id AND b.task_id = up.id
      WHERE up.id <> changed.task_id
    ), bounded AS MATERIALIZED (SELECT id FROM up LIMIT before_max + 1)
    SELECT bool_or(id = changed.task_id), count(*) > before_max INTO closes, many FROM bounded;
    IF closes THEN
      RAISE EXCEPTION '"task_blocker_blocked_by_ids_cycle"' USING ERRCODE = '23514';
    END IF;
    IF many THEN
      RAISE EXCEPTION '"task_blocker_blocked_by_ids_depth"' USING ERRCODE = '23514';
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER task_blocker_no_cycle AFTER INSERT ON task_blocker REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_blocker_cycle('10000');
