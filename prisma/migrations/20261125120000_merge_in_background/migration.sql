-- compatible: older versions move whatever names a merged entity at once; what is left to do after that is nothing.
-- What names a merged entity comes to name its survivor in the background, where it is much. Until then a company below
-- a merged one counts as below the survivor, so that the tree cannot become one that the move would not be allowed to make.
ALTER TABLE "crm_entity" ADD COLUMN "references_moved_at" TIMESTAMPTZ(3);
UPDATE "crm_entity" SET "references_moved_at" = "deleted_at" WHERE "merged_into_id" IS NOT NULL;
CREATE INDEX "crm_entity_moving_idx" ON "crm_entity"("deleted_at")
  WHERE (merged_into_id IS NOT NULL AND references_moved_at IS NULL);

CREATE FUNCTION refuse_company_cycle() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  depth_max constant int := 20;
  above int;
  below int;
BEGIN
  IF NEW.parent_company_id IS NULL OR NEW.merged_into_id IS NOT NULL THEN RETURN NEW; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('crm_entity' || NEW.workspace_id::text, 0));
  WITH RECURSIVE up (id, depth) AS (
    SELECT NEW.parent_company_id, 1
    UNION ALL
    SELECT coalesce(t.merged_into_id, t.parent_company_id), depth + (t.merged_into_id IS NULL)::int
    FROM up JOIN crm_entity t ON t.workspace_id = NEW.workspace_id AND t.id = up.id
    WHERE coalesce(t.merged_into_id, t.parent_company_id) IS NOT NULL AND depth <= depth_max AND up.id <> NEW.id
  ) SELECT CASE WHEN bool_or(id = NEW.id) THEN -1 ELSE max(depth) END INTO above FROM up;
  IF above = -1 THEN
    RAISE EXCEPTION '"crm_entity_parent_company_id_cycle"' USING ERRCODE = '23514';
  END IF;
  WITH RECURSIVE down (id, depth) AS (
    SELECT NEW.id, 1
    UNION ALL
    SELECT t.id, depth + t.step FROM down CROSS JOIN LATERAL (
      SELECT id, 1 AS step FROM crm_entity
      WHERE workspace_id = NEW.workspace_id AND parent_company_id = down.id AND merged_into_id IS NULL
      UNION ALL
      SELECT id, 0 FROM crm_entity WHERE workspace_id = NEW.workspace_id AND merged_into_id = down.id
    ) t
    WHERE depth <= depth_max AND t.id <> NEW.id
  ) SELECT max(depth) INTO below FROM down;
  IF above + below > depth_max THEN
    RAISE EXCEPTION '"crm_entity_parent_company_id_depth"' USING ERRCODE = '23514';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER crm_entity_parent_company_id_tree BEFORE INSERT OR UPDATE OF parent_company_id ON crm_entity
  FOR EACH ROW EXECUTE FUNCTION refuse_company_cycle();
