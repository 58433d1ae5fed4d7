-- compatible: the words that versions without it look up are among these.
-- The words of what was there before, where they are others now: about half a minute for 200,000 tasks. No table is
-- locked: calls read and write meanwhile. Only who changes the title or text of an object that was filled already waits
-- for the end, up to the lock time-out of a change (5 s: 503, to be sent again). What a call has written meanwhile stays.
SET LOCAL synchronous_commit = off;
SET LOCAL gin_pending_list_limit = '64MB';
SET LOCAL maintenance_work_mem = '128MB';

UPDATE "project_search" s SET "words" = search_words(t."name", t."description")
  FROM "project" t WHERE t."workspace_id" = s."workspace_id" AND t."id" = s."id";
UPDATE "task_search" s SET "words" = search_words(t."title", t."description")
  FROM "task" t WHERE t."workspace_id" = s."workspace_id" AND t."id" = s."id";
UPDATE "crm_entity_search" s SET "words" = search_words(t."name", t."description")
  FROM "crm_entity" t WHERE t."workspace_id" = s."workspace_id" AND t."id" = s."id";
UPDATE "document_search" s SET "words" = search_words(t."title", t."content")
  FROM "document" t WHERE t."workspace_id" = s."workspace_id" AND t."id" = s."id";

-- Or the first searches would read all that the indexes have not sorted in.
SELECT gin_clean_pending_list('project_search_words_idx'), gin_clean_pending_list('task_search_words_idx'),
  gin_clean_pending_list('crm_entity_search_words_idx'), gin_clean_pending_list('document_search_words_idx');
