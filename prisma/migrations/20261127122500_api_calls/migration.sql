-- compatible: a table that older versions leave alone.
-- CreateTable
CREATE TABLE "api_call" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "api_key_id" UUID NOT NULL,
    "api_key_name" TEXT NOT NULL,
    "api_key_prefix" TEXT,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "surface" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "ms" DOUBLE PRECISION NOT NULL,
    "ip" TEXT,
    "request_id" TEXT NOT NULL,
    "object_id" UUID,
    "code" TEXT,
    "detail" TEXT,
    "left_out" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "api_call_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "api_call_workspace_id_api_key_id_id_idx" ON "api_call"("workspace_id", "api_key_id", "id");

-- CreateIndex
CREATE INDEX "api_call_workspace_id_request_id_idx" ON "api_call"("workspace_id", "request_id");

-- CreateIndex
CREATE INDEX "api_call_workspace_id_object_id_id_idx" ON "api_call"("workspace_id", "object_id", "id") WHERE (object_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "api_call_expires_at_idx" ON "api_call"("expires_at");

-- AddForeignKey
ALTER TABLE "api_call" ADD CONSTRAINT "api_call_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
