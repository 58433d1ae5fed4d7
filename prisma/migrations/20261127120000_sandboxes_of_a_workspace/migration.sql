-- compatible: older versions make no sandboxes from a workspace; theirs belong to none.
-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "sandbox_of" UUID;
-- CreateIndex
CREATE INDEX "workspace_sandbox_of_idx" ON "workspace"("sandbox_of") WHERE ("sandbox_of" IS NOT NULL);
