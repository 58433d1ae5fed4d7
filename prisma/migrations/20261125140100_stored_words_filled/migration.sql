-- compatible: tables that versions without them leave alone.
-- The words of what was there before. It takes about half a minute for 200,000 tasks and 40,000 documents, and up to 15 ms
-- for a document of a megabyte, and needs as much disk as the indexes on search_words(…) have. No table is locked: calls
-- read and write meanwhile. Only who changes a title or text again that was filled already waits for the end, up to the
-- lock time-out of a change (5 s: 503, to be sent again). What a call has written meanwhile stays.
SET LOCAL synchronous_commit = off;
SET LOCAL gin_pending_list_limit = '64MB';
SET LOCAL maintenance_work_mem = '128MB';

INSERT INTO "project_search" SELECT "workspace_id", "id", search_words("name", "description") FROM "project" ON CONFLICT DO NOTHING;
INSERT INTO "task_search" SELECT "workspace_id", "id", search_words("title", "description") FROM "task" ON CONFLICT DO NOTHING;
INSERT INTO "crm_entity_search" SELECT "workspace_id", "id", search_words("name", "description") FROM "crm_entity" ON CONFLICT DO NOTHING;
INSERT INTO "document_search" SELECT "workspace_id", "id", search_words("title", "content") FROM "document" ON CONFLICT DO NOTHING;

-- Or the first searches would read all that the indexes have not sorted in.
SELECT gin_clean_pending_list('project_search_words_idx'), gin_clean_pending_list('task_search_words_idx'),
  gin_clean_pending_list('crm_entity_search_words_idx'), gin_clean_pending_list('document_search_words_idx');
