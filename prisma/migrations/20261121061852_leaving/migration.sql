-- compatible: a column that older versions leave alone, and indexes.
-- AlterTable
ALTER TABLE "member" ADD COLUMN     "left_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "member_leaving_idx" ON "member"("deleted_at") WHERE (deleted_at IS NOT NULL AND left_at IS NULL);

-- CreateIndex
CREATE INDEX "project_workspace_id_owner_id_idx" ON "project"("workspace_id", "owner_id") WHERE ("owner_id" IS NOT NULL);
