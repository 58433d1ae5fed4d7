-- Search: words by full text, parts of words and misspelt names by trigrams. Both indexes begin with the workspace.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- A document's whole text would not fit: what stands beyond is not found by its words. Its cost is what keeps the
-- planner from working the words out anew, row by row, where an index has them; a function in SQL would be taken apart
-- and its cost forgotten.
CREATE FUNCTION search_words(title text, body text) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 100000 AS $$
BEGIN
  RETURN to_tsvector('pg_catalog.simple'::regconfig, title || ' ' || coalesce("left"(body, 100000), ''));
END $$;

CREATE INDEX project_words_idx ON project USING gin (workspace_id, search_words(name, description));
CREATE INDEX project_trigrams_idx ON project USING gin (workspace_id, lower(name) gin_trgm_ops);
CREATE INDEX task_words_idx ON task USING gin (workspace_id, search_words(title, description));
CREATE INDEX task_trigrams_idx ON task USING gin (workspace_id, lower(title) gin_trgm_ops);
CREATE INDEX crm_entity_words_idx ON crm_entity USING gin (workspace_id, search_words(name, description));
CREATE INDEX crm_entity_trigrams_idx ON crm_entity USING gin (workspace_id, lower(name) gin_trgm_ops);
CREATE INDEX document_words_idx ON document USING gin (workspace_id, search_words(title, content));
CREATE INDEX document_trigrams_idx ON document USING gin (workspace_id, lower(title) gin_trgm_ops);

-- In the order of due dates, those without one at the end.
CREATE INDEX project_due_idx ON project (workspace_id, (coalesce(due_date, 'infinity')), id);
CREATE INDEX task_due_idx ON task (workspace_id, (coalesce(due_date, 'infinity')), id);

-- Companies and contacts are also found by the beginning of a domain or an email.
CREATE INDEX crm_domain_beginning_idx ON crm_domain (workspace_id, lower(domain) text_pattern_ops);
CREATE INDEX crm_email_beginning_idx ON crm_email (workspace_id, lower(email) text_pattern_ops);
