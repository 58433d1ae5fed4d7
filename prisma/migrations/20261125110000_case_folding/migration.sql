-- compatible: older versions find the same words; they look titles up by lower(), without an index, until they are gone.

-- What the database's own locale does to capitals is not relied on: in a Turkish one `lower('I')` is `ı`, in C it leaves
-- `Ä` as it is. Titles, texts and what is searched for are folded by this function alone, with the rules of Unicode
-- that hold for no language: `STRASSEN` is `Straßen` (small letters come first, since `ẞ` is a capital already), the
-- three sigmas are one, and so are `I`, `i`, `ı` and `İ`. Its cost keeps the planner from folding row by row where an
-- index has the result.
CREATE FUNCTION folded(given text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 100 AS $$
BEGIN
  RETURN translate(lower(upper(lower(given COLLATE "und-x-icu"))), E'ς\u0307', 'σ');
END $$;

-- Where the database's locale is C, the parser takes every character that is not ASCII for a letter: what is none ends a
-- word here, so that “Straße” in quotation marks is one. The schema is named, since a restored dump sets no search path.
DO $make$ BEGIN EXECUTE format($function$
CREATE OR REPLACE FUNCTION search_words(title text, body text) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 100000 AS $$
BEGIN
  RETURN to_tsvector('pg_catalog.simple'::regconfig, regexp_replace(
    %I.folded(title || ' ' || coalesce("left"(body, 100000), '')),
    '[\u00a0-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u2000-\u200b\u200e-\u206f\u20a0-\u20cf\u2190-\u2bff\u3000-\u3004\u3008-\u3020\u3030\uff01-\uff0f\U0001f000-\U0001faff]',
    ' ', 'g'));
END $$
$function$, current_schema()); END $make$;

-- No row is changed. The indexes of words and of titles are built anew with what the functions now return, under other
-- names first: calls read with the old ones and wait only while the names are exchanged at the end. Changes of these
-- tables wait for all of it, about a second for 10,000 objects.
CREATE INDEX project_words_new ON project USING gin (workspace_id, search_words(name, description));
CREATE INDEX task_words_new ON task USING gin (workspace_id, search_words(title, description));
CREATE INDEX crm_entity_words_new ON crm_entity USING gin (workspace_id, search_words(name, description));
CREATE INDEX document_words_new ON document USING gin (workspace_id, search_words(title, content));
CREATE INDEX project_trigrams_new ON project USING gin (workspace_id, folded(name) gin_trgm_ops);
CREATE INDEX task_trigrams_new ON task USING gin (workspace_id, folded(title) gin_trgm_ops);
CREATE INDEX crm_entity_trigrams_new ON crm_entity USING gin (workspace_id, folded(name) gin_trgm_ops);
CREATE INDEX document_trigrams_new ON document USING gin (workspace_id, folded(title) gin_trgm_ops);
CREATE INDEX crm_domain_beginning_new ON crm_domain (workspace_id, folded(domain) text_pattern_ops);
CREATE INDEX crm_email_beginning_new ON crm_email (workspace_id, folded(email) text_pattern_ops);

DROP INDEX project_words_idx, task_words_idx, crm_entity_words_idx, document_words_idx, project_trigrams_idx,
  task_trigrams_idx, crm_entity_trigrams_idx, document_trigrams_idx, crm_domain_beginning_idx, crm_email_beginning_idx;
ALTER INDEX project_words_new RENAME TO project_words_idx;
ALTER INDEX task_words_new RENAME TO task_words_idx;
ALTER INDEX crm_entity_words_new RENAME TO crm_entity_words_idx;
ALTER INDEX document_words_new RENAME TO document_words_idx;
ALTER INDEX project_trigrams_new RENAME TO project_trigrams_idx;
ALTER INDEX task_trigrams_new RENAME TO task_trigrams_idx;
ALTER INDEX crm_entity_trigrams_new RENAME TO crm_entity_trigrams_idx;
ALTER INDEX document_trigrams_new RENAME TO document_trigrams_idx;
ALTER INDEX crm_domain_beginning_new RENAME TO crm_domain_beginning_idx;
ALTER INDEX crm_email_beginning_new RENAME TO crm_email_beginning_idx;

-- In no locale does this find a letter of ASCII in another case than the code that stores it does.
ALTER TABLE account DROP CONSTRAINT account_email_check,
  ADD CONSTRAINT account_email_check CHECK (email = lower(email COLLATE "C"));
