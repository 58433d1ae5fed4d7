-- compatible: what older versions write is not found by its request.
-- AlterTable
ALTER TABLE "event" ADD COLUMN "request_id" TEXT;

-- CreateIndex
CREATE INDEX "event_workspace_id_request_id_sequence_idx" ON "event"("workspace_id", "request_id", "sequence") WHERE ("request_id" IS NOT NULL);
