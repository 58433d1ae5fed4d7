-- compatible: older versions neither read nor write the table, and write rows as before.
-- An installation that is being filled by `npm run import`: it has a row while it is not whole.
CREATE TABLE "installation_import" (
    "id" INTEGER NOT NULL,
    "export_id" UUID NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "step" INTEGER NOT NULL,
    "rows" BIGINT NOT NULL,

    CONSTRAINT "installation_import_pkey" PRIMARY KEY ("id")
);

-- Rows of another installation were checked there when they were written, and circles from before these rules are to come
-- along. The setting holds for a transaction of the import alone.
CREATE OR REPLACE TRIGGER task_parent_task_id_tree BEFORE INSERT OR UPDATE OF parent_task_id ON task
  FOR EACH ROW WHEN (coalesce(current_setting('moving.import', true), '') = '')
  EXECUTE FUNCTION refuse_cycle('parent_task_id', '5');
CREATE OR REPLACE TRIGGER crm_entity_parent_company_id_tree BEFORE INSERT OR UPDATE OF parent_company_id ON crm_entity
  FOR EACH ROW WHEN (coalesce(current_setting('moving.import', true), '') = '')
  EXECUTE FUNCTION refuse_company_cycle();
CREATE OR REPLACE TRIGGER task_blocker_no_cycle AFTER INSERT ON task_blocker REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT WHEN (coalesce(current_setting('moving.import', true), '') = '')
  EXECUTE FUNCTION refuse_blocker_cycle('10000');
