-- compatible: tables that older versions do not know.
-- CreateTable
CREATE TABLE "api_key_activity" (
    "workspace_id" UUID NOT NULL,
    "unit" TEXT NOT NULL,
    "api_key_id" UUID NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "statuses" BIGINT[],
    "latency" BIGINT[],
    "operations" JSONB NOT NULL,

    CONSTRAINT "api_key_activity_pkey" PRIMARY KEY ("workspace_id","unit","api_key_id","since")
);

-- CreateTable
CREATE TABLE "api_key_requests" (
    "workspace_id" UUID NOT NULL,
    "api_key_id" UUID NOT NULL,
    "requests" JSONB NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "api_key_requests_pkey" PRIMARY KEY ("workspace_id","api_key_id")
);

-- CreateIndex
CREATE INDEX "api_key_activity_unit_since_idx" ON "api_key_activity"("unit", "since");

-- CreateIndex
CREATE INDEX "api_key_requests_until_idx" ON "api_key_requests"("until");

-- AddForeignKey
ALTER TABLE "api_key_activity" ADD CONSTRAINT "api_key_activity_workspace_id_api_key_id_fkey" FOREIGN KEY ("workspace_id", "api_key_id") REFERENCES "api_key"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key_requests" ADD CONSTRAINT "api_key_requests_workspace_id_api_key_id_fkey" FOREIGN KEY ("workspace_id", "api_key_id") REFERENCES "api_key"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
