-- compatible: older versions sort as the database's locale says, and read the whole of a workspace for it.
-- The order of names is that of Unicode's root locale (ICU), whatever the locale of the database. It is a collation of
-- the product's own, so that its owner can renew it where the server's ICU has become another version: the migration
-- runner does that, and rebuilds the indexes that depend on it (prisma/name-order.ts).
CREATE COLLATION name_order (provider = icu, locale = 'und');

-- No row is changed. The indexes by name are built anew in this order, under other names first: calls read with the old
-- ones and wait only while the names are exchanged at the end. Changes of these tables wait for all of it, less than a
-- second for 100,000 objects.
CREATE INDEX project_name_new ON project (workspace_id, name COLLATE name_order, id);
CREATE INDEX task_title_new ON task (workspace_id, title COLLATE name_order, id);
CREATE INDEX crm_entity_name_new ON crm_entity (workspace_id, name COLLATE name_order, id);
CREATE INDEX document_title_new ON document (workspace_id, title COLLATE name_order, id);
DROP INDEX project_workspace_id_name_id_idx, task_workspace_id_title_id_idx, crm_entity_workspace_id_name_id_idx,
  document_workspace_id_title_id_idx;
ALTER INDEX project_name_new RENAME TO project_workspace_id_name_id_idx;
ALTER INDEX task_title_new RENAME TO task_workspace_id_title_id_idx;
ALTER INDEX crm_entity_name_new RENAME TO crm_entity_workspace_id_name_id_idx;
ALTER INDEX document_title_new RENAME TO document_workspace_id_title_id_idx;

-- Small tables have their order in the column: no statement need name it. They are not rewritten.
ALTER TABLE member ALTER COLUMN name TYPE text COLLATE name_order;
ALTER TABLE workspace ALTER COLUMN name TYPE text COLLATE name_order;
ALTER TABLE custom_field ALTER COLUMN key TYPE text COLLATE "C", ALTER COLUMN target TYPE text COLLATE "C";
