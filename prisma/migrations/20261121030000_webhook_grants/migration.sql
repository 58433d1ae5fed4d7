-- compatible: adds only, and what a version without them leaves out has a meaning.
-- A webhook whose grants are null was made before there were any: it is granted what its events need.
ALTER TABLE "webhook" ADD COLUMN "grants" JSONB;

-- A job that was made before takes nothing more: nobody knows what its maker could read.
ALTER TABLE "replay_job" ADD COLUMN "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[];
