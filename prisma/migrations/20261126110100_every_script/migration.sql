-- compatible: older versions find the same words by the same functions; those with accents, and parts of words in
-- scripts without blanks, only with newer ones.

-- What is searched for and what is searched in is folded to the same: case as before, and now accents, vowel points and
-- other marks, compatibility forms (full-width letters, ligatures), invisible characters, digits of other scripts, and
-- letters that are a Latin one with a stroke. Signs of Indic and Southeast Asian vowels stay, and so do the marks of
-- kana: they make other syllables. unaccent is an extension that not every database has, and its rules are a file.
CREATE OR REPLACE FUNCTION folded(given text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 100 AS $$
DECLARE
  bare text;
BEGIN
  IF octet_length(given) = length(given) THEN
    RETURN lower(given COLLATE "C");
  END IF;
  bare := lower(upper(lower(regexp_replace(normalize(given, NFKD),
    '[\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u2060-\u2064\u20d0-\u20ff\ufe00-\ufe0f\ufeff]',
    '', 'g') COLLATE "und-x-icu")));
  IF bare ~ '[ςıłđðøħŧŋæœþىیکةٱ٠-٩۰-۹०-९০-৯๐-๙]' THEN
    bare := replace(replace(replace(translate(bare, 'ςıłđðøħŧŋىیکةٱ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯๐๑๒๓๔๕๖๗๘๙',
      'σilddohtnييكها01234567890123456789012345678901234567890123456789'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  END IF;
  RETURN normalize(bare, NFC);
END $$;

-- The words of a folded text, with a blank between them. What is no letter, digit or mark ends a word. In scripts that
-- are written without blanks, or join words, each character is a word with the next one, and the last of those that
-- stand together is a word alone: of 東京都 these are 東京, 京都 and 都.
CREATE FUNCTION separated(given text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
DECLARE
  words text;
BEGIN
  IF octet_length(given) = length(given) THEN
    RETURN btrim(regexp_replace(given, '[^a-z0-9]+', ' ', 'g'));
  END IF;
  words := btrim(regexp_replace(given, '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u02c2-\u02c5\u02d2-\u02df\u02e5-\u02eb\u02ed\u02ef-\u02ff\u0375\u037e\u0384-\u0385\u0387\u03f6\u0482\u055a-\u055f\u0589-\u058f\u05be\u05c0\u05c3\u05c6\u05f3-\u060f\u061b-\u061f\u066a-\u066d\u06d4\u06dd-\u06de\u06e9\u06fd-\u06fe\u0700-\u070f\u07f6-\u07f9\u07fe-\u07ff\u0830-\u083e\u085e\u0888\u0890-\u0891\u08e2\u0964-\u0965\u0970\u09f2-\u09f3\u09fa-\u09fb\u09fd\u0a76\u0af0-\u0af1\u0b70\u0bf3-\u0bfa\u0c77\u0c7f\u0c84\u0d4f\u0d79\u0df4\u0e3f\u0e4f\u0e5a-\u0e5b\u0f01-\u0f17\u0f1a-\u0f1f\u0f34\u0f36\u0f38\u0f3a-\u0f3d\u0f85\u0fbe-\u0fc5\u0fc7-\u0fda\u104a-\u104f\u109e-\u109f\u10fb\u1360-\u1368\u1390-\u1399\u1400\u166d-\u166e\u1680\u169b-\u169c\u16eb-\u16ed\u1735-\u1736\u17d4-\u17d6\u17d8-\u17db\u1800-\u180a\u180e\u1940-\u1945\u19de-\u19ff\u1a1e-\u1a1f\u1aa0-\u1aa6\u1aa8-\u1aad\u1b4e-\u1b4f\u1b5a-\u1b6a\u1b74-\u1b7f\u1bfc-\u1bff\u1c3b-\u1c3f\u1c7e-\u1c7f\u1cc0-\u1cc7\u1cd3\u1fbd\u1fbf-\u1fc1\u1fcd-\u1fcf\u1fdd-\u1fdf\u1fed-\u1fef\u1ffd-\u206f\u207a-\u207e\u208a-\u208e\u20a0-\u20c1\u2100-\u2101\u2103-\u2106\u2108-\u2109\u2114\u2116-\u2118\u211e-\u2123\u2125\u2127\u2129\u212e\u213a-\u213b\u2140-\u2144\u214a-\u214d\u214f\u218a-\u244a\u249c-\u24e9\u2500-\u2775\u2794-\u2bff\u2ce5-\u2cea\u2cf9-\u2cfc\u2cfe-\u2cff\u2d70\u2e00-\u2e2e\u2e30-\u3004\u3008-\u3020\u3030\u3036-\u3037\u303d-\u303f\u309b-\u309c\u30a0\u30fb\u3190-\u3191\u3196-\u319f\u31c0-\u31ef\u3200-\u321e\u322a-\u3247\u3250\u3260-\u327f\u328a-\u32b0\u32c0-\u33ff\u4dc0-\u4dff\ua490-\ua4c6\ua4fe-\ua4ff\ua60d-\ua60f\ua673\ua67e\ua6f2-\ua716\ua720-\ua721\ua789-\ua78a\ua828-\ua82b\ua836-\ua839\ua874-\ua877\ua8ce-\ua8cf\ua8f8-\ua8fa\ua8fc\ua92e-\ua92f\ua95f\ua9c1-\ua9cd\ua9de-\ua9df\uaa5c-\uaa5f\uaa77-\uaa79\uaade-\uaadf\uaaf0-\uaaf1\uab5b\uab6a-\uab6b\uabeb\ue000-\uf8ff\ufb29\ufbb2-\ufbd2\ufd3e-\ufd4f\ufd90-\ufd91\ufdc8-\ufdcf\ufdfc-\ufdff\ufe10-\ufe19\ufe30-\ufe6b\ufeff-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffe0-\ufffd\U00010100-\U00010102\U00010137-\U0001013f\U00010179-\U00010189\U0001018c-\U000101fc\U0001039f\U000103d0\U0001056f\U00010857\U00010877-\U00010878\U0001091f\U0001093f\U00010a50-\U00010a58\U00010a7f\U00010ac8\U00010af0-\U00010af6\U00010b39-\U00010b3f\U00010b99-\U00010b9c\U00010d6e\U00010d8e-\U00010d8f\U00010ead\U00010ed0-\U00010ed8\U00010f55-\U00010f59\U00010f86-\U00010f89\U00011047-\U0001104d\U000110bb-\U000110c1\U000110cd\U00011140-\U00011143\U00011174-\U00011175\U000111c5-\U000111c8\U000111cd\U000111db\U000111dd-\U000111df\U00011238-\U0001123d\U000112a9\U000113d4-\U000113d8\U0001144b-\U0001144f\U0001145a-\U0001145d\U000114c6\U000115c1-\U000115d7\U00011641-\U00011643\U00011660-\U0001166c\U000116b9\U0001173c-\U0001173f\U0001183b\U00011944-\U00011946\U000119e2\U00011a3f-\U00011a46\U00011a9a-\U00011a9c\U00011a9e-\U00011aa2\U00011b00-\U00011b09\U00011be1\U00011c41-\U00011c45\U00011c70-\U00011c71\U00011ef7-\U00011ef8\U00011f43-\U00011f4f\U00011fd5-\U00011fff\U00012470-\U00012474\U00012ff1-\U00012ff2\U00013430-\U0001343f\U00016a6e-\U00016a6f\U00016af5\U00016b37-\U00016b3f\U00016b44-\U00016b45\U00016d6d-\U00016d6f\U00016e97-\U00016e9a\U00016fe2\U0001bc9c\U0001bc9f-\U0001ccef\U0001ccfa-\U0001cef0\U0001cf50-\U0001d164\U0001d16a-\U0001d16c\U0001d173-\U0001d17a\U0001d183-\U0001d184\U0001d18c-\U0001d1a9\U0001d1ae-\U0001d241\U0001d245\U0001d300-\U0001d356\U0001d6c1\U0001d6db\U0001d6fb\U0001d715\U0001d735\U0001d74f\U0001d76f\U0001d789\U0001d7a9\U0001d7c3\U0001d800-\U0001d9ff\U0001da37-\U0001da3a\U0001da6d-\U0001da74\U0001da76-\U0001da83\U0001da85-\U0001da8b\U0001e14f\U0001e2ff\U0001e5ff\U0001e95e-\U0001e95f\U0001ecac\U0001ecb0\U0001ed2e\U0001eef0-\U0001f0f5\U0001f10d-\U0001fbef\U0001fbfa]+', ' ', 'g'));
  IF words ~ '[\u0e01-\u0eff\u0f00-\u109d\u1100-\u11ff\u1780-\u17f9\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u9fff\ua960-\ua97c\ua9e0-\ua9fe\uaa60-\uaa7f\uac00-\ud7fb\uf900-\ufad9\U00020000-\U00033479]' THEN
    words := regexp_replace(words, '([^ \u0e01-\u0eff\u0f00-\u109d\u1100-\u11ff\u1780-\u17f9\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u9fff\ua960-\ua97c\ua9e0-\ua9fe\uaa60-\uaa7f\uac00-\ud7fb\uf900-\ufad9\U00020000-\U00033479])(?=[\u0e01-\u0eff\u0f00-\u109d\u1100-\u11ff\u1780-\u17f9\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u9fff\ua960-\ua97c\ua9e0-\ua9fe\uaa60-\uaa7f\uac00-\ud7fb\uf900-\ufad9\U00020000-\U00033479])', '\1 ', 'g');
    words := regexp_replace(words, '(?<=[\u0e01-\u0eff\u0f00-\u109d\u1100-\u11ff\u1780-\u17f9\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u9fff\ua960-\ua97c\ua9e0-\ua9fe\uaa60-\uaa7f\uac00-\ud7fb\uf900-\ufad9\U00020000-\U00033479])([^ \u0e01-\u0eff\u0f00-\u109d\u1100-\u11ff\u1780-\u17f9\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u9fff\ua960-\ua97c\ua9e0-\ua9fe\uaa60-\uaa7f\uac00-\ud7fb\uf900-\ufad9\U00020000-\U00033479])', ' \1', 'g');
    words := regexp_replace(words, '(?<=[\u0e01-\u0eff\u0f00-\u109d\u1100-\u11ff\u1780-\u17f9\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u9fff\ua960-\ua97c\ua9e0-\ua9fe\uaa60-\uaa7f\uac00-\ud7fb\uf900-\ufad9\U00020000-\U00033479])([\u0e01-\u0eff\u0f00-\u109d\u1100-\u11ff\u1780-\u17f9\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u9fff\ua960-\ua97c\ua9e0-\ua9fe\uaa60-\uaa7f\uac00-\ud7fb\uf900-\ufad9\U00020000-\U00033479])', '\1 \1', 'g');
  END IF;
  RETURN words;
END $$;

-- The words of an object and their places, for phrases. The parser of Postgres is asked only about letters that are
-- letters to every locale, since it asks the locale of the database. There are 16,383 places: of a longer text they are
-- counted from one again, and the first 20 of each round have a place after the last of the round before as well, so
-- that no phrase is cut.
DO $make$ BEGIN EXECUTE format($function$
CREATE OR REPLACE FUNCTION search_words(title text, body text) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 100000 AS $$
DECLARE
  words text := %1$I.separated(%1$I.folded(title || E'\n' || coalesce("left"(body, 100000), '')));
BEGIN
  IF length(words) < 32000 AND (octet_length(words) = length(words) OR words !~ '[^ a-z0-9\u00e0-\u024f\u03ac-\u03ce\u0430-\u052f\u05d0-\u05ea\u0621-\u063a\u0641-\u064a\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fa5\uac00-\ud7a3]') THEN
    RETURN to_tsvector('pg_catalog.simple'::regconfig, words);
  END IF;
  RETURN coalesce((SELECT string_agg("left"(word, 500) || ':' || CASE
        WHEN n <= 16363 THEN n::text
        WHEN (n - 1) %% 16363 < 20 THEN ((n - 1) %% 16363 + 1) || ',' || ((n - 1) %% 16363 + 16364)
        ELSE ((n - 1) %% 16363 + 1)::text END, ' ')
      FROM string_to_table(words, ' ') WITH ORDINALITY AS given (word, n) WHERE word <> ''), '')::tsvector;
END $$
$function$, current_schema()); END $make$;

-- The indexes of titles are built anew with what the function now returns, under other names first: calls read with the
-- old ones and wait only while the names are exchanged at the end. Changes of these tables wait for all of it, about a
-- second for 10,000 objects. The indexes on search_words(…) are read by no version since stored_words.
SET LOCAL maintenance_work_mem = '128MB';
DROP INDEX project_words_idx, task_words_idx, crm_entity_words_idx, document_words_idx;
CREATE INDEX project_trigrams_new ON project USING gin (workspace_id, folded(name) gin_trgm_ops);
CREATE INDEX task_trigrams_new ON task USING gin (workspace_id, folded(title) gin_trgm_ops);
CREATE INDEX crm_entity_trigrams_new ON crm_entity USING gin (workspace_id, folded(name) gin_trgm_ops);
CREATE INDEX document_trigrams_new ON document USING gin (workspace_id, folded(title) gin_trgm_ops);
CREATE INDEX crm_domain_beginning_new ON crm_domain (workspace_id, folded(domain) text_pattern_ops);
CREATE INDEX crm_email_beginning_new ON crm_email (workspace_id, folded(email) text_pattern_ops);

DROP INDEX project_trigrams_idx, task_trigrams_idx, crm_entity_trigrams_idx, document_trigrams_idx,
  crm_domain_beginning_idx, crm_email_beginning_idx;
ALTER INDEX project_trigrams_new RENAME TO project_trigrams_idx;
ALTER INDEX task_trigrams_new RENAME TO task_trigrams_idx;
ALTER INDEX crm_entity_trigrams_new RENAME TO crm_entity_trigrams_idx;
ALTER INDEX document_trigrams_new RENAME TO document_trigrams_idx;
ALTER INDEX crm_domain_beginning_new RENAME TO crm_domain_beginning_idx;
ALTER INDEX crm_email_beginning_new RENAME TO crm_email_beginning_idx;
