-- compatible: a table that older versions do not know.
-- CreateTable
CREATE TABLE "webhook_activity" (
    "workspace_id" UUID NOT NULL,
    "unit" TEXT NOT NULL,
    "webhook_id" UUID NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "statuses" BIGINT[],
    "latency" BIGINT[],

    CONSTRAINT "webhook_activity_pkey" PRIMARY KEY ("workspace_id","unit","webhook_id","since")
);

-- CreateIndex
CREATE INDEX "webhook_activity_unit_since_idx" ON "webhook_activity"("unit", "since");

-- AddForeignKey
ALTER TABLE "webhook_activity" ADD CONSTRAINT "webhook_activity_workspace_id_webhook_id_fkey" FOREIGN KEY ("workspace_id", "webhook_id") REFERENCES "webhook"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
