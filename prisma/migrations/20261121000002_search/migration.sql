-- Search: words by full text, parts of words and misspelt names by trigrams. Both indexes begin with the workspace.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- A document's whole text would not fit: what stands beyond is not found by its words.
CREATE FUNCTION search_words(title text, body text) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN to_tsvector('pg_catalog.simple'::regconfig, title || ' ' || coalesce("left"(body, 100000), ''));

CREATE INDEX project_words_idx ON project USING gin (workspace_id, search_words(name, description));
CREATE INDEX project_trigrams_idx ON project USING gin (workspace_id, lower(name) gin_trgm_ops);
CREATE INDEX task_words_idx ON task USING gin (workspace_id, search_words(title, description));
CREATE INDEX task_trigrams_idx ON task USING gin (workspace_id, lower(title) gin_trgm_ops);
CREATE INDEX crm_entity_words_idx ON crm_entity USING gin (workspace_id, search_words(name, description));
CREATE INDEX crm_entity_trigrams_idx ON crm_entity USING gin (workspace_id, lower(name) gin_trgm_ops);
CREATE INDEX document_words_idx ON document USING gin (workspace_id, search_words(title, content));
CREATE INDEX document_trigrams_idx ON document USING gin (workspace_id, lower(title) gin_trgm_ops);
