-- compatible: columns that may be empty or have a default; older versions import nothing and leave them as they are.
-- What an import says of the history of objects, and which events tell of imports.
ALTER TABLE crm_entity ADD COLUMN imported jsonb;
ALTER TABLE project ADD COLUMN imported jsonb, ADD COLUMN imported_task_number int NOT NULL DEFAULT 0;
ALTER TABLE task ADD COLUMN imported jsonb;
ALTER TABLE document ADD COLUMN imported jsonb;
ALTER TABLE comment ADD COLUMN imported jsonb;
ALTER TABLE event ADD COLUMN origin text;
ALTER TABLE webhook ADD COLUMN include_imports boolean NOT NULL DEFAULT true;

-- Whom an import names can be found, to be shown or forgotten. What was not imported is in none of these.
CREATE INDEX crm_entity_imported_idx ON crm_entity (workspace_id, (imported -> 'createdBy' ->> 'email'), id) WHERE imported IS NOT NULL;
CREATE INDEX project_imported_idx ON project (workspace_id, (imported -> 'createdBy' ->> 'email'), id) WHERE imported IS NOT NULL;
CREATE INDEX task_imported_idx ON task (workspace_id, (imported -> 'createdBy' ->> 'email'), id) WHERE imported IS NOT NULL;
CREATE INDEX document_imported_idx ON document (workspace_id, (imported -> 'createdBy' ->> 'email'), id) WHERE imported IS NOT NULL;
CREATE INDEX comment_imported_idx ON comment (workspace_id, (imported -> 'createdBy' ->> 'email'), id) WHERE imported IS NOT NULL;
