-- compatible: columns that older versions do not know.
ALTER TABLE "comment" ADD COLUMN     "external_id" TEXT,
ADD COLUMN     "external_source" TEXT,
ADD COLUMN     "purged_at" TIMESTAMPTZ(3),
ADD CONSTRAINT "comment_external_check" CHECK (("external_source" IS NULL) = ("external_id" IS NULL));

-- Lists of all comments of a workspace.
CREATE INDEX "comment_workspace_id_created_at_id_idx" ON "comment"("workspace_id", "created_at", "id");

CREATE INDEX "comment_workspace_id_updated_at_id_idx" ON "comment"("workspace_id", "updated_at", "id");

CREATE UNIQUE INDEX "comment_external_id_key" ON "comment"("workspace_id", "external_source", "external_id");
