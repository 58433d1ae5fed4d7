-- compatible: dispatchers of older versions send without regard to these rates.
CREATE TABLE "webhook_rate" (
    "workspace_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "per_minute" INTEGER NOT NULL,
    "free_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_rate_pkey" PRIMARY KEY ("workspace_id","webhook_id")
);

ALTER TABLE "webhook_rate" ADD CONSTRAINT "webhook_rate_workspace_id_webhook_id_fkey" FOREIGN KEY ("workspace_id", "webhook_id") REFERENCES "webhook"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "webhook_rate" ADD CONSTRAINT "webhook_rate_per_minute_check" CHECK ("per_minute" >= 1);
