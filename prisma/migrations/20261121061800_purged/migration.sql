-- compatible: columns that older versions do not know, and a rule that is wider than before.
ALTER TABLE "crm_entity" ADD COLUMN     "purged_at" TIMESTAMPTZ(3);

ALTER TABLE "project" ADD COLUMN     "purged_at" TIMESTAMPTZ(3);

ALTER TABLE "task" ADD COLUMN     "purged_at" TIMESTAMPTZ(3);

ALTER TABLE "document" ADD COLUMN     "purged_at" TIMESTAMPTZ(3);

-- A project that is purged leaves its key to others: its id stands in the key's place.
ALTER TABLE "project"
  DROP CONSTRAINT "project_key_check",
  ADD CONSTRAINT "project_key_check" CHECK ("key" ~ '^[A-Z]{2,10}$' OR ("deleted_at" IS NOT NULL AND "key" = "id"::text));
