-- compatible: new tables, which older versions know nothing of.
-- Jobs, and the files that they write.
CREATE TABLE "job" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "failure" JSONB,
    "key_id" UUID NOT NULL,
    "scopes" TEXT[],
    "request" JSONB NOT NULL,
    "total" INTEGER NOT NULL DEFAULT 0,
    "done" INTEGER NOT NULL DEFAULT 0,
    "refused" INTEGER NOT NULL DEFAULT 0,
    "sequence" BIGINT NOT NULL,
    "position" JSONB,
    "files" JSONB NOT NULL,
    "created_by" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "told_at" TIMESTAMPTZ(3),
    "lease_owner" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT "job_pkey" PRIMARY KEY ("workspace_id","id")
);
CREATE TABLE "job_chunk" (
    "workspace_id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "file" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "start" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,
    CONSTRAINT "job_chunk_pkey" PRIMARY KEY ("workspace_id","job_id","file","number")
);
CREATE INDEX "job_workspace_id_created_at_id_idx" ON "job"("workspace_id", "created_at", "id");
CREATE INDEX "job_updated_at_idx" ON "job"("updated_at") WHERE ("ended_at" IS NULL);
CREATE INDEX "job_untold_idx" ON "job"("ended_at") WHERE ((ended_at IS NOT NULL) AND (told_at IS NULL));
ALTER TABLE "job_chunk" ADD CONSTRAINT "job_chunk_workspace_id_job_id_fkey" FOREIGN KEY ("workspace_id", "job_id") REFERENCES "job"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE job ADD CONSTRAINT job_kind_check CHECK (kind IN ('export', 'import', 'update', 'delete')),
  ADD CONSTRAINT job_status_check CHECK (status IN ('waiting', 'queued', 'running', 'completed', 'cancelled', 'failed')),
  ADD CONSTRAINT job_ended_check CHECK ((ended_at IS NOT NULL) = (status IN ('completed', 'cancelled', 'failed')));
-- Its bytes are packed already.
ALTER TABLE job_chunk ALTER COLUMN bytes SET STORAGE EXTERNAL;
