-- compatible: older versions give no time of a restart, so that what they replay has no age limit; they take a webhook
-- whose receiver asked to be disabled for one that has failed, and tell no warnings.
-- AlterTable
ALTER TABLE "delivery" ADD COLUMN "restarted_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "webhook_health" ADD COLUMN "warned_percent" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "told_percent" INTEGER NOT NULL DEFAULT 0;

ALTER TABLE "webhook_health" DROP CONSTRAINT "webhook_health_gone_check";
ALTER TABLE "webhook_health" ADD CONSTRAINT "webhook_health_gone_check"
  CHECK (("gone_at" IS NULL) = ("gone_reason" IS NULL) AND "gone_reason" IN ('gone', 'asked', 'failing'));
