-- compatible: dispatchers of older versions send without regard to the order; events of services of older versions hold the ordered ones up until they are fanned out.
-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "order_key" UUID,
ADD COLUMN     "place" DECIMAL(30,12);

-- AlterTable
ALTER TABLE "outbox" ADD COLUMN     "sequence" BIGINT;

-- AlterTable
ALTER TABLE "webhook" ADD COLUMN     "delivery_order" TEXT NOT NULL DEFAULT 'none';

ALTER TABLE "webhook" ADD CONSTRAINT "webhook_delivery_order_check" CHECK ("delivery_order" IN ('none', 'webhook', 'object'));
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_order_check" CHECK (("order_key" IS NULL) = ("place" IS NULL));

CREATE INDEX "outbox_workspace_id_sequence_idx" ON "outbox"("workspace_id", "sequence");

-- What waits in a line, and the one of each line that is sent or tried again.
CREATE INDEX "delivery_line_idx" ON "delivery"("webhook_id", "order_key", "place") WHERE ("order_key" IS NOT NULL AND "status" IN ('pending', 'retrying'));
CREATE INDEX "delivery_line_turn_idx" ON "delivery"("webhook_id", "order_key") WHERE ("order_key" IS NOT NULL AND "next_attempt_at" IS NOT NULL);
