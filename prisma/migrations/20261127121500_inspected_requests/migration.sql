-- compatible: a table that older versions leave alone. Older dispatchers find no address for the host of the inspector,
-- and try again later.
CREATE TABLE "inspected_request" (
    "workspace_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "headers" JSONB NOT NULL,
    "body" TEXT NOT NULL,
    "body_bytes" INTEGER NOT NULL,
    "signatures" JSONB NOT NULL,
    "answered_status" INTEGER,

    CONSTRAINT "inspected_request_pkey" PRIMARY KEY ("workspace_id","webhook_id","id")
);

CREATE INDEX "inspected_request_received_at_idx" ON "inspected_request"("received_at");

ALTER TABLE "inspected_request" ADD CONSTRAINT "inspected_request_workspace_id_webhook_id_fkey" FOREIGN KEY ("workspace_id", "webhook_id") REFERENCES "webhook"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
