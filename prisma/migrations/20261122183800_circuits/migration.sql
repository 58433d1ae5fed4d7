-- compatible: dispatchers of older versions send on where these columns say that a receiver gets a rest.
-- AlterTable
ALTER TABLE "webhook_health" ADD COLUMN     "circuit_open_until" TIMESTAMPTZ(3),
ADD COLUMN     "circuit_seconds" INTEGER,
ADD COLUMN     "probe_id" UUID,
ADD COLUMN     "unwell" INTEGER NOT NULL DEFAULT 0;

ALTER TABLE "webhook_health"
  ADD CONSTRAINT "webhook_health_unwell_check" CHECK ("unwell" >= 0),
  ADD CONSTRAINT "webhook_health_circuit_check"
    CHECK (("circuit_open_until" IS NULL) = ("circuit_seconds" IS NULL) AND ("probe_id" IS NULL OR "circuit_seconds" >= 1));
