-- compatible: tables that versions without them leave alone; triggers keep them, whoever writes an object.
-- The words of each object are worked out when its title or text is written, and stored in a table of its own, so that no
-- search ever works out those of a row, whichever way the planner takes to it: of 150 documents of a megabyte that took
-- five seconds. A table of its own keeps the rows of lists as short as they are, and makes filling it an insert of short
-- rows: a column would have to rewrite every object and its entries in twenty indexes.
-- The locks are held for a moment. The indexes on search_words(…) stay for versions before this one.
SET LOCAL lock_timeout = '500ms';
LOCK TABLE "project", "task", "crm_entity", "document" IN SHARE ROW EXCLUSIVE MODE;

CREATE TABLE "project_search" ("workspace_id" UUID NOT NULL, "id" UUID NOT NULL, "words" tsvector NOT NULL, CONSTRAINT "project_search_pkey" PRIMARY KEY ("workspace_id", "id"));
CREATE TABLE "task_search" ("workspace_id" UUID NOT NULL, "id" UUID NOT NULL, "words" tsvector NOT NULL, CONSTRAINT "task_search_pkey" PRIMARY KEY ("workspace_id", "id"));
CREATE TABLE "crm_entity_search" ("workspace_id" UUID NOT NULL, "id" UUID NOT NULL, "words" tsvector NOT NULL, CONSTRAINT "crm_entity_search_pkey" PRIMARY KEY ("workspace_id", "id"));
CREATE TABLE "document_search" ("workspace_id" UUID NOT NULL, "id" UUID NOT NULL, "words" tsvector NOT NULL, CONSTRAINT "document_search_pkey" PRIMARY KEY ("workspace_id", "id"));
ALTER TABLE "project_search" ADD CONSTRAINT "project_search_workspace_id_id_fkey" FOREIGN KEY ("workspace_id", "id") REFERENCES "project"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "task_search" ADD CONSTRAINT "task_search_workspace_id_id_fkey" FOREIGN KEY ("workspace_id", "id") REFERENCES "task"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "crm_entity_search" ADD CONSTRAINT "crm_entity_search_workspace_id_id_fkey" FOREIGN KEY ("workspace_id", "id") REFERENCES "crm_entity"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "document_search" ADD CONSTRAINT "document_search_workspace_id_id_fkey" FOREIGN KEY ("workspace_id", "id") REFERENCES "document"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Its cost keeps the planner from reading rows one by one, to look at the words of each, where the index has them. A
-- function in SQL would be taken apart and its cost forgotten.
CREATE FUNCTION "stored_words"("words" tsvector) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
BEGIN
  RETURN words;
END $$;

-- No statistics: plans do not depend on them, and words are long.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['project', 'task', 'crm_entity', 'document'] LOOP
    EXECUTE format('CREATE INDEX %I ON %I USING gin (workspace_id, stored_words(words))', name || '_search_words_idx', name || '_search');
    EXECUTE format('ALTER INDEX %I ALTER COLUMN 2 SET STATISTICS 0', name || '_search_words_idx');
    EXECUTE format('ALTER TABLE %I ALTER COLUMN words SET STATISTICS 0', name || '_search');
    EXECUTE format('ALTER INDEX %I ALTER COLUMN 2 SET STATISTICS 0', name || '_words_idx');
  END LOOP;
END $$;

-- One function for each name of the columns: a statement that is put together from names would be planned for each row.
CREATE FUNCTION "keep_project_words"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO project_search AS s VALUES (NEW.workspace_id, NEW.id, search_words(NEW.name, NEW.description))
    ON CONFLICT (workspace_id, id) DO UPDATE SET words = EXCLUDED.words;
  RETURN NULL;
END $$;
CREATE FUNCTION "keep_task_words"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO task_search AS s VALUES (NEW.workspace_id, NEW.id, search_words(NEW.title, NEW.description))
    ON CONFLICT (workspace_id, id) DO UPDATE SET words = EXCLUDED.words;
  RETURN NULL;
END $$;
CREATE FUNCTION "keep_crm_entity_words"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO crm_entity_search AS s VALUES (NEW.workspace_id, NEW.id, search_words(NEW.name, NEW.description))
    ON CONFLICT (workspace_id, id) DO UPDATE SET words = EXCLUDED.words;
  RETURN NULL;
END $$;
CREATE FUNCTION "keep_document_words"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO document_search AS s VALUES (NEW.workspace_id, NEW.id, search_words(NEW.title, NEW.content))
    ON CONFLICT (workspace_id, id) DO UPDATE SET words = EXCLUDED.words;
  RETURN NULL;
END $$;

CREATE TRIGGER "project_words_made" AFTER INSERT ON "project" FOR EACH ROW EXECUTE FUNCTION "keep_project_words"();
CREATE TRIGGER "project_words_changed" AFTER UPDATE OF "name", "description" ON "project" FOR EACH ROW
  WHEN (NEW."name" IS DISTINCT FROM OLD."name" OR NEW."description" IS DISTINCT FROM OLD."description") EXECUTE FUNCTION "keep_project_words"();
CREATE TRIGGER "task_words_made" AFTER INSERT ON "task" FOR EACH ROW EXECUTE FUNCTION "keep_task_words"();
CREATE TRIGGER "task_words_changed" AFTER UPDATE OF "title", "description" ON "task" FOR EACH ROW
  WHEN (NEW."title" IS DISTINCT FROM OLD."title" OR NEW."description" IS DISTINCT FROM OLD."description") EXECUTE FUNCTION "keep_task_words"();
CREATE TRIGGER "crm_entity_words_made" AFTER INSERT ON "crm_entity" FOR EACH ROW EXECUTE FUNCTION "keep_crm_entity_words"();
CREATE TRIGGER "crm_entity_words_changed" AFTER UPDATE OF "name", "description" ON "crm_entity" FOR EACH ROW
  WHEN (NEW."name" IS DISTINCT FROM OLD."name" OR NEW."description" IS DISTINCT FROM OLD."description") EXECUTE FUNCTION "keep_crm_entity_words"();
CREATE TRIGGER "document_words_made" AFTER INSERT ON "document" FOR EACH ROW EXECUTE FUNCTION "keep_document_words"();
CREATE TRIGGER "document_words_changed" AFTER UPDATE OF "title", "content" ON "document" FOR EACH ROW
  WHEN (NEW."title" IS DISTINCT FROM OLD."title" OR NEW."content" IS DISTINCT FROM OLD."content") EXECUTE FUNCTION "keep_document_words"();
